import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseLdd } from "../images/libraries.ts";
import { packageClosure, packageFiles } from "../images/packages.ts";

describe("what an image needs", () => {
  it("finds libraries and the loader in the output of ldd, not the kernel's own", () => {
    const output = [
      "\tlinux-vdso.so.1 (0x00007f5a29db0000)",
      "\tlibdl.so.2 => /lib/x86_64-linux-gnu/libdl.so.2 (0x00007f5a29d9a000)",
      "\tlibgone.so => not found",
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f5a29db2000)",
      "",
    ].join("\n");
    expect(parseLdd(output)).toEqual([
      "/lib/x86_64-linux-gnu/libdl.so.2",
      "/lib64/ld-linux-x86-64.so.2",
    ]);
    expect(parseLdd("\tstatically linked\n")).toEqual([]);
  });
});

describe("the packages of an image", () => {
  let root: string;
  const write = (path: string, text = "") => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "tessera-packages-"));
    const a = { dependencies: { b: "1" }, optionalDependencies: { "n-musl": "1", absent: "1" } };
    write("node_modules/a/package.json", JSON.stringify(a));
    write("node_modules/a/index.js");
    write("node_modules/a/README.md");
    write("node_modules/a/native/musl/x.node");
    write(
      "node_modules/a/node_modules/b/package.json",
      JSON.stringify({ dependencies: { a: "1" } }),
    );
    write("node_modules/b/package.json", "{}");
    write("node_modules/n-musl/package.json", "{}");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("are those installed, the nearest copy first, without what the image cannot use", () => {
    expect(packageClosure(root, ["a"])).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/b",
    ]);
    expect(packageClosure(root, ["absent"])).toEqual([]);
  });

  it("come with the files that run, not with their documents or nested packages", () => {
    expect(packageFiles(root, "node_modules/a")).toEqual([
      "node_modules/a/index.js",
      "node_modules/a/package.json",
    ]);
  });
});
