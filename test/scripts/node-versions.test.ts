import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  cacheFolder,
  fetchNode,
  nodeVersions,
  versionsBeside,
} from "../../scripts/lib/node-versions.ts";
import { root } from "../../scripts/lib/repository.ts";

describe("the versions to test", () => {
  const versions = ["20.19.0", "20.20.2", "22.23.3", "24.21.0"];

  it("are the floor and one of each other line", () => {
    expect(versionsBeside("20.20.2", versions)).toEqual(["20.19.0", "22.23.3", "24.21.0"]);
    expect(versionsBeside("22.1.0", versions)).toEqual(["20.19.0", "20.20.2", "24.21.0"]);
    expect(versionsBeside("26.0.0", versions)).toEqual(versions);
  });

  it("leave out the very version that runs", () => {
    expect(versionsBeside("20.19.0", versions)).toEqual(["22.23.3", "24.21.0"]);
  });

  it("begin with what package.json promises", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(`>=${nodeVersions[0].replace(/\.0$/, "")}`).toBe(manifest.engines.node);
  });
});

describe("the cache folder", () => {
  it("is what the user says, else below the user's cache", () => {
    expect(cacheFolder({ TESSERA_CACHE: "/c", XDG_CACHE_HOME: "/x" })).toBe("/c");
    expect(cacheFolder({ XDG_CACHE_HOME: "/x" })).toBe("/x/tessera");
    expect(cacheFolder({})).toMatch(/\.cache\/tessera$/);
  });
});

describe("a Node from the cache", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  function cacheWith(version: string, says: string): NodeJS.ProcessEnv {
    const folder = mkdtempSync(join(tmpdir(), "tessera-node-"));
    folders.push(folder);
    const bin = join(folder, "node", version, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "node"), `#!/bin/sh\necho ${says}\n`);
    chmodSync(join(bin, "node"), 0o755);
    return { TESSERA_CACHE: folder };
  }

  it("is used when it is the version asked for", () => {
    const env = cacheWith("22.0.0", "v22.0.0");
    expect(fetchNode("22.0.0", env)).toEqual({ path: expect.stringContaining("22.0.0/bin/node") });
  });

  it("is not trusted when it says otherwise", () => {
    const env = cacheWith("22.0.0", "v18.0.0");
    expect(fetchNode("22.0.0", env)).toEqual({ missing: expect.stringContaining("does not run") });
  });
});
