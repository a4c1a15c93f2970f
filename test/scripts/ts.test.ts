import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/repository.ts";

let folder = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tessera-ts-")));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function runTs(source: string, args: readonly string[] = []) {
  const file = join(folder, "program.ts");
  writeFileSync(file, source);
  const runner = join(root, "scripts", "ts.mjs");
  return spawnSync(process.execPath, [runner, file, ...args], { encoding: "utf8" });
}

describe("scripts/ts.mjs", () => {
  it("runs TypeScript with its arguments and exit code", () => {
    const source =
      "const names: string[] = process.argv.slice(2); console.log(names); process.exit(7);";
    const result = runTs(source, ["a", "--b"]);
    expect(result.stdout).toBe("[ 'a', '--b' ]\n");
    expect(result.status).toBe(7);
  });

  it("finds the package by its own name", () => {
    const source = 'import { version } from "tessera-qa"; console.log(version);';
    const built = existsSync(join(root, "dist", "index.js"));
    expect(built, "dist/ is built before the tests run").toBe(true);
    expect(runTs(source).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("tells every module where its own source is", () => {
    mkdirSync(join(folder, "deep"));
    writeFileSync(join(folder, "deep", "own.ts"), "export const own = import.meta.dirname;");
    const source = 'import { own } from "./deep/own.ts"; console.log(import.meta.dirname, own);';
    expect(runTs(source).stdout).toBe(`${folder} ${join(folder, "deep")}\n`);
  });

  it("finds the packages of this repository", () => {
    expect(runTs('import { z } from "zod"; console.log(typeof z.object);').stdout).toBe(
      "function\n",
    );
  });

  it("says where a mistake is and ends with 2", () => {
    const result = runTs("const x: = 1;");
    expect(result.stderr).toContain("program.ts:1:9");
    expect(result.stderr).not.toContain("at async");
    expect(result.status).toBe(2);
  });

  it("shows errors at their place in the source", () => {
    const result = runTs("\n\nthrow new Error('here');\n");
    expect(result.stderr).toMatch(/program\.ts:3/);
    expect(result.status).toBe(1);
  });

  it("leaves nothing behind, also when it ends early", () => {
    runTs("process.exit(3);");
    const left = readdirSync(join(root, "node_modules", ".cache", "tessera"));
    const name = folder.slice(folder.lastIndexOf("/") + 1).replaceAll(/[^\w-]+/g, "_");
    expect(left.filter((file) => file.includes(name))).toEqual([]);
  });
});
