import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRealClock } from "../../../../src/platform/time/real-clock.ts";
import { createIoStress, type StressEngine } from "../../../../src/runtime/stress/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const clock = createRealClock();
const { signal } = new AbortController();
const lanes = 2;
// Two files of one block of 4 MiB for each lane.
const sizeBytes = 16 * 2 ** 20;

async function create(over = {}): Promise<{ engine: StressEngine; folder: string }> {
  const folder = await tempDir();
  const engine = await createIoStress({ clock, folder, place: folder, sizeBytes, lanes, ...over });
  return { engine, folder };
}

describe("the engine for files", () => {
  it("writes, reads and finds nothing wrong, in no more space than asked for", async () => {
    const { engine, folder } = await create();
    for (let at = 0; at < 3; at++) {
      expect(await engine.advance(0, signal)).toMatchObject({ wrong: 0, mismatches: [] });
    }
    expect(await engine.finish()).toMatchObject({ wrong: 0 });
    const files = await readdir(folder);
    expect(files.toSorted()).toEqual([
      "lane-0-0.bin",
      "lane-0-1.bin",
      "lane-1-0.bin",
      "lane-1-1.bin",
    ]);
    expect(engine.facts["totalBytes"]).toBe(sizeBytes);
  });

  it("names page and file of a bit that was written wrong", async () => {
    const { engine } = await create({ corrupt: { iteration: 1, bit: 8 * 5000 + 3 } });
    const wrong = [];
    for (let at = 0; at < 4; at++) wrong.push(...(await engine.advance(0, signal)).mismatches);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]?.iteration).toBe(1);
    expect(wrong[0]?.place).toMatch(/^page 1 of .*lane-0-0\.bin$/);
    expect(wrong[0]?.detail).toMatch(/^byte 904 is \d+ instead of \d+$/);
  });

  it("finds old content in a file that should have been written anew", async () => {
    const { engine, folder } = await create();
    const path = join(folder, "lane-1-1.bin");
    await engine.advance(0, signal);
    const old = await readFile(path);
    await engine.advance(0, signal);
    await engine.advance(0, signal);
    await writeFile(path, old);
    const { mismatches } = await engine.finish();
    expect(mismatches[0]?.detail).toBe(
      "it says it is page 0 of file 1, version 1, not page 0 of file 1, version 3",
    );
  });

  it("finds a file that lost its end", async () => {
    const { engine, folder } = await create();
    await engine.advance(0, signal);
    await truncate(join(folder, "lane-0-1.bin"), 2 ** 20);
    expect((await engine.finish()).mismatches[0]?.place).toContain("page 256 of");
  });

  it("reads nothing when nobody verifies", async () => {
    const { engine, folder } = await create({ verify: false });
    await engine.advance(0, signal);
    await truncate(join(folder, "lane-0-1.bin"), 0);
    expect(await engine.finish()).toMatchObject({ wrong: 0 });
  });

  it("cannot start in a folder that is not there", async () => {
    const folder = join(await tempDir(), "missing");
    const started = createIoStress({ clock, folder, place: folder, sizeBytes, lanes });
    await expect(started).rejects.toMatchObject({ code: "E_FILE_WRITE" });
  });

  it("tells an error of the disk from an error of the user", async () => {
    const { engine } = await create();
    const eio = new Error("cannot read", {
      cause: Object.assign(new Error("io"), { code: "EIO" }),
    });
    expect(engine.failureOf(eio)).toBe("cannot read");
    expect(engine.failureOf(new Error("no space"))).toBeUndefined();
  });
});
