import { describe, expect, it } from "vitest";
import { architectureRule, foldersRule } from "./lib/folders.ts";
import { found, plant } from "./lib/planted.ts";

describe("known places", () => {
  it("accepts the folders and files of the house", () => {
    const tree = plant({
      "README.md": "",
      "package.json": "",
      "src/index.ts": "",
      "src/platform/errors/index.ts": "",
      ".ci/run": "",
      "docs/images/rooms.svg": "",
    });
    expect(found(foldersRule, tree)).toEqual([]);
  });

  it("names each stranger once", () => {
    const tree = plant({
      "notes.txt": "",
      "lib/a.ts": "",
      "lib/b.ts": "",
      "src/utils/a.ts": "",
      "src/helpers.ts": "",
    });
    expect(found(foldersRule, tree)).toEqual([
      "notes.txt file at the root",
      "lib folder at the root",
      "src/utils room",
      "src/helpers.ts file in src",
    ]);
  });
});

describe("docs/architecture.md", () => {
  const sources = { "src/cli/main.ts": "", "src/platform/store/sqlite/driver.ts": "" };

  it("must name each room and each folder of a room", () => {
    const tree = plant({ ...sources, "docs/architecture.md": "`src/cli` and the platform" });
    expect(found(architectureRule, tree)).toEqual(["docs/architecture.md platform/store"]);
  });

  it("may name a folder by its path or by its own name in code type", () => {
    for (const text of [
      "cli, platform/store",
      "`cli` `platform`: `store`",
      "`cli` `platform`: `store/sqlite`",
    ]) {
      expect(found(architectureRule, plant({ ...sources, "docs/architecture.md": text }))).toEqual(
        [],
      );
    }
  });

  it("must exist", () => {
    expect(found(architectureRule, plant(sources))).toEqual(["docs/architecture.md missing"]);
  });
});
