import type { CudaDevice, CudaEvent, CudaStream } from "../../src/runtime/cuda/index.ts";
import {
  type ChangingProductCheck,
  createChangingProductCheck,
} from "../../src/runtime/cuda/ops/changing-product-check.ts";
import { flipBit, matmul } from "../../src/runtime/cuda/ops/index.ts";
import { CudaTensor, randomOnCuda } from "../../src/runtime/cuda/tensor/index.ts";
import { EventLine } from "../../src/runtime/stress/cuda/event-line.ts";
import { castPlainly } from "./changing-cast.ts";
import type { Variant } from "./changing-variants.ts";
import { clock } from "./gpu.ts";

/** Factors in turn: none is used twice in a row, and all together do not fit any cache. */
const pairs = 3;
/** One product is made, one is checked, and one waits until the GPU has room for its check. */
const slots = 3;

interface Pair {
  readonly a: CudaTensor;
  readonly b: CudaTensor;
}

/** Factors, places for products, and the streams: shared by all variants. */
export interface Room extends Disposable {
  readonly device: CudaDevice;
  readonly side: number;
  readonly factors: readonly Pair[];
  /** The factors in f32. */
  readonly wide: readonly Pair[];
  readonly outs: readonly Out[];
  /** Of low priority: products come first, and the check gets what they leave of the GPU. */
  readonly aside: CudaStream;
}

interface Out {
  readonly c: CudaTensor;
  readonly made: CudaEvent;
  readonly checked: CudaEvent;
}

export function createRoom(device: CudaDevice, side: number): Room {
  const held: Disposable[] = [];
  const keep = <T extends Disposable>(one: T): T => {
    held.push(one);
    return one;
  };
  const made = (dtype: "bf16" | "f32") =>
    Array.from({ length: pairs }, (_, at): Pair => {
      const factor = (name: string, shape: readonly number[]) => {
        const spec = { kind: "normal", seed: "changing", stream: `${name}${at}` } as const;
        return keep(randomOnCuda(shape, { device, dtype, spec }));
      };
      return { a: factor("a", [side, side]), b: factor("b", [side, side]) };
    });
  const room: Room = {
    device,
    side,
    factors: made("bf16"),
    wide: made("f32"),
    outs: Array.from({ length: slots }, () => ({
      c: keep(CudaTensor.allocate(device, { dtype: "bf16", shape: [side, side] })),
      made: keep(device.createEvent()),
      checked: keep(device.createEvent()),
    })),
    aside: keep(device.createStream({ priority: "low" })),
    [Symbol.dispose]: () => {
      device.synchronize();
      for (const one of held.splice(0).toReversed()) one[Symbol.dispose]();
    },
  };
  const [first, out] = [room.factors[0] as Pair, room.outs[0] as Out];
  matmul(first.a, first.b, { out: out.c, tune: true });
  device.synchronize();
  return room;
}

/** What goes wrong in a product: bits of the result, or of a factor once it was taken into account. */
export type Fault = "product" | "factor";

export interface Turn {
  readonly durationMs: number;
  /** Not counted at the beginning: clocks follow the power that was drawn before. */
  readonly settleMs: number;
  /** Products put on the GPU at a time; two batches are under way. */
  readonly batch: number;
}

export interface Lane extends Disposable {
  readonly variant: Variant;
  /** Undefined where nothing is verified. */
  readonly check: ChangingProductCheck | undefined;
  /** Products for so long; milliseconds for each after the GPU has settled, by events on it. */
  run(turn: Turn): Promise<number>;
  /** Products with a fault, one for each band of rows; says how many were found. */
  rehearse(fault: Fault): number;
}

export function createLane(room: Room, variant: Variant): Lane {
  const { device, side } = room;
  const line = new EventLine(device, clock);
  const check =
    variant.place === "none"
      ? undefined
      : createChangingProductCheck({ device, m: side, k: side, n: side, ...variant.check });
  const put = putter(room, variant, check);
  return {
    variant,
    check,
    run: (turn) => runFor(turn, { device, line, put }),
    rehearse: (fault) => {
      const before = check?.result().wrongProducts ?? 0;
      put();
      for (let band = 0; band < (variant.check.bands ?? 1); band++) put(fault);
      put();
      device.synchronize();
      return (check?.result().wrongProducts ?? 0) - before;
    },
    [Symbol.dispose]: () => {
      device.synchronize();
      line[Symbol.dispose]();
      check?.free();
    },
  };
}

/** Puts the next product and its check on the streams. */
function putter(
  { device, factors, wide, outs, aside }: Room,
  { place, isWritten }: Variant,
  check: ChangingProductCheck | undefined,
): (fault?: Fault) => void {
  let number = 0;
  return (fault) => {
    const { a, b } = factors[number % pairs] as Pair;
    const from = wide[number % pairs];
    const { c, made, checked } = outs[number % slots] as Out;
    number++;
    const isAside = place === "beside" || place === "ahead";
    if (isAside) device.stream.waitFor(checked);
    if (isWritten && from !== undefined) {
      if (check !== undefined) check.expect({ a, b, aFrom: from.a, bFrom: from.b });
      else castBoth(from, { a, b });
    } else if (place === "ahead") check?.expect({ a, b }, { stream: aside });
    // A factor is whole when what to expect is made of it.
    if (fault === "factor") aside.synchronize();
    if (fault === "factor") spoil(a, 14);
    matmul(a, b, { out: c });
    if (fault === "factor") spoil(a, 14);
    if (fault === "product") spoil(c, 13);
    if (place === "after") check?.check({ a, b, c });
    if (place === "aheadAfter") check?.judge(c);
    if (!isAside) return;
    device.stream.record(made);
    aside.waitFor(made);
    if (place === "beside") check?.check({ a, b, c }, { stream: aside });
    else check?.judge(c, { stream: aside });
    aside.record(checked);
  };
}

/**
 * Flips a bit of three numbers of a row, and flips it back the next time: bit 14 makes a number below 2
 * 2^128 as large, bit 13 one from 2 on 2^64. One of the three is such a number in all but a millionth of cases.
 */
function spoil(x: CudaTensor, bit: 13 | 14): void {
  const first = 7 * (x.shape.at(-1) ?? 0) + 5;
  for (let at = first; at < first + 3; at++) {
    flipBit(x.device, { buffer: x.buffer, bit: 16 * at + bit });
  }
}

function castBoth(from: Pair, to: Pair): void {
  castPlainly(from.a, to.a);
  castPlainly(from.b, to.b);
}

async function runFor(
  { durationMs, settleMs, batch }: Turn,
  o: { readonly device: CudaDevice; readonly line: EventLine; readonly put: () => void },
): Promise<number> {
  const { device, line, put } = o;
  const startMs = clock.monotonicMs();
  let [count, busyMs] = [0, 0];
  while (clock.monotonicMs() < startMs + durationMs) {
    while (line.batchesUnderWay < 2) line.put(batch, put);
    const took = await line.next();
    if (clock.monotonicMs() < startMs + settleMs) continue;
    count += took.length;
    busyMs += took.reduce((sum, ms) => sum + ms, 0);
  }
  while (line.batchesUnderWay > 0) await line.next();
  device.synchronize();
  return busyMs / count;
}
