import { readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeLeftoverTemps } from "../../../src/platform/files/index.ts";
import { tempPathFor } from "../../../src/platform/files/temp-files.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

const nowS = 1_000_000;
const clock = new VirtualClock({ epochMs: nowS * 1000 });

describe("tempPathFor", () => {
  it("gives another hidden name in the same folder each time", () => {
    const [one, other] = [tempPathFor("/data/file"), tempPathFor("/data/file")];
    expect(dirname(one)).toBe("/data");
    expect(basename(one)).toMatch(/^\.file\./);
    expect(one).not.toBe(other);
  });
});

describe("removeLeftoverTemps", () => {
  it("removes old temporary files and nothing else", async () => {
    const folder = await tempDir();
    const old = tempPathFor(join(folder, "old"));
    const young = tempPathFor(join(folder, "young"));
    const linked = tempPathFor(join(folder, "linked"));
    for (const path of [old, young, join(folder, "file"), join(folder, ".file.tessera-tmp")]) {
      writeFileSync(path, "");
      const ageS = path === young ? 60 : 7200;
      utimesSync(path, nowS - ageS, nowS - ageS);
    }
    symlinkSync("file", linked);
    expect(await removeLeftoverTemps(folder, { clock })).toEqual([basename(old)]);
    expect(readdirSync(folder).toSorted()).toEqual(
      [".file.tessera-tmp", "file", basename(linked), basename(young)].toSorted(),
    );
  });

  it("finds none in a folder that does not exist", async () => {
    expect(await removeLeftoverTemps(join(await tempDir(), "missing"), { clock })).toEqual([]);
  });

  it("says that something else than a folder cannot be listed", async () => {
    const path = join(await tempDir(), "plain");
    writeFileSync(path, "");
    await expect(removeLeftoverTemps(path, { clock })).rejects.toMatchObject({
      code: "E_FILE_READ",
    });
  });
});
