import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where the fake libraries lie. */
export interface FakeCuda {
  readonly folder: string;
  /** What a child process needs to use them and nothing else. */
  readonly env: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const native = join(import.meta.dirname, "native");
const keptMs = 3 * 24 * 3600 * 1000;
const lockMs = 100_000;

interface Library {
  readonly soname: string;
  readonly sources: readonly string[];
  /** Libraries it needs, built before. */
  readonly needs?: readonly string[];
  /** Whether it computes enough for the compiler to try hard. */
  readonly fast?: boolean;
}

const libraries: readonly (readonly Library[])[] = [
  [
    {
      soname: "libcuda.so.1",
      sources: [
        "driver-device.cc",
        "driver-memory.cc",
        "driver-module.cc",
        "driver-state.cc",
        "driver-stream.cc",
        "fibers.cc",
      ],
    },
    { soname: "libnvrtc.so.13", sources: ["nvrtc.cc", "kernel-text.cc"] },
    { soname: "libnvidia-ml.so.1", sources: ["nvml.cc"] },
  ],
  [
    { soname: "libcublas.so.13", sources: ["cublas.cc"], needs: ["libcuda.so.1"], fast: true },
    { soname: "libcublasLt.so.13", sources: ["cublas-lt.cc"], needs: ["libcuda.so.1"], fast: true },
    { soname: "libnccl.so.2", sources: ["nccl.cc"], needs: ["libcuda.so.1"] },
  ],
];

/**
 * Builds the fake libraries, or takes those that were built before from the same sources. They lie
 * under the system's folder for temporary files; old ones are removed there.
 */
export async function buildFakeCuda(): Promise<FakeCuda | { readonly reason: string }> {
  if (process.platform !== "linux") return { reason: `no fake GPU on ${process.platform}` };
  const compiler = await compilerVersion();
  if (compiler === undefined) return { reason: "no g++ here to build a fake GPU" };
  const root = join(tmpdir(), `tessera-fake-cuda-${userInfo().uid}`);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const folder = join(root, await sourceKey(compiler));
  if (!existsSync(folder)) await buildOnce(root, folder);
  await utimes(folder, new Date(), new Date());
  return { folder, env: { TESSERA_CUDA_LIBRARY_PATH: folder } };
}

async function compilerVersion(): Promise<string | undefined> {
  try {
    return (await run("g++", ["-dumpfullversion", "-dumpmachine"])).stdout;
  } catch {
    return undefined;
  }
}

async function sourceKey(compiler: string): Promise<string> {
  const hash = createHash("sha256").update(compiler).update(JSON.stringify(libraries));
  for (const name of (await readdir(native)).toSorted()) {
    hash.update(name).update(await readFile(join(native, name)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** One of the processes that find nothing builds, the others wait for it. */
async function buildOnce(root: string, folder: string): Promise<void> {
  const lock = `${folder}.lock`;
  const giveUpMs = Date.now() + lockMs;
  for (;;) {
    const locked = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (existsSync(folder)) {
      if (locked) await rm(lock, { recursive: true, force: true });
      return;
    }
    // A process that was killed leaves its lock behind.
    if (locked || Date.now() > giveUpMs) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    await sweep(root);
    await build(root, folder);
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** Into a folder of its own, then renamed: nobody sees half of it. */
async function build(root: string, folder: string): Promise<void> {
  const work = await mkdtemp(join(root, "building-"));
  try {
    await mkdir(join(work, "kernels"));
    for (const header of ["kernel-abi.h", "kernel-math.h", "kernel-prelude.h"]) {
      await copyFile(join(native, header), join(work, header));
    }
    for (const group of libraries) {
      await Promise.all(group.map((library) => compile(library, work)));
    }
    await rename(work, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** All sources of a library at once, which reads the headers once. */
async function compile(library: Library, work: string): Promise<void> {
  const { soname, sources, needs = [], fast = false } = library;
  const all = join(work, `${soname}.cc`);
  await writeFile(all, sources.map((source) => `#include "${source}"\n`).join(""));
  const flags = ["-std=c++17", fast ? "-O3" : "-O1", "-shared", "-fPIC", "-fvisibility=hidden"];
  const link = [`-Wl,-soname,${soname}`, "-Wl,-rpath,$ORIGIN", "-pthread", "-ldl"];
  const needed = needs.map((name) => join(work, name));
  await run("g++", [...flags, `-I${native}`, all, ...needed, ...link, "-o", join(work, soname)]);
  await rm(all);
}

/** Removes what other versions of the sources left, unless it was used lately. */
async function sweep(root: string): Promise<void> {
  const oldest = Date.now() - keptMs;
  for (const name of await readdir(root)) {
    const path = join(root, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < oldest)
      await rm(path, { recursive: true, force: true });
  }
}
