import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { measureDiskSync } from "../../../src/platform/store/disk-sync.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = createRealClock();

describe("measuring how fast a disk syncs", () => {
  test("takes as many samples as asked, and leaves nothing behind", async () => {
    const folder = await tempDir();
    const sync = await measureDiskSync(folder, { clock, samplesMax: 8, budgetMs: 60_000 });
    expect(sync.samples).toBe(8);
    expect(sync.worstMs).toBeGreaterThanOrEqual(sync.medianMs);
    expect(sync.perSecond).toBeGreaterThan(0);
    expect(await readdir(folder)).toEqual([]);
  });

  test("stops when its time is used up, but never without a sample", async () => {
    const sync = await measureDiskSync(await tempDir(), { clock, samplesMax: 1e9, budgetMs: 0 });
    expect(sync.samples).toBe(1);
  });

  test("of a folder that is not there rejects", async () => {
    const gone = join(await tempDir(), "gone");
    await expect(measureDiskSync(gone, { clock, samplesMax: 1, budgetMs: 1 })).rejects.toThrow(
      "ENOENT",
    );
  });
});
