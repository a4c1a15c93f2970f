import assert from "node:assert/strict";
import { formatShape, shapeError } from "../../tensor/shape.ts";
import type { CudaDevice, CudaEvent, CudaStream, DeviceBuffer } from "../device/device.ts";
import { changingChecksumKernels, changingTrials } from "../kernels/changing-checksum-kernels.ts";
import { signBits, signBytes, signSets } from "../kernels/changing-signs.ts";
import { launchKernel } from "../kernels/launch.ts";
import type { OnStream } from "../tensor/cuda-array.ts";
import type { CudaTensor } from "../tensor/cuda-tensor.ts";
import type { ProductCheckResult } from "./checksum.ts";

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
  /** Standard deviations of rounding that a row's sum may be off. @default 6.34: one false alarm in 10^10 rows */
  readonly z?: number;
  /** Expectations that may wait for their product. @default 4 */
  readonly ahead?: number;
}

export interface ProductOperands {
  readonly a: CudaTensor;
  readonly b: CudaTensor;
}

/**
 * Checks products whose factors are new each time; see `createChangingProductCheck`. Calls take
 * effect in the order they are made, on whatever streams.
 */
export interface ChangingProductCheck extends Disposable {
  /** Checks c = a b: reads each of the three once. None may change before it is done. */
  check(product: ProductOperands & { readonly c: CudaTensor }, on?: OnStream): void;
  /** What the next product must be, made ahead of it: from then on a and b are under watch too. */
  expect(operands: ProductOperands, on?: OnStream): void;
  /** Checks a product against the oldest expectation. */
  judge(c: CudaTensor, on?: OnStream): void;
  /** Waits for all checks and says what was found. @throws E_CUDA */
  result(): ProductCheckResult;
  /** Memory it holds on the GPU. */
  readonly bytes: number;
  free(): void;
}

const threads = 256;
const foundBytes = 32;
const rowBits = 24;
const zUsual = 6.34;
/** The root mean square of a rounding error of bf16, as a share of the number. */
const rmsRounding = 0.425 * 2 ** -8;

/**
 * A check of c = a b for factors that change every time: c r against a (b r), with four sets of random
 * signs r at once, so that errors that cancel pass one in sixteen. Every row may be off by what
 * rounding to bf16 leaves, which depends on the row's norm alone: nothing has to be learnt. Products
 * of numbers that are not finite count as wrong.
 *
 * @throws E_SHAPE unless k and n are multiples of 32; E_CUDA
 */
export function createChangingProductCheck(
  options: ChangingProductCheckOptions,
): ChangingProductCheck {
  const { device, m, k, n, ahead = 4, seed = 0 } = options;
  const whole = [m, k, n].every((side) => Number.isInteger(side) && side >= 1);
  if (!whole || k % 32 !== 0 || n % 32 !== 0 || m >= 2 ** rowBits) {
    throw shapeError(
      "createChangingProductCheck",
      `products of ${formatShape([m, k])} by ${formatShape([k, n])} cannot be checked: k and n are multiples of 32`,
    );
  }
  assert(Number.isInteger(ahead) && ahead >= 1 && ahead <= 64, "1 to 64 expectations wait");
  const held: Disposable[] = [];
  const allocate = (bytes: number): DeviceBuffer => {
    const buffer = device.memory.allocate(bytes, { purpose: "the check of products" });
    held.push(buffer);
    return buffer;
  };
  try {
    const state: CheckState = {
      signs: allocate(signSets * signBytes(n)),
      weights: allocate(2 * changingTrials * k * 2),
      sums: allocate(4 * changingTrials * m),
      squares: allocate(4 * m),
      expected: Array.from({ length: ahead }, () => allocate(4 * changingTrials * m)),
      found: allocate(foundBytes),
    };
    device.stream.upload({ buffer: state.signs }, signBits(n, seed));
    device.stream.upload({ buffer: state.found }, new Uint8Array(foundBytes).fill(0xff, 24));
    device.stream.synchronize();
    return new ChangingCheck(options, state, held);
  } catch (error) {
    for (const one of held.splice(0)) one[Symbol.dispose]();
    throw error;
  }
}

interface CheckState {
  /** `signSets` times four vectors, one bit for each column. */
  readonly signs: DeviceBuffer;
  readonly weights: DeviceBuffer;
  readonly sums: DeviceBuffer;
  readonly squares: DeviceBuffer;
  readonly expected: readonly DeviceBuffer[];
  readonly found: DeviceBuffer;
}

class ChangingCheck implements ChangingProductCheck {
  readonly bytes: number;
  readonly #options: ChangingProductCheckOptions;
  readonly #state: CheckState;
  readonly #held: Disposable[];
  readonly #done: CudaEvent;
  readonly #relative: number;
  #last: CudaStream | undefined;
  #expected = 0;
  #checks = 0;

