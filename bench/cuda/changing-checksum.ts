import type { CudaDevice } from "../../src/runtime/cuda/index.ts";
import {
  type ChangingProductCheck,
  createChangingProductCheck,
} from "../../src/runtime/cuda/ops/changing-product-check.ts";
import { flipBit, matmul } from "../../src/runtime/cuda/ops/index.ts";
import { CudaTensor, randomOnCuda } from "../../src/runtime/cuda/tensor/index.ts";
import { EventLine } from "../../src/runtime/stress/cuda/event-line.ts";
import type { Bench } from "../bench.ts";
import { median } from "../lib/median.ts";
import { clock, gpuNote, measured, missingGpu, onGpu } from "./gpu.ts";

const extraPercentMax = 3;
const fullSide = 8192;
const quickSide = 256;
/** Pairs of factors in turn: none is used twice in a row, and all together do not fit any cache. */
const pairs = 3;
/** One is made, one is checked, and one waits until the GPU has room for its check. */
const slots = 3;
/** Products put on the GPU at a time; two batches are under way. */
const fullBatch = 32;
const quickBatch = 2;

/**
 * `beside`: all of the check beside the next product; `ahead`: what to expect beside the product
 * itself, its judgement beside the next; `after`: before the next product begins.
 */
type Place = "none" | "beside" | "ahead" | "after";
const places = ["none", "beside", "ahead", "after"] as const satisfies readonly Place[];

export const bench: Bench = {
  name: "cuda/changing-checksum",
  description:
    "What it costs to verify every row of every product (8192 x 8192, bf16) whose factors are new each time, with four sets of random signs, in turns with products that nobody verifies. Three separate products by a vector cost 5.7 % in PyTorch on an H200.",
  requires: missingGpu,
  run: async ({ log, quick }) =>
    onGpu(async (device) => {
      const turns = quick ? 2 : 10;
      const turnMs = quick ? 300 : 2000;
      const side = quick ? quickSide : fullSide;
      const perProduct = new Map<Place, number[]>();
      using lane = createLane(device, side, quick ? quickBatch : fullBatch);
      for (let turn = 0; turn < turns; turn++) {
        for (const place of places) {
          const ms = await lane.run(place, turnMs);
          perProduct.set(place, [...(perProduct.get(place) ?? []), ms]);
        }
        log(`turn ${turn + 1} of ${turns}`);
      }
      const { wrongProducts } = lane.check.result();
      if (wrongProducts > 0) throw new Error(`${wrongProducts} products were wrong`);
      const found = lane.rehearse();
      if (found < 2) throw new Error("a flipped bit was not found");
      return {
        metrics: metricsOf(perProduct, { side, quick }),
        notes: [
          gpuNote(),
          "each turn against the one of the same round without verification; the median of the rounds",
          "afterwards a bit was flipped in a product, and one in a factor after its checksum: both were found",
        ],
      };
    }),
};

function metricsOf(
  perProduct: ReadonlyMap<Place, readonly number[]>,
  { side, quick }: { readonly side: number; readonly quick: boolean },
) {
  const plain = perProduct.get("none") ?? [];
  const rate = (ms: readonly number[]) => (2 * side ** 3) / 1e9 / median(ms);
  const extraOf = (place: Place) =>
    median(
      (perProduct.get(place) ?? []).map((ms, turn) => 100 * (ms / (plain[turn] ?? Number.NaN) - 1)),
    );
  const verified = places.filter((place) => place !== "none");
  const best = Math.min(...verified.map(extraOf));
  const limit = quick ? {} : { limit: extraPercentMax };
  return [
    measured("not verified", rate(plain), "TFLOP/s"),
    ...verified.flatMap((place) => [
      measured(`verified ${place}`, rate(perProduct.get(place) ?? []), "TFLOP/s"),
      measured(`extra time, ${place}`, extraOf(place), "%", { better: "lower" }),
    ]),
    measured("extra time, the best of these", best, "%", { better: "lower", ...limit }),
  ];
}

interface Lane extends Disposable {
  readonly check: ChangingProductCheck;
  /** Products for so long; milliseconds for each, by events on the GPU. */
  run(place: Place, durationMs: number): Promise<number>;
  /** Flips a bit of a product, and one of a factor after its checksum; says how many were found. */
  rehearse(): number;
}

