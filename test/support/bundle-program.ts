import { join } from "node:path";
import { build } from "esbuild";

const repository = join(import.meta.dirname, "..", "..");

/**
 * Makes a program that runs on plain Node out of TypeScript that imports this repository's sources,
 * for tests that need a process of their own.
 *
 * @param source with imports relative to the repository: `./src/platform/files/index.ts`.
 * @returns the path of the program, inside `folder`.
 */
export async function bundleProgram(folder: string, name: string, source: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: repository, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outfile,
    logLevel: "silent",
    // CommonJS dependencies inside an ES module bundle still ask for require.
    banner: {
      js: 'import { createRequire as tesseraRequire } from "node:module"; const require = tesseraRequire(import.meta.url);',
    },
  });
  return outfile;
}
