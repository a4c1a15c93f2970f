import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layShim, shimLibrary } from "../../../src/hardware/shim/index.ts";
import { libraryPlaces } from "../../../src/hardware/shim/shim-library.ts";
import { tempDir } from "../../support/temp-dir.ts";

const built = await shimLibrary().catch(() => undefined);
const notBuilt = built === undefined ? " (skipped: dist/ has no shim)" : "";

describe("where the shim is looked for", () => {
  it.each([
    ["/app", "/app/native/x64/libtessera-cuda-fault.so"],
    ["/repo/dist/bundle", "/repo/dist/native/x64/libtessera-cuda-fault.so"],
    ["/repo/dist/hardware/shim", "/repo/dist/native/x64/libtessera-cuda-fault.so"],
    ["/repo/src/hardware/shim", "/repo/dist/native/x64/libtessera-cuda-fault.so"],
  ])("for a program in %s at %s too", (folder, place) => {
    expect(libraryPlaces(folder, "x64")).toContain(place);
  });

  it("is only for the processor of this machine", () => {
    for (const place of libraryPlaces("/app", "arm64")) expect(place).toContain("/arm64/");
  });
});

describe.skipIf(built === undefined)(`the shim in the folder of a node${notBuilt}`, () => {
  it("is laid there whole, for everybody to read, and again only when it differs", async () => {
    const folder = join(await tempDir(), "node");
    const laid = await layShim(folder);
    expect(laid).toBe(join(folder, "libtessera-cuda-fault.so"));
    expect(await readFile(laid)).toEqual(await readFile(built ?? ""));
    const before = await stat(laid);
    expect(before.mode & 0o777).toBe(0o755);
    await layShim(folder);
    expect((await stat(laid)).ino).toBe(before.ino);
  });

  it("takes the place of an older one by a file of its own, so that running processes keep theirs", async () => {
    const folder = await tempDir();
    const path = join(folder, "libtessera-cuda-fault.so");
    await writeFile(path, "older");
    const before = await stat(path);
    await layShim(folder);
    expect((await stat(path)).ino).not.toBe(before.ino);
    expect(await readFile(path)).toEqual(await readFile(built ?? ""));
  });
});
