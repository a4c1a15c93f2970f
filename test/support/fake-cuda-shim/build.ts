import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { missing } from "../missing.ts";

/** A driver and a runtime without a GPU, the shim, and programs that call them. */
export interface ShimStubs {
  readonly folder: string;
  /** The shim, built from native/cuda-fault as it is now. */
  readonly library: string;
  /** Makes the calls that it reads from its input: native/caller.c. */
  readonly caller: string;
  /** Times calls: native/timer.c. */
  readonly timer: string;
  /** Prints the layout of the control block: native/layout.c. */
  readonly layout: string;
  /** A program that is not linked with CUDA: native/visitor.c. */
  readonly visitor: string;
  /** The path of one of {@link pieces}. */
  readonly piece: (name: PieceName) => string;
}

/** Libraries that a test loads or preloads, each of a source with a macro. */
const pieces = {
  "wrap-mmap.so": ["interposer.c", "WRAP_MMAP"],
  "wrap-open.so": ["interposer.c", "WRAP_OPEN"],
  "wrap-clock.so": ["interposer.c", "WRAP_CLOCK"],
  "wrap-and-ask.so": ["interposer.c", "WRAP_AND_ASK"],
  "module.so": ["module.c", "NO_CUDA"],
  "own-cuda.so": ["module.c", "OWN_CUDA"],
  "ld-musl-x86_64.so.1": ["other-libc.c", "AS_MUSL"],
  "libc.musl-x86_64.so.1": ["other-libc.c", "AS_MUSL"],
  "libmine.so.1": ["other-libc.c", "AS_NONE"],
} as const;

export type PieceName = keyof typeof pieces;

const run = promisify(execFile);
const here = join(import.meta.dirname, "native");
const root = resolve(import.meta.dirname, "..", "..", "..");
const shimSources = join(root, "native", "cuda-fault");
const strict = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"];

/** Why there are no stubs here, for the title of a test; empty when there are. */
export const noStubs: string =
  process.platform === "linux" ? missing("cc") : " (skipped: the shim is for Linux)";

/** Builds the stubs and the shim, or takes those that were built before from the same sources. */
export async function buildShimStubs(): Promise<ShimStubs> {
  const parent = join(tmpdir(), `tessera-shim-stubs-${userInfo().uid}`);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = join(parent, await sourceKey());
  if (!existsSync(folder)) await buildInto(parent, folder);
  return {
    folder,
    library: join(folder, process.arch, "libtessera-cuda-fault.so"),
    caller: join(folder, "caller"),
    timer: join(folder, "timer"),
    layout: join(folder, "layout"),
    visitor: join(folder, "visitor"),
    piece: (name) => join(folder, name),
  };
}

async function sourceKey(): Promise<string> {
  const hash = createHash("sha256").update((await run("cc", ["--version"])).stdout);
  for (const folder of [here, shimSources]) {
    for (const entry of (await readdir(folder, { withFileTypes: true })).filter((e) =>
      e.isFile(),
    )) {
      hash.update(entry.name).update(await readFile(join(folder, entry.name)));
    }
  }
  return hash
    .update(await readFile(join(root, "scripts", "native.mjs")))
    .digest("hex")
    .slice(0, 16);
}

/** In a folder of its own, then renamed: nobody sees half of it. */
async function buildInto(parent: string, folder: string): Promise<void> {
  const work = await mkdtemp(join(parent, "building-"));
  try {
    await run(process.execPath, [join(root, "scripts", "native.mjs"), work]);
    await compile(work, "libcuda.so.1", ["stub-driver.c"], []);
    await compile(work, "libcudart.so.13", ["stub-runtime.c"], ["libcuda.so.1"]);
    for (const name of ["caller", "timer"]) {
      await compile(work, name, [`${name}.c`], ["libcudart.so.13", "libcuda.so.1"]);
    }
    await compile(work, "visitor", ["visitor.c"], []);
    for (const [name, [source, macro]] of Object.entries(pieces)) {
      const flags = ["-shared", "-fPIC", `-D${macro}`, `-Wl,-soname,${name}`];
      await run("cc", [...strict, ...flags, join(here, source), "-o", join(work, name)]);
    }
    const layout = ["-I", shimSources, join(here, "layout.c"), "-o", join(work, "layout")];
    await run("cc", [...strict, ...layout]);
    await rename(work, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function compile(
  work: string,
  name: string,
  sources: readonly string[],
  needs: readonly string[],
): Promise<void> {
  // As in the real ones, what they call of their own cannot be taken over.
  const shared = name.includes(".so")
    ? ["-shared", "-fPIC", "-Wl,-Bsymbolic", `-Wl,-soname,${name}`]
    : [];
  const files = [
    ...sources.map((source) => join(here, source)),
    ...needs.map((n) => join(work, n)),
  ];
  const link = ["-Wl,-rpath,$ORIGIN", "-lpthread", "-ldl", "-o", join(work, name)];
  await run("cc", [...strict, "-O2", ...shared, ...files, ...link]);
}
