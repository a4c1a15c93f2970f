// Runs a TypeScript program of this repository on any supported Node:
//   node scripts/ts.mjs [--built] FILE.ts [arguments]
// --built first brings dist/ up to date, for programs that use the built CLI.
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, ensureNode, fail, isAlive, root } from "./lib/ensure.mjs";

const given = process.argv.slice(2);
const built = given[0] === "--built";
const [file, ...args] = built ? given.slice(1) : given;
if (file === undefined) fail("usage: node scripts/ts.mjs [--built] FILE.ts [arguments]");
ensureNode();
ensureInstalled();
if (built) ensureBuilt();

const source = resolve(root, file);
const outFolder = join(root, "node_modules", ".cache", "tessera");
const outfile = join(outFolder, `${outName(source)}.${process.pid}.mjs`);
mkdirSync(outFolder, { recursive: true });
sweep(outFolder);
process.on("exit", () => rmSync(outfile, { force: true }));
// The code runs from the cache folder; each module is told where its own source is.
const ownPlace = {
  name: "own-place",
  setup(build) {
    build.onLoad({ filter: /\.(ts|mts|mjs)$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes("import.meta.")) return undefined;
      const contents = text
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.filename", JSON.stringify(path))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: path.endsWith("ts") ? "ts" : "js" };
    });
  },
};
// Examples name the package as its users do; it is found as the package's exports say.
const ownPackage = {
  name: "own-package",
  setup(build) {
    build.onResolve({ filter: /^tessera-qa(\/|$)/ }, ({ path }) => ({
      path: pathToFileURL(createRequire(join(root, "package.json")).resolve(path)).href,
      external: true,
    }));
  },
};
await compile();
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], basename(source), ...args];
await import(pathToFileURL(outfile).href);

async function compile() {
  const { build } = await import("esbuild");
  try {
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      packages: "external",
      sourcemap: "inline",
      logLevel: "error",
      plugins: [ownPlace, ownPackage],
    });
  } catch {
    // esbuild has already said what is wrong and where.
    process.exit(2);
  }
}

/** A name per process: two runs of one program must not overwrite each other's code. */
function outName(path) {
  return relative(root, path)
    .replace(/\.ts$/, "")
    .replaceAll(/[^\w-]+/g, "_");
}

/** Removes what runs that were killed left behind. */
function sweep(folder) {
  for (const name of readdirSync(folder)) {
    const pid = Number(/\.(\d+)\.mjs$/.exec(name)?.[1]);
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(folder, name), { force: true });
  }
}
