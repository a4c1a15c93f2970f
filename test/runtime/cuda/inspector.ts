import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";

const run = promisify(execFile);

/** The program that answers inspections, as one file. Without the FFI it cannot load anything. */
export async function buildInspector(
  folder: string,
  options: { readonly ffi: boolean },
): Promise<string> {
  const outfile = join(folder, options.ffi ? "inspector.mjs" : "inspector-without-ffi.mjs");
  const answer = resolve("src/runtime/cuda/answer-inspection.ts");
  await build({
    stdin: {
      contents: `import { answerInspection } from ${JSON.stringify(answer)};
await answerInspection(process.env, process.stdout);`,
      resolveDir: process.cwd(),
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    plugins: [koffiFrom(options.ffi ? resolve("node_modules/koffi/index.js") : undefined)],
  });
  return outfile;
}

/** Leaves koffi outside the bundle: at its place here, or nowhere. */
function koffiFrom(path: string | undefined): Plugin {
  return {
    name: "koffi",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^koffi$/ }, () => ({
        path: path === undefined ? "koffi-is-not-installed" : pathToFileURL(path).href,
        external: true,
      }));
    },
  };
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
