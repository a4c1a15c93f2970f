import assert from "node:assert/strict";
import { formatShape, shapeError } from "../../tensor/shape.ts";
import type { CudaDevice, CudaStream, DeviceBuffer, DevicePlace } from "../device/device.ts";
import { changingTrials, dotRows } from "../kernels/changing-checksum-kernels.ts";
import { signBits, signBytes, signSets } from "../kernels/changing-signs.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import type { CudaTensor } from "../tensor/cuda-tensor.ts";
import {
  type CheckedRows,
  type CheckPlan,
  launchDots,
  launchJudge,
  launchSums,
} from "./changing-product-launch.ts";
import type { ProductCheckResult } from "./checksum.ts";
import { StreamMark } from "./stream-mark.ts";

export interface ChangingProductCheckOptions {
  readonly device: CudaDevice;
  /** Products of [m, k] by [k, n], all in bf16; k and n are multiples of 32. */
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** Factor of the products. @default 1 */
  readonly alpha?: number;
  /** Of the random signs. @default 0 */
  readonly seed?: number;
  /**
   * How much a row's sum may be off, in roots of what its roundings may be at most, squared and
   * added up. Chance exceeds it in 2 exp(-z² / 2) of sums, whatever the numbers are.
   * @default 6.89: one false alarm in 10^10; where roundings are spread evenly, as in products of
   * random numbers, 4 do as well
   */
  readonly z?: number;
  /** Expectations that may wait for their product. @default 4 */
  readonly ahead?: number;
  /**
   * Each product has one of so many bands of its rows checked, in turn: what happens to one product
   * only is found in one of so many cases. @default 1: every row
   */
  readonly bands?: number;
  /** Warps of a block: with more, a block ends sooner and holds a product up for less. @default 16 */
  readonly blockWarps?: 8 | 16;
}

export interface ProductOperands {
  readonly a: CudaTensor;
  readonly b: CudaTensor;
}

export interface ExpectedOperands extends ProductOperands {
  /** a in f32: `a` is written from it, rounded, while it is taken into account. */
  readonly aFrom?: CudaTensor;
  /** b in f32, likewise. */
  readonly bFrom?: CudaTensor;
}

/**
 * Checks products whose factors are new each time; see `createChangingProductCheck`. Products count
 * in the order of calls, on whatever streams; the caller orders these with whoever writes a, b and c.
 */
export interface ChangingProductCheck extends Disposable {
  /** Checks c = a b: reads each of the three once. None may change before it is done. */
  check(product: ProductOperands & { readonly c: CudaTensor }, on?: OnStream): void;
  /**
   * What the next product must be, made ahead of it: from then on a and b are under watch too. Waits
   * for no judgement but that of `ahead` products ago.
   */
  expect(operands: ExpectedOperands, on?: OnStream): void;
  /** Checks a product against the oldest expectation. */
  judge(c: CudaTensor, on?: OnStream): void;
  /** Waits for all checks and says what was found. @throws E_CUDA */
  result(): ProductCheckResult;
  /** Memory it holds on the GPU. */
  readonly bytes: number;
  free(): void;
}

const foundBytes = 32;
const rowBits = 24;
const zUsual = 6.89;
/** A rounding to bf16 is off by at most this share of the power of two below the number. */
const roundingMost = 2 ** -8;
/** What b r loses at most as a sum of two bf16 numbers. */
const splitLoss = 2 ** -16;
/** What a step of sixteen products loses of the sum in f32, for the root of k: partial sums grow so. */
const stepLoss = 2 ** -27;
/** A square below this is nothing in f32. */
const smallestSquare = 2 ** -124;

/**
 * A check of c = a b for factors that change every time: c r against a (b r), with four sets of random
 * signs r at once, so that errors that cancel pass one in sixteen. Every row may be off by what
 * rounding to bf16 and sums in f32 leave, which follows from its numbers: nothing has to be learnt.
 * Products of numbers that are not finite count as wrong, and so do those beyond 2^63.
 *
 * What it does not see: an error of one element below about 5 · 2^-8 √n of what the row's elements are
 * like (1.7 standard deviations for n = 8192), and factors that were wrong before they were read.
 *
 * @throws E_SHAPE unless k and n are multiples of 32; E_CUDA
 */
