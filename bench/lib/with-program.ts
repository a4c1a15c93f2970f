import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/lib/repository.ts";
import { runProcess } from "../../src/platform/process/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { buildProgram } from "./build-program.ts";

const clock = createRealClock();
const timeoutMs = 1_200_000;

/** A program that a benchmark measures in processes of its own, each of which prints one JSON value. */
export interface MeasuredProgram {
  /** Where it lies; files put beside it go with it. */
  readonly folder: string;
  /** @param nodeArgs what Node itself is told */
  run(args: readonly string[], nodeArgs?: readonly string[]): Promise<unknown>;
}

/** Builds a program, lends it, and removes it. */
export async function withProgram<T>(
  source: string,
  work: (program: MeasuredProgram) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(root, "node_modules", ".cache", "bench-"));
  try {
    const path = join(folder, "program.mjs");
    await buildProgram(source, path);
    return await work({
      folder,
      run: async (args, nodeArgs = []) => {
        const all = [...nodeArgs, path, ...args];
        const done = await runProcess(process.execPath, all, { clock, timeoutMs });
        assert.equal(done.exitCode, 0, done.stderr);
        return JSON.parse(done.stdout);
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
