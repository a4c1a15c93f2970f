import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import { afterAll } from "vitest";

const repository = join(import.meta.dirname, "..", "..", "..", "..");
const programs = join(import.meta.dirname, "..", "programs");

export interface Program {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves when the process has ended and all it wrote was read. */
  readonly result: Promise<{
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

let built: Promise<string> | undefined;

/** Starts a program of the folder `programs` as a process of its own. */
export async function startProgram(name: string, args: readonly string[]): Promise<Program> {
  built ??= buildPrograms();
  const folder = await built;
  const child = spawn(process.execPath, [join(folder, `${name}.mjs`), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      written[stream] += text;
    });
  }
  const result = new Promise<Awaited<Program["result"]>>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...written }));
  });
  return { child, result };
}

async function buildPrograms(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tessera-programs-"));
  removeAfterwards.push(folder);
  // The engines' packages stay where they are: libsql brings a native library.
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  await build({
    entryPoints: [join(programs, "open-store.ts"), join(programs, "write-pairs.ts")],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    external: ["libsql", "pg"],
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return folder;
}

const removeAfterwards: string[] = [];
afterAll(async () => {
  for (const folder of removeAfterwards) await rm(folder, { recursive: true, force: true });
});
