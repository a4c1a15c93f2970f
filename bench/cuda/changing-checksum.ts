import type { CudaDevice } from "../../src/runtime/cuda/index.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";
import { createLane, createRoom, type Fault, type Lane } from "./changing-lane.ts";
import { alone, aloneWritten, isWhole, type Variant, variants } from "./changing-variants.ts";
import { gpuNote, measured, missingGpu, onGpu } from "./gpu.ts";

const extraPercentMax = 3;
const full = {
  side: 8192,
  rounds: 8,
  turn: { durationMs: 600, settleMs: 250, batch: 16 },
} as const;
const quickly = { side: 128, rounds: 2, turn: { durationMs: 20, settleMs: 1, batch: 1 } } as const;

export const bench: Bench = {
  name: "cuda/changing-checksum",
  description:
    "What it costs to verify every row of every product (8192 x 8192, bf16) whose factors are new each time, with four sets of random signs: several ways, each between two turns of products that nobody verifies. Three separate products by a vector cost 5.7 % in PyTorch on an H200.",
  requires: missingGpu,
  run: async ({ log, quick }) =>
    onGpu(async (device) => {
      const { side, rounds, turn } = quick ? quickly : full;
      using open = openLanes(device, side);
      const { lanes, bases } = open;
      // First, so that what does not work costs no time on the GPU.
      const planted = lanes.map(rehearseAll);
      const extras = lanes.map(({ variant }): Extra => ({ variant, percents: [] }));
      const aloneMs: number[] = [];
      // Kernels are loaded and the GPU is warm before anything counts.
      for (const lane of [bases.alone, bases.written, ...lanes]) await lane.run(turn);
      for (let round = 0; round < rounds; round++) {
        for (const [at, lane] of lanes.entries()) {
          const base = lane.variant.isWritten ? bases.written : bases.alone;
          const before = await base.run(turn);
          const verified = await lane.run(turn);
          const after = await base.run(turn);
          if (base === bases.alone) aloneMs.push(before, after);
          const extraMs = verified - (before + after) / 2;
          extras[at]?.percents.push((100 * extraMs) / median(aloneMs));
        }
        const last = extras.map(({ percents }) => percents.at(-1)?.toFixed(2));
        log(`round ${round + 1} of ${rounds}: ${last.join(", ")} % more time`);
      }
      for (const [at, { variant, check }] of lanes.entries()) {
        const wrong = (check?.result().wrongProducts ?? 0) - (planted[at] ?? 0);
        if (wrong !== 0) throw new Error(`${variant.name}: ${wrong} products were wrong`);
      }
      return {
        metrics: metricsOf(aloneMs, extras, { side, quick }),
        notes: [
          gpuNote(),
          "extra time: each turn against the mean of the turns before and after it, as a share of the product alone; the median of the rounds; the beginning of each turn does not count, because clocks follow the power that was drawn before",
          ...extras.map(({ variant, percents }) => `${variant.name}: ${spreadOf(percents)}`),
          "where factors are written first, rounding them from f32 is no part of the check, and its time is on both sides",
          "before that, bits were flipped in a product of each, and, where what to expect is made ahead, in a factor: each was found, and nothing else",
        ],
      };
    }),
};

function openLanes(device: CudaDevice, side: number) {
  const held: Disposable[] = [];
  const keep = <T extends Disposable>(one: T): T => {
    held.push(one);
    return one;
  };
  const room = keep(createRoom(device, side));
  const open = (variant: Variant) => keep(createLane(room, variant));
  return {
    bases: { alone: open(alone), written: open(aloneWritten) },
    lanes: variants.map(open),
    [Symbol.dispose]: () => {
      for (const one of held.splice(0).toReversed()) one[Symbol.dispose]();
    },
  };
}

/** Makes products wrong on purpose; says how many, all of which were found. */
function rehearseAll({ variant, rehearse }: Lane): number {
  const isAhead = variant.place === "ahead" || variant.place === "aheadAfter";
  const faults: readonly Fault[] = isAhead ? ["product", "factor"] : ["product"];
  for (const fault of faults) {
    const found = rehearse(fault);
    if (found === 1) continue;
    throw new Error(`${variant.name}: flipped bits of a ${fault} were found ${found} times`);
  }
  return faults.length;
}

interface Extra {
  readonly variant: Variant;
  /** Of the time of a product alone, one for each round. */
  readonly percents: number[];
}

function spreadOf(percents: readonly number[]): string {
  const sorted = percents.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2);
  return `${median(percents).toFixed(2)} % more time; half of the rounds from ${at(0.25)} to ${at(0.75)}, all from ${at(0)} to ${at(1)}`;
}

function metricsOf(
  aloneMs: readonly number[],
  extras: readonly Extra[],
  { side, quick }: { readonly side: number; readonly quick: boolean },
): readonly BenchMetric[] {
  const best = (isWritten: boolean) =>
    Math.min(
      ...extras
        .filter(({ variant }) => isWhole(variant) && variant.isWritten === isWritten)
        .map(({ percents }) => median(percents)),
    );
  const limit = quick ? {} : { limit: extraPercentMax };
  return [
    measured("not verified", (2 * side ** 3) / 1e9 / median(aloneMs), "TFLOP/s"),
    ...extras.map(({ variant, percents }) =>
      measured(`extra time, ${variant.name}`, median(percents), "%", { better: "lower" }),
    ),
    measured("extra time, every row, factors as they are", best(false), "%", { better: "lower" }),
    measured("extra time, every row, the best", Math.min(best(false), best(true)), "%", {
      better: "lower",
      ...limit,
    }),
  ];
}