export function createChangingProductCheck(
  options: ChangingProductCheckOptions,
): ChangingProductCheck {
  const { device, m, k, n, ahead = 4, bands = 1, seed = 0, z = zUsual } = options;
  const whole = [m, k, n].every((side) => Number.isInteger(side) && side >= 1);
  if (!whole || k % 32 !== 0 || n % 32 !== 0 || m >= 2 ** rowBits) {
    throw shapeError(
      "createChangingProductCheck",
      `products of ${formatShape([m, k])} by ${formatShape([k, n])} cannot be checked: k and n are multiples of 32`,
    );
  }
  assert(Number.isInteger(ahead) && ahead >= 1 && ahead <= 64, "1 to 64 expectations wait");
  assert(Number.isInteger(bands) && bands >= 1 && bands <= 64, "there are 1 to 64 bands");
  const bandRows = Math.min(m, dotRows * Math.ceil(m / bands / dotRows));
  const held: Disposable[] = [];
  const allocate = (bytes: number): DeviceBuffer => {
    const buffer = device.memory.allocate(bytes, { purpose: "the check of products" });
    held.push(buffer);
    return buffer;
  };
  const keep = <T extends Disposable>(one: T): T => {
    held.push(one);
    return one;
  };
  try {
    const plan: CheckPlan = {
      device,
      k,
      n,
      alpha: options.alpha ?? 1,
      blockWarps: options.blockWarps ?? 16,
      relative: z * roundingMost,
      smallest: n * smallestSquare,
      loss: splitLoss + z * Math.sqrt(k) * stepLoss,
      signs: allocate(signSets * signBytes(n)),
      weights: allocate(2 * changingTrials * k * 2),
      sums: allocate(4 * changingTrials * bandRows),
      powers: allocate(4 * bandRows),
      found: allocate(foundBytes),
    };
    const slots = Array.from({ length: ahead }, () => ({
      expected: allocate(2 * 4 * changingTrials * bandRows),
      made: new StreamMark(keep(device.createEvent())),
      judged: new StreamMark(keep(device.createEvent())),
    }));
    device.stream.upload({ buffer: plan.signs }, signBits(n, seed));
    device.stream.upload({ buffer: plan.found }, new Uint8Array(foundBytes).fill(0xff, 24));
    device.stream.synchronize();
    return new ChangingCheck({ plan, slots, m, bandRows, held });
  } catch (error) {
    for (const one of held.splice(0)) one[Symbol.dispose]();
    throw error;
  }
}

interface Slot {
  readonly expected: DeviceBuffer;
  /** When its expectation was left. */
  readonly made: StreamMark;
  /** When its product was judged, and the slot is free. */
  readonly judged: StreamMark;
}

interface CheckParts {
  readonly plan: CheckPlan;
  readonly slots: readonly Slot[];
  readonly m: number;
  readonly bandRows: number;
  readonly held: Disposable[];
}

class ChangingCheck implements ChangingProductCheck {
  readonly bytes: number;
  readonly #parts: CheckParts;
  #last: CudaStream;
  #expected = 0;
  #checks = 0;

  constructor(parts: CheckParts) {
    this.#parts = parts;
    const { signs, weights, sums, powers, found } = parts.plan;
    const all = [signs, weights, sums, powers, found, ...parts.slots.map((slot) => slot.expected)];
    this.bytes = all.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#last = parts.plan.device.stream;
  }

