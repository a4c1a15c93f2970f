// Runs a TypeScript program of this repository on any supported Node:
//   node scripts/ts.mjs [--built] FILE.ts [arguments]
// --built first brings dist/ up to date, for programs that use the built CLI.
import { mkdirSync, rmSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, ensureNode, fail, root } from "./lib/ensure.mjs";

const given = process.argv.slice(2);
const built = given[0] === "--built";
const [file, ...args] = built ? given.slice(1) : given;
if (file === undefined) fail("usage: node scripts/ts.mjs [--built] FILE.ts [arguments]");
ensureNode();
ensureInstalled();
if (built) ensureBuilt();

const { buildSync } = await import("esbuild");
const source = resolve(root, file);
const outFolder = join(root, "node_modules", ".cache", "tessera");
mkdirSync(outFolder, { recursive: true });
const name = relative(root, source).replaceAll("/", "__").replace(/\.ts$/, "");
// A name per process: two runs of one program must not overwrite each other's code.
const outfile = join(outFolder, `${name}.${process.pid}.mjs`);
buildSync({
  entryPoints: [source],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "error",
  // The code runs from the cache folder; paths are given from the repository's root.
  define: { "import.meta.dirname": JSON.stringify(join(source, "..")) },
});
process.on("exit", () => rmSync(outfile, { force: true }));
process.argv = [process.argv[0], basename(source), ...args];
await import(pathToFileURL(outfile).href);
