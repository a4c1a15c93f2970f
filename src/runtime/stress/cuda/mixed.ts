import type { Clock } from "../../../platform/time/clock.ts";
import type { CudaDevice } from "../../cuda/device/device.ts";
import { flipBit } from "../../cuda/ops/patterns.ts";
import type { Corruption, Mismatch, StressEngine } from "../engine.ts";
import { createStepEngine } from "../step-engine.ts";
import { type CudaFormat, formatsOn } from "./formats.ts";
import { describeGpu, gpuFacts, gpuFailure } from "./gpu.ts";
import { createProductLane, mismatchOf, type ProductLane } from "./product-lane.ts";
import { type CudaTraining, createCudaTraining } from "./training.ts";

const stepsOfRound = 8;
const sideDefault = 8192;
/** Products in the other formats are of this share of the training's size. */
const laneShare = 2;

export interface CudaMixedOptions {
  readonly device: CudaDevice;
  readonly clock: Clock;
  /** Rows and columns of all matrices of the training. @default 8192 */
  readonly side?: number;
  /** Of the products beside the training. @default all that the GPU has, but bf16 */
  readonly formats?: readonly CudaFormat[];
  /** @default true */
  readonly verify?: boolean;
  /** Hits a parameter. */
  readonly corrupt?: Corruption;
}

interface Lane {
  readonly format: CudaFormat;
  readonly products: ProductLane;
  wrong: number;
}

/**
 * Training in bf16 with f32 sums, and beside each step one product in every other format of the GPU.
 * Every few steps the training starts over; a step must then leave the bits it left in a round
 * before the run.
 *
 * @throws E_CUDA
 */
export function createCudaMixed(options: CudaMixedOptions): StressEngine {
  const { device, clock, side = sideDefault, verify = true, corrupt } = options;
  const training = createCudaTraining(device, side);
  const lanes: Lane[] = [];
  const release = () => {
    for (const { products } of lanes.splice(0)) products[Symbol.dispose]();
    training[Symbol.dispose]();
  };
  try {
    const others = formatsOn(device).filter((format) => format !== "bf16");
    const formats = options.formats ?? others;
    for (const format of formats) {
      const size = { side: Math.max(16, Math.floor(side / laneShare / 16) * 16) };
      const products = createProductLane({ device, format, verify, ...size });
      lanes.push({ format, products, wrong: 0 });
    }
    const round = createRound({ device, training, lanes, verify, corrupt });
    const flops = lanes.reduce((sum, { products }) => sum + products.flops, training.flops);
    const how = verify ? "the bits after each compared with a known round" : "none verified";
    return createStepEngine(
      {
        ...describeGpu(device),
        description: `training steps in bf16 with f32 sums, ${side} x ${side}, with products in ${formats.join(", ")}, ${how}`,
        work: { iteration: "step", amount: flops / 1e12, unit: "TFLOP" },
        verifies: verify,
        facts: { size: side, formats: formats.join(" "), stepsOfRound, ...gpuFacts(device) },
        step: round,
        failureOf: gpuFailure,
        close: async () => release(),
      },
      clock,
    );
  } catch (error) {
    release();
    throw error;
  }
}

function createRound(o: {
  readonly device: CudaDevice;
  readonly training: CudaTraining;
  readonly lanes: readonly Lane[];
  readonly verify: boolean;
  readonly corrupt: Corruption | undefined;
}): (iteration: number) => readonly Mismatch[] {
  const { device, training, lanes, verify, corrupt } = o;
  const known: Readonly<Record<string, bigint>>[] = [];
  if (verify) {
    training.restart();
    for (let at = 0; at < stepsOfRound; at++) {
      training.step(at + 1);
      known.push(training.hashes());
    }
  }
  let at = 0;
  return (iteration) => {
    if (at === 0) training.restart();
    training.step(at + 1);
    for (const { products } of lanes) products.put(iteration);
    if (corrupt?.iteration === iteration) flipParameter(device, training, corrupt.bit);
    const wanted = known[at];
    const found = wanted === undefined ? {} : training.hashes();
    device.synchronize();
    const names = Object.keys(found).filter((name) => found[name] !== wanted?.[name]);
    const detail = `other bits after step ${at} of its round than before the run`;
    const ofTraining = { iteration, place: `the ${names.join(" and the ")} layer`, detail };
    // What comes after a wrong step is wrong too and says nothing new.
    at = names.length > 0 ? 0 : (at + 1) % stepsOfRound;
    return names.length > 0 ? [ofTraining] : lanes.flatMap((lane) => askLane(lane)).slice(0, 1);
  };
}

function askLane(lane: Lane): readonly Mismatch[] {
  const found = lane.products.found();
  if (found === undefined || found.wrongProducts === lane.wrong) return [];
  lane.wrong = found.wrongProducts;
  const first = mismatchOf(found);
  if (first === undefined) return [];
  return [{ ...first, place: `${first.place} of the ${lane.format} product` }];
}

function flipParameter(device: CudaDevice, { params }: CudaTraining, bit: number): void {
  const [first] = Object.values(params);
  if (first === undefined) return;
  flipBit(device, { buffer: first.buffer, bit: bit % (8 * first.bytes) });
}
