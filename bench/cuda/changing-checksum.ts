import type { CudaDevice } from "../../src/runtime/cuda/index.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";
import { createLane, createRoom, type Fault, type Lane } from "./changing-lane.ts";
import { isWhole, type Variant, variants } from "./changing-variants.ts";
import { gpuNote, measured, missingGpu, onGpu } from "./gpu.ts";

const extraPercentMax = 3;
/** Products put on the GPU at a time; two batches are under way. */
const full = { side: 8192, turns: 12, turnMs: 1200, batch: 32 } as const;
const quickly = { side: 128, turns: 2, turnMs: 20, batch: 1 } as const;

export const bench: Bench = {
  name: "cuda/changing-checksum",
  description:
    "What it costs to verify every row of every product (8192 x 8192, bf16) whose factors are new each time, with four sets of random signs: several ways, in turns with products that nobody verifies. Three separate products by a vector cost 5.7 % in PyTorch on an H200.",
  requires: missingGpu,
  run: async ({ log, quick }) =>
    onGpu(async (device) => {
      const { side, turns, turnMs, batch } = quick ? quickly : full;
      using lanes = openLanes(device, side);
      const all = lanes.lanes;
      // First, so that what does not work costs no time on the GPU.
      const planted = all.map(rehearseAll);
      const perProduct = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
      for (let turn = 0; turn < turns; turn++) {
        // Each begins a round in its turn: none is always the one after the pause, or the coolest.
        for (let at = 0; at < all.length; at++) {
          const lane = all[(turn + at) % all.length] as Lane;
          perProduct.get(lane.variant.name)?.push(await lane.run(turnMs, batch));
        }
        const last = extrasOf(perProduct).map(({ percents }) => percents.at(-1)?.toFixed(2));
        log(`turn ${turn + 1} of ${turns}: ${last.join(", ")} % more time`);
      }
      for (const [at, { variant, check }] of all.entries()) {
        const wrong = (check?.result().wrongProducts ?? 0) - (planted[at] ?? 0);
        if (wrong !== 0) throw new Error(`${variant.name}: ${wrong} products were wrong`);
      }
      const extras = extrasOf(perProduct);
      return {
        metrics: metricsOf(perProduct, extras, { side, quick }),
        notes: [
          gpuNote(),
          "extra time: each turn against the one of the same round that it is compared with, as a share of the product alone; the median of the rounds",
          ...extras.map(({ variant, percents }) => `${variant.name}: ${spreadOf(percents)}`),
          "where factors are written first, rounding them from f32 is no part of the check, and its time is on both sides",
          "before that, bits were flipped in a product of each, and, where what to expect is made ahead, in a factor: each was found, and nothing else",
        ],
      };
    }),
};

function openLanes(device: CudaDevice, side: number) {
  const held: Disposable[] = [];
  const rooms = new Map<number, ReturnType<typeof createRoom>>();
  const roomFor = ({ moreColumns }: Variant) => {
    const columns = side + moreColumns;
    const isWritten = variants.some((one) => one.isWritten && one.moreColumns === moreColumns);
    const room = rooms.get(columns) ?? createRoom(device, { side, columns, isWritten });
    if (!rooms.has(columns)) held.push(room);
    rooms.set(columns, room);
    return room;
  };
  const lanes = variants.map((variant) => {
    const lane = createLane(roomFor(variant), variant);
    held.push(lane);
    return lane;
  });
  const dispose = () => {
    for (const one of held.splice(0).toReversed()) one[Symbol.dispose]();
  };
  return { lanes, [Symbol.dispose]: dispose };
}

/** Makes products wrong on purpose; says how many, all of which were found. */
function rehearseAll({ variant, rehearse }: Lane): number {
  if (variant.place === "none") return 0;
  const faults: readonly Fault[] = variant.place === "ahead" ? ["product", "factor"] : ["product"];
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
  readonly percents: readonly number[];
}

function extrasOf(perProduct: ReadonlyMap<string, readonly number[]>): readonly Extra[] {
  const alone = perProduct.get("not verified") ?? [];
  return variants
    .filter(({ name, against }) => name !== against)
    .map((variant) => {
      const base = perProduct.get(variant.against) ?? [];
      const percents = (perProduct.get(variant.name) ?? []).map(
        (ms, turn) => (100 * (ms - (base[turn] ?? Number.NaN))) / (alone[turn] ?? Number.NaN),
      );
      return { variant, percents };
    });
}

function spreadOf(percents: readonly number[]): string {
  const sorted = percents.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2);
  return `${median(percents).toFixed(2)} % more time; half of the rounds from ${at(0.25)} to ${at(0.75)}, all from ${at(0)} to ${at(1)}`;
}

function metricsOf(
  perProduct: ReadonlyMap<string, readonly number[]>,
  extras: readonly Extra[],
  { side, quick }: { readonly side: number; readonly quick: boolean },
): readonly BenchMetric[] {
  const rate = (ms: readonly number[]) => (2 * side ** 3) / 1e9 / median(ms);
  const best = (isWritten: boolean) =>
    Math.min(
      ...extras
        .filter(({ variant }) => isWhole(variant) && variant.isWritten === isWritten)
        .map(({ percents }) => median(percents)),
    );
  const limit = quick ? {} : { limit: extraPercentMax };
  return [
    measured("not verified", rate(perProduct.get("not verified") ?? []), "TFLOP/s"),
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
