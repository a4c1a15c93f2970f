import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { root, tool } from "../../scripts/lib/repository.ts";
import { packedFiles } from "./packed-files.ts";

const entrySchema = z.union([z.string(), z.object({ types: z.string(), default: z.string() })]);
const manifest = z
  .object({
    name: z.string(),
    version: z.string(),
    bin: z.record(z.string(), z.string()),
    exports: z.record(z.string(), entrySchema),
    dependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

/** Names a user imports: `tessera-qa`, `tessera-qa/platform`. */
const modules = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === "object")
  .map(([entry]) => join(manifest.name, entry));

if (!existsSync(join(root, "dist"))) throw new Error("dist/ is missing: run npm run build");

describe("the published package", () => {
  let paths: readonly string[] = [];
  let executable: readonly string[] = [];

  beforeAll(() => {
    const files = packedFiles();
    paths = files.map(({ path }) => path);
    executable = files.filter(({ mode }) => mode & 0o100).map(({ path }) => path);
  });

  it("holds the build, the documents with what they link to, and the licence", () => {
    const expected = [
      "package.json",
      "LICENSE",
      "README.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "SECURITY.md",
      "docs/architecture.md",
      "examples/hardware/lost-gpu.test.ts",
      "images/node/Dockerfile",
      "integrations/github/action.yml",
    ];
    expect(paths).toEqual(expect.arrayContaining([...expected, "dist/bundle/tessera.mjs"]));
  });

  it("holds nothing else: no sources, tests, scripts or stamps of the build", () => {
    const known =
      /^((bench\/results|charts|deploy|dist|docs|examples|images|integrations)\/|package\.json$|LICENSE$|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$)/;
    expect(paths.filter((path) => !known.test(path))).toEqual([]);
    // Examples are sources for users to copy, one of them a test.
    const own = paths.filter((path) => !path.startsWith("examples/"));
    expect(own.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
    expect(own.filter((path) => /(^|\/)\.(?!helmignore$)|\.test\./.test(path))).toEqual([]);
  });

  it("holds every file that an entry point or a command names", () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === "string" ? [target] : [target.types, target.default],
    );
    const named = [...targets, ...Object.values(manifest.bin)];
    expect(paths).toEqual(expect.arrayContaining(named.map((path) => path.replace("./", ""))));
  });

  it("has commands that can be executed", () => {
    expect(executable).toEqual(expect.arrayContaining(Object.values(manifest.bin)));
    for (const path of Object.values(manifest.bin)) {
      expect(readFileSync(join(root, path), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });
});

describe("an entry point", () => {
  const forVitest = `${manifest.name}/hardware/vitest`;

  it("for Vitest can be imported by its name in a test, and nowhere else", async () => {
    expect(modules).toContain(forVitest);
    expect(await import(/* @vite-ignore */ forVitest)).toHaveProperty("hardwareTest");
    const args = ["--input-type=module", "-e", `import "${forVitest}";`];
    const result = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    expect(result.stderr).toContain('"vitest" is imported directly without running "vitest"');
  });

  it.each(modules.filter((name) => name !== forVitest))(
    "%s can be imported by its name",
    (name) => {
      const code = `import * as it from "${name}"; console.log(Object.keys(it).length);`;
      const args = ["--input-type=module", "-e", code];
      const result = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
      expect(result.stderr).toBe("");
      expect(Number(result.stdout)).toBeGreaterThan(0);
    },
  );

  it("outside the list cannot be imported", () => {
    const code = `await import("${manifest.name}/dist/cli/main.js")`;
    const args = ["--input-type=module", "-e", code];
    const result = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    expect(result.stderr).toContain("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });
});

describe("a project that uses the package", () => {
  let folder = "";

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tessera-consumer-"));
    mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
    symlinkSync(root, join(folder, "node_modules", manifest.name));
    symlinkSync(tool("@types", "node"), join(folder, "node_modules", "@types", "node"));
    const compilerOptions = {
      module: "nodenext",
      target: "es2023",
      strict: true,
      noEmit: true,
      types: ["node"],
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["a.ts"] }),
    );
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function compile(source: string) {
    writeFileSync(join(folder, "a.ts"), source);
    return spawnSync(process.execPath, [tool("typescript", "bin", "tsc"), "-p", folder], {
      encoding: "utf8",
    });
  }

  it("sees the types of every entry point", () => {
    const imports = modules.map((name, index) => `import * as m${index} from "${name}";`);
    const uses = modules.map((_, index) => `m${index}`);
    const result = compile(`${imports.join("\n")}\nconsole.log(${uses.join(", ")});\n`);
    expect(result.stdout).toBe("");
  });

  it("is told about a name that does not exist", () => {
    const result = compile(
      `import { nothingLikeThis } from "${manifest.name}";\nnothingLikeThis();\n`,
    );
    expect(result.stdout).toContain("nothingLikeThis");
  });
});
