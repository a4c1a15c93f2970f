// `npm run portable`: writes .portable/, a folder that runs the CLI on a Linux machine with nothing
// installed (GPU nodes, air-gapped sites): this machine's node binary, the one-file bundle, and the
// native modules it may load. Copy the folder there and run ./tessera; ./bench runs the benchmarks
// that need a GPU (bench/cuda), ./prove the tests of the core that need one, ./prove-shim those of the
// CUDA shim (python3 with PyTorch must be there).
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureReady, fail, root, say } from "./lib/ensure.mjs";

const nativePackages = [
  "koffi",
  "@koromix/koffi-linux-x64",
  "libsql",
  "@libsql/linux-x64-gnu",
  "@neon-rs/load",
  "detect-libc",
];

// What these packages carry for other uses: manuals, native sources, binaries for musl.
const left = /\/(doc|vendor|musl_x64)(\/|$)|\.(cc|hh|inc|S|asm)$/;

const launcher = (program) => `#!/bin/sh
# Unpacks node on first use, then runs the bundled program with it.
set -eu
# It may have been called by a link to it, such as one in /usr/local/bin.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
if [ ! -x "$here/node" ]; then
  xz -dc "$here/node.xz" > "$here/node.$$"
  chmod 755 "$here/node.$$"
  mv "$here/node.$$" "$here/node"
fi
exec "$here/node" ${program} "$@"
`;

const shimProver = `#!/bin/sh
# Shows on a real GPU what the CUDA shim does to PyTorch and to programs of our own.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec python3 -B "$here/shim-proof/prove.py" --library "$here/native/x64/libtessera-cuda-fault.so" \\
  --tessera "$here/tessera" "$@"
`;

if (process.platform !== "linux" || process.arch !== "x64") {
  fail("npm run portable packs for Linux on x64 and must run there.");
}
ensureReady();
const out = join(root, ".portable");
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
cpSync(join(root, "dist", "bundle", "tessera.mjs"), join(out, "tessera.mjs"));
for (const name of nativePackages) {
  const source = join(root, "node_modules", name);
  cpSync(source, join(out, "node_modules", name), {
    recursive: true,
    filter: (path) => !left.test(path.slice(source.length)),
  });
}
await bundle(join("bench", "cuda", "portable-program.ts"), "bench.mjs");
await bundle(join("test", "runtime", "cuda", "device", "programs", "prove-on-gpu.ts"), "prove.mjs");
packShim();
writeProgram("tessera", launcher('"$here/tessera.mjs"'));
writeProgram("bench", launcher(`"$here/bench.mjs"${commitOption()}`));
writeProgram("prove", launcher('"$here/prove.mjs"'));
say("compressing the node binary (about a minute)");
const packed = execFileSync("xz", ["-6", "-T0", "-c", process.execPath], { maxBuffer: 2 ** 29 });
writeFileSync(join(out, "node.xz"), packed);
// A native module that the folder lacks would be found here in the repository's node_modules and
// missed on the other machine, so the folder is tried from a place of its own.
const trial = mkdtempSync(join(tmpdir(), "tessera-portable-"));
try {
  cpSync(out, trial, { recursive: true });
  const load = 'await import("koffi"); await import("libsql");';
  writeFileSync(join(trial, "load.mjs"), load);
  execFileSync(process.execPath, [join(trial, "load.mjs")], { stdio: "inherit" });
  mkdirSync(join(trial, "bin"));
  symlinkSync(join(trial, "tessera"), join(trial, "bin", "tessera"));
  execFileSync(join(trial, "bin", "tessera"), ["--version"], { stdio: "inherit" });
  execFileSync(process.execPath, ["--check", join(trial, "bench.mjs")], { stdio: "inherit" });
} finally {
  rmSync(trial, { recursive: true, force: true });
}
say(".portable/ is ready: copy it and run ./tessera doctor");

async function bundle(source, name) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [join(root, source)],
    outfile: join(out, name),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["koffi"],
    logLevel: "error",
  });
}

function packShim() {
  const native = join(root, "dist", "native");
  if (!existsSync(native)) {
    say("without the CUDA shim: it was not built here");
    return;
  }
  cpSync(native, join(out, "native"), { recursive: true });
  cpSync(join(root, "native", "cuda-fault", "prove"), join(out, "shim-proof"), { recursive: true });
  writeProgram("prove-shim", shimProver);
}

function writeProgram(name, text) {
  writeFileSync(join(out, name), text);
  chmodSync(join(out, name), 0o755);
}

/** Results say which sources they are of; the other machine has no git to ask. */
function commitOption() {
  try {
    const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], options).trim();
    return ` --commit ${commit}`;
  } catch {
    return "";
  }
}
