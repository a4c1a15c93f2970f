import type { Job } from "./job.ts";
import { type RunOptions, ThreadPool } from "./thread-pool.ts";

// One pool for the process: its helpers and their memories are shared by all kernels.
const pool = new ThreadPool();

/** Runs jobs on the caller's thread and on helpers, and returns when all are done: `ThreadPool.run`. */
export function runOnThreads(
  jobs: readonly Job[],
  options?: RunOptions,
): { readonly threads: number } {
  return pool.run(jobs, options);
}