interface Pair {
  readonly a: CudaTensor;
  readonly b: CudaTensor;
}

function createLane(device: CudaDevice, side: number, batch: number): Lane {
  const held: Disposable[] = [];
  const keep = <T extends Disposable>(one: T): T => {
    held.push(one);
    return one;
  };
  const shape = [side, side];
  const factor = (stream: string) => {
    const spec = { kind: "normal", seed: "changing", stream } as const;
    return keep(randomOnCuda(shape, { device, dtype: "bf16", spec }));
  };
  const factors = Array.from(
    { length: pairs },
    (_, at): Pair => ({ a: factor(`a${at}`), b: factor(`b${at}`) }),
  );
  const outs = Array.from({ length: slots }, () =>
    keep(CudaTensor.allocate(device, { dtype: "bf16", shape })),
  );
  const check = keep(createChangingProductCheck({ device, m: side, k: side, n: side }));
  const line = keep(new EventLine(device, clock));
  const first = { ...(factors[0] as Pair), c: outs[0] as CudaTensor };
  matmul(first.a, first.b, { out: first.c, tune: true });
  device.synchronize();
  const put = putter({ device, factors, outs, check, keep });
  return {
    check,
    run: (place, durationMs) => runFor(durationMs, { device, line, batch, put: () => put(place) }),
    rehearse: () => rehearse(device, check, { ...first, side }),
    [Symbol.dispose]: () => {
      device.synchronize();
      for (const one of held.splice(0).toReversed()) one[Symbol.dispose]();
    },
  };
}

/** Puts the next product and its check on the streams. */
function putter(o: {
  readonly device: CudaDevice;
  readonly factors: readonly Pair[];
  readonly outs: readonly CudaTensor[];
  readonly check: ChangingProductCheck;
  readonly keep: <T extends Disposable>(one: T) => T;
}): (place: Place) => void {
  const { device, factors, outs, check, keep } = o;
  // Of low priority: products come first, and the check gets what they leave of the GPU.
  const stream = keep(device.createStream({ priority: "low" }));
  const lanes = outs.map((c) => ({
    c,
    made: keep(device.createEvent()),
    checked: keep(device.createEvent()),
  }));
  let number = 0;
  return (place) => {
    const pair = factors[number % factors.length] as Pair;
    const { c, made, checked } = lanes[number % lanes.length] as (typeof lanes)[number];
    number++;
    const aside = place === "beside" || place === "ahead";
    if (aside) device.stream.waitFor(checked);
    if (place === "ahead") check.expect(pair, { stream });
    matmul(pair.a, pair.b, { out: c });
    if (place === "after") check.check({ ...pair, c });
    if (!aside) return;
    device.stream.record(made);
    stream.waitFor(made);
    if (place === "beside") check.check({ ...pair, c }, { stream });
    else check.judge(c, { stream });
    stream.record(checked);
  };
}

async function runFor(
  durationMs: number,
  o: {
    readonly device: CudaDevice;
    readonly line: EventLine;
    readonly batch: number;
    readonly put: () => void;
  },
): Promise<number> {
  const { device, line, batch, put } = o;
  const endMs = clock.monotonicMs() + durationMs;
  let [count, busyMs] = [0, 0];
  const take = async () => {
    const all = await line.next();
    count += all.length;
    busyMs += all.reduce((sum, ms) => sum + ms, 0);
  };
  while (clock.monotonicMs() < endMs) {
    while (line.batchesUnderWay < 2) line.put(batch, put);
    await take();
  }
  while (line.batchesUnderWay > 0) await take();
  device.synchronize();
  return busyMs / count;
}

function rehearse(
  device: CudaDevice,
  check: ChangingProductCheck,
  { a, b, c, side }: Pair & { readonly c: CudaTensor; readonly side: number },
): number {
  // The highest bit of an exponent.
  const topBit = (row: number, column: number) => 16 * (row * side + column) + 14;
  matmul(a, b, { out: c });
  flipBit(device, { buffer: c.buffer, bit: topBit(7, 5) });
  check.check({ a, b, c });
  check.expect({ a, b });
  flipBit(device, { buffer: a.buffer, bit: topBit(11, 3) });
  matmul(a, b, { out: c });
  check.judge(c);
  return check.result().wrongProducts;
}