  check({ a, b, c }: ProductOperands & { readonly c: CudaTensor }, on: OnStream = {}): void {
    assert(this.#expected === this.#checks, "no expectation waits for its product");
    const { plan } = this.#parts;
    this.#requireMatrix(b, plan.k, plan.n);
    const rows = this.#rowsOf(this.#checks);
    const ofA = this.#bandOf(a, rows, plan.k);
    const ofC = this.#bandOf(c, rows, plan.n);
    const { stream = plan.device.stream } = on;
    const [slot, before] = [this.#slot(this.#checks), this.#slot(this.#checks - 1)];
    before.made.holdUp(stream);
    before.judged.holdUp(stream);
    launchSums(plan, rows, { b: { place: b }, c: ofC, stream });
    launchDots(plan, rows, { a: { place: ofA }, stream });
    slot.made.set(stream);
    slot.judged.set(stream);
    this.#last = stream;
    this.#expected++;
    this.#checks++;
  }

  expect({ a, b, aFrom, bFrom }: ExpectedOperands, on: OnStream = {}): void {
    const { plan, slots } = this.#parts;
    assert(this.#expected - this.#checks < slots.length, "an expectation has room to wait");
    this.#requireMatrix(b, plan.k, plan.n);
    if (bFrom !== undefined) this.#requireMatrix(bFrom, plan.k, plan.n, "f32");
    const rows = this.#rowsOf(this.#expected);
    assert(aFrom === undefined || rows.count === this.#parts.m, "all of a factor is written");
    const ofA = this.#bandOf(a, rows, plan.k);
    const from = aFrom === undefined ? undefined : this.#bandOf(aFrom, rows, plan.k, "f32");
    const { stream = plan.device.stream } = on;
    const slot = this.#slot(this.#expected);
    this.#slot(this.#expected - 1).made.holdUp(stream);
    slot.judged.holdUp(stream);
    launchSums(plan, rows, { b: { place: b, from: bFrom }, stream });
    launchDots(plan, rows, { a: { place: ofA, from }, expected: slot.expected, stream });
    slot.made.set(stream);
    this.#expected++;
  }

  judge(c: CudaTensor, on: OnStream = {}): void {
    assert(this.#checks < this.#expected, "an expectation waits for its product");
    const { plan } = this.#parts;
    const rows = this.#rowsOf(this.#checks);
    const ofC = this.#bandOf(c, rows, plan.n);
    const { stream = plan.device.stream } = on;
    const slot = this.#slot(this.#checks);
    slot.made.holdUp(stream);
    this.#slot(this.#checks - 1).judged.holdUp(stream);
    launchSums(plan, rows, { c: ofC, stream });
    launchJudge(plan, rows, { expected: slot.expected, stream });
    slot.judged.set(stream);
    this.#last = stream;
    this.#checks++;
  }

  result(): ProductCheckResult {
    const bytes = new Uint8Array(foundBytes);
    this.#last.download({ buffer: this.#parts.plan.found }, bytes);
    const [wrongRows = 0n, wrongProducts = 0n, , firstWrong = 0n] = new BigUint64Array(
      bytes.buffer,
    );
    const row = Number(firstWrong & ((1n << BigInt(rowBits)) - 1n));
    return {
      checks: this.#checks,
      wrongProducts: Number(wrongProducts),
      wrongRows: Number(wrongRows),
      first: wrongRows === 0n ? undefined : { check: Number(firstWrong >> BigInt(rowBits)), row },
    };
  }

  free(): void {
    for (const one of this.#parts.held.splice(0)) one[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  #slot(number: number): Slot {
    const { slots } = this.#parts;
    return slots[(number + slots.length) % slots.length] as Slot;
  }

  #rowsOf(number: number): CheckedRows {
    const { m, bandRows } = this.#parts;
    const first = (number % Math.ceil(m / bandRows)) * bandRows;
    return { number, first, count: Math.min(bandRows, m - first) };
  }

  /** The rows of a matrix that are checked. */
  #bandOf(
    x: CudaTensor,
    { first }: CheckedRows,
    columns: number,
    dtype: "bf16" | "f32" = "bf16",
  ): DevicePlace {
    this.#requireMatrix(x, this.#parts.m, columns, dtype);
    return { buffer: x.buffer, offsetBytes: (first * columns * x.bytes) / x.size };
  }

  #requireMatrix(x: CudaTensor, rows: number, columns: number, dtype = "bf16"): void {
    const fits = x.dtype === dtype && x.shape.at(-1) === columns && x.size === rows * columns;
    assert(fits, `a matrix of these products: ${formatShape([rows, columns])} in ${dtype}`);
  }
}
