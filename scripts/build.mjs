// Builds dist/: the library and CLI as unbundled ES modules with types, and the same CLI as one
// file (dist/bundle/tessera.mjs) for container images and machines without node_modules.
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root, run, tool } from "./lib/ensure.mjs";

// Built beside the old one and swapped in at the end: a failed build leaves what was there.
const dist = join(root, `dist.building-${process.pid}`);
process.on("exit", () => rmSync(dist, { recursive: true, force: true }));
run(process.execPath, [tool("typescript", "bin", "tsc"), "-p", "tsconfig.build.json", "--outDir", dist]);
chmodSync(join(dist, "cli", "main.js"), 0o755);
await bundle();
await publishConfigSchema();
swapIn();

async function bundle() {
  await build({
    entryPoints: [join(root, "src", "cli", "main.ts")],
    outfile: join(dist, "bundle", "tessera.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["libsql", "koffi", "pg-native"],
    logLevel: "error",
    legalComments: "linked",
    // CommonJS dependencies inside an ES module bundle still ask for require.
    banner: {
      js: 'import { createRequire as tesseraRequire } from "node:module"; const require = tesseraRequire(import.meta.url);',
    },
  });
}

async function publishConfigSchema() {
  const module = pathToFileURL(join(dist, "platform", "config", "json-schema.js")).href;
  const { configJsonSchema } = await import(module);
  writeFileSync(join(dist, "config.schema.json"), `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
}

function swapIn() {
  const current = join(root, "dist");
  const previous = join(root, `dist.previous-${process.pid}`);
  if (existsSync(current)) renameSync(current, previous);
  renameSync(dist, current);
  rmSync(previous, { recursive: true, force: true });
}