  constructor(options: ChangingProductCheckOptions, state: CheckState, held: Disposable[]) {
    this.#options = options;
    this.#state = state;
    this.#held = held;
    this.#done = options.device.createEvent();
    this.#relative = (options.z ?? zUsual) * rmsRounding;
    const { signs, weights, sums, squares, expected, found } = state;
    const all = [signs, weights, sums, squares, ...expected, found];
    this.bytes = all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  check({ a, b, c }: ProductOperands & { readonly c: CudaTensor }, on: OnStream = {}): void {
    assert(this.#expected === this.#checks, "no expectation waits for its product");
    this.#requireOperands(a, b);
    this.#requireProduct(c);
    this.#inOrder(on, (stream) => {
      this.#sums({ b, c, stream });
      this.#dots(a, { stream, judge: true });
    });
    this.#expected++;
    this.#checks++;
  }

  expect({ a, b }: ProductOperands, on: OnStream = {}): void {
    const { expected } = this.#state;
    assert(this.#expected - this.#checks < expected.length, "an expectation has room to wait");
    this.#requireOperands(a, b);
    this.#inOrder(on, (stream) => {
      this.#sums({ b, stream });
      this.#dots(a, { stream, judge: false });
    });
    this.#expected++;
  }

  judge(c: CudaTensor, on: OnStream = {}): void {
    assert(this.#checks < this.#expected, "an expectation waits for its product");
    this.#requireProduct(c);
    const { device, m } = this.#options;
    const { expected, sums, squares, found } = this.#state;
    this.#inOrder(on, (stream) => {
      this.#sums({ c, stream });
      launchKernel(device, {
        source: changingChecksumKernels.source({}),
        kernel: "changing_judge",
        grid: Math.ceil(m / threads),
        block: threads,
        args: [
          { ptr: expected[this.#checks % expected.length] as DeviceBuffer },
          { ptr: sums },
          { ptr: squares },
          { i64: m },
          { f64: this.#relative },
          { u64: this.#checks },
          { ptr: found },
        ],
        stream,
      });
    });
    this.#checks++;
  }

  result(): ProductCheckResult {
    const bytes = new Uint8Array(foundBytes);
    (this.#last ?? this.#options.device.stream).download({ buffer: this.#state.found }, bytes);
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
    for (const one of this.#held.splice(0)) one[Symbol.dispose]();
    this.#done.close();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  /** The vectors of sums are used by one check after the other. */
  #inOrder({ stream = this.#options.device.stream }: OnStream, put: (stream: CudaStream) => void) {
    if (this.#last !== undefined && this.#last !== stream) stream.waitFor(this.#done);
    put(stream);
    stream.record(this.#done);
    this.#last = stream;
  }

  /** Signed sums of rows: of b for the next expectation, of c for the next check. */
  #sums({
    b,
    c,
    stream,
  }: {
    readonly b?: CudaTensor;
    readonly c?: CudaTensor;
    readonly stream: CudaStream;
  }): void {
    const { device, m, k, n } = this.#options;
    const { signs, weights, sums, squares } = this.#state;
    const number = b === undefined ? this.#checks : this.#expected;
    const [bRows, cRows] = [b === undefined ? 0 : k, c === undefined ? 0 : m];
    launchKernel(device, {
      source: changingChecksumKernels.source({}),
      kernel: "changing_sums",
      grid: Math.ceil(bRows / 16) + Math.ceil(cRows / 16),
      block: threads,
      args: [
        { ptr: (b ?? c)?.buffer ?? 0n },
        { i64: bRows },
        { ptr: (c ?? b)?.buffer ?? 0n },
        { i64: cRows },
        { i64: n },
        { ptr: { buffer: signs, offsetBytes: (number % signSets) * signBytes(n) } },
        { ptr: weights },
        { ptr: sums },
        { ptr: squares },
      ],
      stream,
    });
  }

  #dots(
    a: CudaTensor,
    { stream, judge }: { readonly stream: CudaStream; readonly judge: boolean },
  ): void {
    const { device, m, k, alpha = 1 } = this.#options;
    const { weights, expected, sums, squares, found } = this.#state;
    launchKernel(device, {
      source: changingChecksumKernels.source({}),
      kernel: "changing_dots",
      grid: Math.ceil(m / 32),
      block: threads,
      args: [
        { ptr: a.buffer },
        { i64: m },
        { i64: k },
        { ptr: weights },
        { f64: alpha },
        { ptr: expected[this.#expected % expected.length] as DeviceBuffer },
        { ptr: judge ? sums : 0n },
        { ptr: squares },
        { f64: this.#relative },
        { u64: this.#checks },
        { ptr: found },
      ],
      stream,
    });
  }

  #requireOperands(a: CudaTensor, b: CudaTensor): void {
    const { m, k, n } = this.#options;
    assert(
      a.dtype === "bf16" && a.shape.at(-1) === k && a.size === m * k,
      "a factor of these products",
    );
    assert(
      b.dtype === "bf16" && b.shape.at(-1) === n && b.size === k * n,
      "a factor of these products",
    );
  }

  #requireProduct(c: CudaTensor): void {
    const { m, n } = this.#options;
    assert(c.dtype === "bf16" && c.shape.at(-1) === n && c.size === m * n, "a product of these");
  }
}
