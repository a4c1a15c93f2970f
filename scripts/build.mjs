// Builds dist/: the library and CLI as unbundled ES modules with types, and the same CLI as one
// file (dist/bundle/tessera.mjs) for container images and machines without node_modules; the dashboard
// (dist/web). Where there is a C compiler also the CUDA shim (dist/native).
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { build as buildWeb } from "vite";
import { isAlive, root, run, say, tool } from "./lib/ensure.mjs";
import { buildNative } from "./native.mjs";

// Built beside the old one and swapped in at the end: a failed build leaves what was there.
const dist = join(root, `dist.building-${process.pid}`);
process.on("exit", () => rmSync(dist, { recursive: true, force: true }));
sweep();
run(process.execPath, [
  tool("typescript", "bin", "tsc"),
  "-p",
  "tsconfig.build.json",
  "--outDir",
  dist,
]);
chmodSync(join(dist, "cli", "main.js"), 0o755);
await bundle();
await buildDashboard();
copyPresets();
const lacking = buildNative(join(dist, "native"));
if (lacking !== undefined) say(lacking);
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

async function buildDashboard() {
  await buildWeb({
    configFile: join(root, "web", "vite.config.ts"),
    build: { outDir: join(dist, "web") },
    logLevel: "warn",
  });
}

/** The experiment files that need nothing but Tessera, for the dashboard to start from. */
function copyPresets() {
  const examples = join(root, "examples", "chaos");
  const files = readdirSync(examples).filter((name) => name.endsWith(".yaml"));
  for (const name of files) cpSync(join(examples, name), join(dist, "presets", name));
}

async function publishConfigSchema() {
  const module = pathToFileURL(join(dist, "platform", "config", "json-schema.js")).href;
  const { configJsonSchema } = await import(module);
  writeFileSync(
    join(dist, "config.schema.json"),
    `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
  );
}

/** Puts the new dist/ in place of the old; another build may be doing the same at this moment. */
function swapIn() {
  const current = join(root, "dist");
  const previous = join(root, `dist.previous-${process.pid}`);
  const attemptsMax = 5;
  for (let attempt = 1; existsSync(dist); attempt++) {
    try {
      if (existsSync(current)) renameSync(current, previous);
      renameSync(dist, current);
    } catch (error) {
      if (attempt === attemptsMax) throw error;
    }
    rmSync(previous, { recursive: true, force: true });
  }
}

/** Removes what builds that were killed left behind. */
function sweep() {
  for (const name of readdirSync(root)) {
    const pid = /^dist\.(?:building|previous)-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(join(root, name), { recursive: true, force: true });
    }
  }
}
