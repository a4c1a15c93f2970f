// Compiles native/cuda-fault, the shim that makes CUDA calls fail on purpose, into a folder:
// <folder>/<arch>/libtessera-cuda-fault.so. `node scripts/native.mjs FOLDER`, and part of the build.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const sources = join(dirname(fileURLToPath(import.meta.url)), "..", "native", "cuda-fault");
const library = "libtessera-cuda-fault.so";
const arches = ["x64", "arm64"];

const flags = [
  "-std=c11",
  "-O2",
  "-fPIC",
  "-shared",
  "-fvisibility=hidden",
  "-Wall",
  "-Wextra",
  "-Werror",
  "-Wl,-z,now,-z,noexecstack,-z,defs",
  `-Wl,-soname,${library}`,
  "-s",
];

/**
 * @param {string} folder where the folder of this processor is made
 * @returns {string | undefined} why there is no library; undefined when there is one
 */
export function buildNative(folder) {
  if (process.platform !== "linux" || !arches.includes(process.arch))
    return `the CUDA shim is for Linux on ${arches.join(" and ")} only`;
  const compiler = process.env.CC ?? "cc";
  if (spawnSync(compiler, ["--version"], { stdio: "ignore" }).error)
    return `no C compiler here (${compiler}): the CUDA shim is not built`;
  const out = join(folder, process.arch);
  mkdirSync(out, { recursive: true });
  const temporary = join(out, `.${library}.${process.pid}`);
  const files = readdirSync(sources)
    .filter((name) => /\.[cS]$/.test(name))
    .toSorted();
  const args = [...flags, "-o", temporary, ...files];
  try {
    const { status, stderr } = spawnSync(compiler, args, { cwd: sources, encoding: "utf8" });
    if (status !== 0) throw new Error(`${compiler} cannot build the CUDA shim:\n${stderr}`);
    renameSync(temporary, join(out, library));
  } finally {
    rmSync(temporary, { force: true });
  }
  return undefined;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problem = buildNative(resolve(process.argv[2] ?? join("dist", "native")));
  if (problem !== undefined) {
    process.stderr.write(`tessera: ${problem}\n`);
    process.exitCode = 2;
  }
}
