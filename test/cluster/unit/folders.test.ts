import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completeShape } from "../machine/availability.ts";
import {
  abandonedFolders,
  claimFolder,
  clusterNames,
  ourselves,
  removeFolder,
} from "../registry/folders.ts";
import { pathsOf } from "../registry/paths.ts";
import { livenessOf, readRecord } from "../registry/record.ts";

describe("the folders of clusters", () => {
  const shape = completeShape({});
  let parent: string;
  let root: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "tessera-clusters-"));
    root = join(parent, "clusters");
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it("are claimed with their record, and only once", () => {
    const record = { name: "a", shape, creator: ourselves() };
    const folder = claimFolder(record, root);
    expect(readRecord(pathsOf(folder))).toEqual(record);
    expect(livenessOf(readRecord(pathsOf(folder)))).toBe("starting");
    expect(() => claimFolder(record, root)).toThrow(/already there/);
    expect(clusterNames(root)).toEqual(["a"]);
    expect(abandonedFolders(root)).toEqual([]);
  });

  it("are removed with everything in them, the empty root too", () => {
    const one = claimFolder({ name: "a", shape, creator: ourselves() }, root);
    const other = claimFolder({ name: "b", shape, creator: ourselves() }, root);
    writeFileSync(join(one, "file"), "x");
    removeFolder(one);
    expect(clusterNames(root)).toEqual(["b"]);
    removeFolder(one);
    removeFolder(other);
    expect(existsSync(root)).toBe(false);
    expect(clusterNames(root)).toEqual([]);
  });

  it("are dead when the process that made them is, or when nobody signed them", () => {
    const gone = { pid: process.pid, startTicks: "1" };
    expect(livenessOf({ name: "a", shape, creator: gone })).toBe("dead");
    expect(livenessOf({ name: "a", shape, creator: gone, init: ourselves() })).toBe("running");
    expect(livenessOf({ name: "a", shape, creator: ourselves(), init: gone })).toBe("dead");
    expect(livenessOf(undefined)).toBe("dead");
  });

  it("are found when a process died while it made or removed them", () => {
    const { pid, startTicks } = ourselves();
    claimFolder({ name: "a", shape, creator: ourselves() }, root);
    for (const name of [".new-1-1-1", ".dead-1-1-2", `.new-${pid}-${startTicks}-9`, "x.txt"]) {
      writeFileSync(join(root, name), "");
    }
    const found = abandonedFolders(root).map((path) => path.slice(root.length + 1));
    expect(found).toEqual([".dead-1-1-2", ".new-1-1-1"]);
  });
});
