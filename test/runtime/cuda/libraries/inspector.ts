import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const run = promisify(execFile);

/** The program that answers inspections, as one file. Without the FFI it cannot load anything. */
export async function buildInspector(
  folder: string,
  options: { readonly ffi: boolean },
): Promise<string> {
  const home = join(folder, options.ffi ? "with-ffi" : "without-ffi");
  const packages = join(home, "node_modules");
  await mkdir(packages, { recursive: true });
  // Beside the program is where it looks for the optional package.
  if (options.ffi) await symlink(resolve("node_modules/koffi"), join(packages, "koffi"));
  const outfile = join(home, "inspector.mjs");
  const answer = resolve("src/runtime/cuda/libraries/answer-inspection.ts");
  await build({
    stdin: {
      contents: `import { answerInspection } from ${JSON.stringify(answer)};
answerInspection(process.env, process.stdout);`,
      resolveDir: process.cwd(),
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  return outfile;
}

/** Whether there is a C compiler to make libraries with. */
export async function hasCompiler(): Promise<boolean> {
  try {
    await run("cc", ["--version"]);
    return true;
  } catch {
    return false;
  }
}

/** Compiles a shared library. */
export async function compileLibrary(
  folder: string,
  soname: string,
  source: string,
  options: { readonly needs?: string } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${soname}.c`);
  await writeFile(file, source);
  const needs = options.needs === undefined ? [] : [join(folder, options.needs)];
  const output = ["-shared", "-fPIC", `-Wl,-soname,${soname}`, "-o", join(folder, soname)];
  await run("cc", [...output, file, ...needs]);
}
