import assert from "node:assert/strict";
import { philox4x32 } from "../../../../platform/rng/philox.ts";
import { defaultEngine, type KernelEngine } from "../engine.ts";
import type { Job, Operand, Step } from "../threads/job.ts";
import { runOnThreads } from "../threads/run-on-threads.ts";
import type { RandomF32Kind } from "./emit-floats.ts";
import { philoxKernels } from "./kernels.ts";

export interface FillRandomOptions {
  /** The key of the stream, two 32-bit words. */
  readonly key: readonly [number, number];
  /** The upper half of its counter. */
  readonly counterHigh: readonly [number, number];
  /** The index of the first value in the stream. */
  readonly startIndex: number;
  readonly count: number;
  readonly out: Float32Array;
  /** Where the first value goes. @default 0 */
  readonly outStart?: number;
  /** @default what `defaultEngine` says */
  readonly engine?: KernelEngine;
  /** @default 2 when `out` is shared and there is enough to do, else 1 */
  readonly threads?: number;
}

/** Value i is the upper 24 bits of word i of the stream, times 2^-24: in [0, 1). */
export function fillUniformF32(options: FillRandomOptions): void {
  fill("uniform", options);
}

/** Value i is the upper 24 bits of word i, as a signed number, times 2^-23: in [-1, 1). */
export function fillSymmetricF32(options: FillRandomOptions): void {
  fill("symmetric", options);
}

// Blocks come in fours.
const group = 16;
const chunkValues = 16_384;
const jobValues = 64 * chunkValues;

function fill(kind: RandomF32Kind, options: FillRandomOptions): void {
  const { startIndex, count, out, outStart = 0, engine = defaultEngine() } = options;
  assert(Number.isSafeInteger(startIndex) && startIndex >= 0, "a start index from 0");
  assert(Number.isSafeInteger(startIndex + count) && count >= 0, "a count from 0");
  assert(outStart >= 0 && outStart + count <= out.length, "room for the values");
  if (engine === "typescript") {
    fillInTypeScript(kind, { ...options, outStart });
    return;
  }
  const jobs: Job[] = [];
  for (let done = 0; done < count; ) {
    // Jobs and chunks end where a chunk of the stream ends, so that only the first can be ragged.
    const untilEdge = jobValues - ((startIndex + done) % jobValues);
    const values = Math.min(untilEdge, count - done);
    jobs.push(
      jobOf(kind, {
        ...options,
        startIndex: startIndex + done,
        count: values,
        outStart: outStart + done,
      }),
    );
    done += values;
  }
  runOnThreads(jobs, options.threads === undefined ? {} : { threads: options.threads });
}

function jobOf(kind: RandomF32Kind, o: FillRandomOptions & { readonly outStart: number }): Job {
  const toEdge = (chunkValues - (o.startIndex % chunkValues)) % chunkValues;
  const first = Math.min(toEdge, o.count);
  const whole = Math.floor((o.count - first) / chunkValues);
  const rest = o.count - first - whole * chunkValues;
  const piece = (offset: number, values: number) =>
    values === 0 ? [] : fillSteps(kind, o, { offset, values, by: [] });
  return {
    buffers: [o.out.buffer],
    modules: [philoxKernels],
    memoryBytes: 4 * chunkValues,
    program: [
      ...piece(0, first),
      {
        kind: "repeat",
        count: whole,
        steps: fillSteps(kind, o, { offset: first, values: chunkValues, by: [chunkValues] }),
      },
      ...piece(first + whole * chunkValues, rest),
    ],
  };
}

/** Makes the values in memory, from the start of their group of blocks, and copies them out. */
function fillSteps(
  kind: RandomF32Kind,
  o: FillRandomOptions & { readonly outStart: number },
  piece: { readonly offset: number; readonly values: number; readonly by: readonly number[] },
): readonly Step[] {
  const index = o.startIndex + piece.offset;
  const lead = index % group;
  const firstIndex: Operand = { from: index - lead, by: piece.by };
  const made = Math.ceil((lead + piece.values) / group) * group;
  const args = [...o.key, ...o.counterHigh, firstIndex, 0, made];
  const start = o.out.byteOffset + 4 * (o.outStart + piece.offset);
  return [
    { kind: "call", module: philoxKernels.name, kernel: kind, args },
    {
      kind: "copyOut",
      buffer: 0,
      start: { from: start, by: piece.by.map((values) => 4 * values) },
      address: 4 * lead,
      sizeBytes: 4 * piece.values,
    },
  ];
}

function fillInTypeScript(
  kind: RandomF32Kind,
  o: FillRandomOptions & { readonly outStart: number },
): void {
  const two32 = 2 ** 32;
  let block: readonly number[] = [];
  for (let done = 0; done < o.count; done++) {
    const index = o.startIndex + done;
    if (done === 0 || index % 4 === 0) {
      const blockIndex = Math.floor(index / 4);
      const counter = [
        blockIndex % two32,
        Math.floor(blockIndex / two32),
        ...o.counterHigh,
      ] as const;
      block = philox4x32(counter, o.key);
    }
    const word = block[index % 4] ?? 0;
    o.out[o.outStart + done] =
      kind === "uniform" ? (word >>> 8) * 2 ** -24 : (word >> 8) * 2 ** -23;
  }
}
