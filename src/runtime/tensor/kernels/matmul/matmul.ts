import assert from "node:assert/strict";
import { defaultEngine } from "../engine.ts";
import { runOnThreads } from "../threads/run-on-threads.ts";
import { matmulJobs } from "./matmul-jobs.ts";
import { matmulInTypeScript } from "./matmul-twin.ts";
import type { MatmulOptions, MatmulProblem } from "./problem.ts";

// Below the first, copying costs more than it saves; below the second, waking a thread does.
const wasmFromProducts = 2 ** 13;
const threadsFromProducts = 2 ** 22;

/**
 * out = a b in f32. Every element is one chain of sums over k in ascending order from +0, product
 * and sum each rounded to f32 and never fused, so the bits depend on neither engine, blocks nor
 * threads. NaN is stored as the quiet NaN 0x7fc00000.
 */
export function matmulF32(options: MatmulOptions): void {
  const { engine, threads, ...given } = options;
  const problem: MatmulProblem = { aStart: 0, bStart: 0, outStart: 0, ...given };
  assertFits(problem);
  const products = problem.m * problem.k * problem.n;
  const chosen = engine ?? (products < wasmFromProducts ? "typescript" : defaultEngine());
  if (chosen === "typescript") {
    matmulInTypeScript(problem);
    return;
  }
  const threadsMax = threads ?? (products < threadsFromProducts ? 1 : undefined);
  const jobs = matmulJobs(problem, threadsMax ?? 2);
  runOnThreads(jobs, threadsMax === undefined ? {} : { threads: threadsMax });
}

function assertFits(o: MatmulProblem): void {
  for (const size of [o.m, o.k, o.n, o.aStart, o.bStart, o.outStart]) {
    assert(Number.isSafeInteger(size) && size >= 0, "sizes and starts are whole numbers from 0");
  }
  assert(o.aStart + o.m * o.k <= o.a.length, "a has m x k elements");
  assert(o.bStart + o.k * o.n <= o.b.length, "b has k x n elements");
  assert(o.outStart + o.m * o.n <= o.out.length, "out has m x n elements");
}
