import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { imageConfig, writeDockerArchive } from "../images/docker-archive.ts";
import { foldersOf } from "../images/tessera.ts";
import { programPath } from "../machine/programs.ts";

describe("the docker archive", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tessera-image-"));
  });
  // The suite also runs where PATH has Node and npm only.
  const untar = (args: readonly string[]) =>
    execFileSync("tar", args, { cwd: folder, env: { PATH: programPath() } });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("names its layer by the digest of the layer's own bytes", () => {
    const content = Buffer.from("hello");
    writeDockerArchive(join(folder, "image.tar"), {
      tag: "docker.io/library/x:test",
      entries: [{ type: "file", path: "hello", mode: 0o644, content }],
      command: ["/hello"],
      env: { A: "1" },
      workingDir: "/",
    });
    untar(["-xf", "image.tar"]);
    const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as unknown;
    const layer = readFileSync(join(folder, "layer.tar"));
    const digest = `sha256:${createHash("sha256").update(layer).digest("hex")}`;
    expect(read("manifest.json")).toEqual([
      { Config: "config.json", RepoTags: ["docker.io/library/x:test"], Layers: ["layer.tar"] },
    ]);
    expect(read("config.json")).toMatchObject({
      os: "linux",
      config: { Env: ["A=1"], Cmd: ["/hello"], WorkingDir: "/" },
      rootfs: { diff_ids: [digest] },
    });
    untar(["-xf", "layer.tar"]);
    expect(readFileSync(join(folder, "hello"))).toEqual(content);
  });

  it("leaves out of the configuration what was not given", () => {
    expect(imageConfig({ tag: "x", entries: [] }, "sha256:0")).toHaveProperty("config", {
      Env: [],
    });
  });

  it("has every folder above a file before it", () => {
    const content = Buffer.alloc(0);
    const folders = foldersOf([{ type: "file", path: "a/b/c", mode: 0o644, content }]);
    expect(folders.map(({ path }) => path)).toEqual(["a", "a/b", "tmp"]);
  });
});
