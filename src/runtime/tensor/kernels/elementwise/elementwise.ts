import assert from "node:assert/strict";
import { defaultEngine, type KernelEngine } from "../engine.ts";
import { runOnThreads } from "../threads/run-on-threads.ts";
import { elementwiseJobs } from "./elementwise-jobs.ts";
import { elementwiseInTypeScript } from "./elementwise-twin.ts";
import type { PairOperation } from "./kernels.ts";
import type { ElementwiseWork } from "./work.ts";

export interface ElementwiseOptions {
  readonly a: Float32Array;
  /** May be `a`, when the ranges are the same or do not overlap. */
  readonly out: Float32Array;
  /** How many elements. */
  readonly count: number;
  /** The first element of each. @default 0 */
  readonly aStart?: number;
  readonly outStart?: number;
  /** @default what `defaultEngine` says, and TypeScript for few elements */
  readonly engine?: KernelEngine;
  /** At most so many threads; arrays that are not shared leave one. @default 2, 1 for few elements */
  readonly threads?: number;
}

export interface PairOptions extends ElementwiseOptions {
  readonly b: Float32Array;
  /** @default 0 */
  readonly bStart?: number;
}

// Below the first, copying costs more than it saves; below the second, waking a thread does.
const wasmFromElements = 2 ** 13;
const threadsFromElements = 2 ** 18;

/** out = a + b; like all of these one rounding to f32, and NaN is stored as 0x7fc00000. */
export function addF32(options: PairOptions): void {
  pair("add", options);
}

/** out = a - b. */
export function subF32(options: PairOptions): void {
  pair("sub", options);
}

/** out = a b, element by element. */
export function mulF32(options: PairOptions): void {
  pair("mul", options);
}

/** out = a / b, element by element. */
export function divF32(options: PairOptions): void {
  pair("div", options);
}

/** out = a times a factor, which is rounded to f32 first. */
export function scaleF32(options: ElementwiseOptions & { readonly factor: number }): void {
  compute({ ...workOf(options), operation: "scale", factor: options.factor }, options);
}

/** out = a where a is above 0, NaN where a is, else +0. */
export function reluF32(options: ElementwiseOptions): void {
  compute({ ...workOf(options), operation: "relu" }, options);
}

function pair(operation: PairOperation, options: PairOptions): void {
  const { inputs, ...work } = workOf(options);
  const second = { array: options.b, start: options.bStart ?? 0 };
  compute({ ...work, operation, inputs: [...inputs, second] }, options);
}

function workOf(o: ElementwiseOptions): Omit<ElementwiseWork, "operation"> {
  const inputs = [{ array: o.a, start: o.aStart ?? 0 }];
  return { inputs, out: { array: o.out, start: o.outStart ?? 0 }, count: o.count, factor: 1 };
}

function compute(
  work: ElementwiseWork,
  { engine, threads }: Pick<ElementwiseOptions, "engine" | "threads">,
): void {
  const { count } = work;
  assert(Number.isSafeInteger(count) && count >= 0, "a count is a whole number from 0");
  for (const { array, start } of [...work.inputs, work.out]) {
    assert(Number.isSafeInteger(start) && start >= 0, "a start is a whole number from 0");
    assert(start + count <= array.length, "every array has the elements it is asked for");
  }
  const chosen = engine ?? (count < wasmFromElements ? "typescript" : defaultEngine());
  if (chosen === "typescript") {
    elementwiseInTypeScript(work);
    return;
  }
  const threadsMax = threads ?? (count < threadsFromElements ? 1 : undefined);
  runOnThreads(elementwiseJobs(work), threadsMax === undefined ? {} : { threads: threadsMax });
}
