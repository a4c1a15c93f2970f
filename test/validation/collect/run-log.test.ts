import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { openRunLog } from "../../../src/validation/collect/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = new VirtualClock({ epochMs: Date.UTC(2026, 0, 1) });

async function places(name = "x.log") {
  const folder = join(await tempDir(), "check", "node");
  return { folder, path: join(folder, name), clock };
}

describe("the log of a run", () => {
  test("has each line with its time as soon as it is written", async () => {
    const place = await places();
    const log = openRunLog(place);
    log.write("one");
    expect(await readFile(place.path, "utf8")).toBe("2026-01-01T00:00:00.000Z one\n");
    log.write("two\nlines are\r\none");
    log.close();
    log.write("after the end");
    const lines = (await readFile(place.path, "utf8")).trimEnd().split("\n");
    expect(lines.at(-1)).toBe("2026-01-01T00:00:00.000Z two lines are one");
    expect(lines).toHaveLength(2);
    expect(log.problem()).toBeUndefined();
  });

  test("stops at its limit and says so", async () => {
    const place = await places();
    const log = openRunLog({ ...place, sizeBytesMax: 100 });
    for (let i = 0; i < 10; i++) log.write(`line ${i}`);
    expect((await readFile(place.path)).length).toBeLessThanOrEqual(100);
    expect(log.problem()).toMatch(/full/);
    log.close();
  });

  test("that cannot be written is no reason to fail", async () => {
    const { folder } = await places();
    await writeFile(join(folder, "..", "..", "file"), "");
    const inFile = join(folder, "..", "..", "file", "node");
    const log = openRunLog({ folder: inFile, path: join(inFile, "x.log"), clock });
    log.write("nobody will read this");
    expect(log.problem()).toMatch(/ENOTDIR/);
    log.close();
  });

  test("does not follow a link that somebody put in its place", async () => {
    const place = await places();
    await mkdir(place.folder, { recursive: true });
    const target = join(place.folder, "target");
    await writeFile(target, "mine");
    await symlink(target, place.path);
    const log = openRunLog(place);
    log.write("hello");
    log.close();
    expect(log.problem()).toMatch(/ELOOP/);
    expect(await readFile(target, "utf8")).toBe("mine");
  });
});
