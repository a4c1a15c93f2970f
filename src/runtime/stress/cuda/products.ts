import type { Clock } from "../../../platform/time/clock.ts";
import type { CudaDevice } from "../../cuda/device/device.ts";
import type { Corruption, StressEngine, StressSlice } from "../engine.ts";
import { EventLine } from "./event-line.ts";
import type { CudaFormat } from "./formats.ts";
import { describeGpu, gpuFacts, gpuFailure } from "./gpu.ts";
import {
  type CheckPlace,
  createProductLane,
  mismatchOf,
  type ProductLane,
} from "./product-lane.ts";

/** Iterations in a batch at most: what a stream takes without making the host wait. */
const batchMax = 128;
const batchesUnderWay = 2;
/** How often the check is asked, for which the GPU has to run dry. */
const askEveryMs = 5000;
const timedAtFirst = 3;

export interface CudaProductsOptions {
  readonly device: CudaDevice;
  readonly clock: Clock;
  readonly format: CudaFormat;
  /** Rows and columns. @default what suits the format */
  readonly side?: number;
  /** @default true */
  readonly verify?: boolean;
  readonly check?: CheckPlace;
  readonly corrupt?: Corruption;
}

/**
 * Products of large matrices, put on the GPU far enough ahead that it never waits for the host.
 *
 * @throws E_CUDA, E_SHAPE
 */
export async function createCudaProducts(options: CudaProductsOptions): Promise<StressEngine> {
  const { device, clock, format, verify = true, side, check, corrupt } = options;
  const lane = createProductLane({
    device,
    format,
    verify,
    ...(side === undefined ? {} : { side }),
    ...(check === undefined ? {} : { check }),
    ...(corrupt === undefined ? {} : { corrupt }),
  });
  const line = new EventLine(device, clock);
  const release = () => {
    line[Symbol.dispose]();
    lane[Symbol.dispose]();
  };
  try {
    const products = new Products({ lane, line, clock });
    await products.warmUp();
    return engineOf(options, { lane, products, release });
  } catch (error) {
    release();
    throw error;
  }
}

function engineOf(
  { device, format, verify = true }: CudaProductsOptions,
  o: { readonly lane: ProductLane; readonly products: Products; readonly release: () => void },
): StressEngine {
  const { lane, products, release } = o;
  const how = verify ? "every row of each verified beside the next" : "none verified";
  return {
    ...describeGpu(device),
    description: `${format} products of ${lane.side} x ${lane.side}, ${how}`,
    work: { iteration: "product", amount: lane.flops / 1e12, unit: "TFLOP" },
    verifies: verify,
    facts: { format, size: lane.side, ...gpuFacts(device) },
    advance: (aboutMs, signal) => products.advance(aboutMs, signal),
    finish: () => products.finish(),
    failureOf: gpuFailure,
    close: async () => release(),
  };
}

/** Keeps the GPU busy and asks the check now and then. */
class Products {
  readonly #lane: ProductLane;
  readonly #line: EventLine;
  readonly #clock: Clock;
  #told = 0;
  #early: readonly number[] = [];
  #iteration = 0;
  #eachMs = 1;
  #askedMs: number;

  constructor(o: {
    readonly lane: ProductLane;
    readonly line: EventLine;
    readonly clock: Clock;
  }) {
    this.#lane = o.lane;
    this.#line = o.line;
    this.#clock = o.clock;
    this.#askedMs = o.clock.monotonicMs();
  }

  /** Learns how long an iteration takes; the first slice has these too. */
  async warmUp(): Promise<void> {
    this.#put(timedAtFirst);
    this.#early = await this.#line.next();
    this.#learn(this.#early);
  }

  async advance(aboutMs: number, signal: AbortSignal): Promise<StressSlice> {
    const count = Math.max(1, Math.min(batchMax, Math.round(aboutMs / this.#eachMs)));
    while (this.#line.batchesUnderWay < batchesUnderWay) this.#put(count);
    const done = await this.#line.next(signal);
    this.#learn(done);
    const iterationsMs = [...this.#early, ...done];
    this.#early = [];
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#askedMs < askEveryMs) return { iterationsMs, wrong: 0, mismatches: [] };
    this.#askedMs = nowMs;
    return { iterationsMs, ...this.#ask() };
  }

  async finish(): Promise<StressSlice> {
    const iterationsMs = [...this.#early];
    this.#early = [];
    while (this.#line.batchesUnderWay > 0) iterationsMs.push(...(await this.#line.next()));
    return { iterationsMs, ...this.#ask() };
  }

  #put(count: number): void {
    this.#line.put(count, () => this.#lane.put(this.#iteration++));
  }

  #learn(iterationsMs: readonly number[]): void {
    const totalMs = iterationsMs.reduce((sum, ms) => sum + ms, 0);
    this.#eachMs = Math.max(totalMs / iterationsMs.length, 1e-3);
  }

  /** What the check has found since it was last asked. */
  #ask(): Pick<StressSlice, "wrong" | "mismatches"> {
    const found = this.#lane.found();
    const before = this.#told;
    this.#told = found?.wrongProducts ?? 0;
    const mismatch = before === 0 ? mismatchOf(found) : undefined;
    return { wrong: this.#told - before, mismatches: mismatch === undefined ? [] : [mismatch] };
  }
}
