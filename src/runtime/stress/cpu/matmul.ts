import type { Clock } from "../../../platform/time/clock.ts";
import { bytesOf } from "../../tensor/dtype/index.ts";
import { ops, rand, Tensor } from "../../tensor/index.ts";
import type { Corruption, StressEngine } from "../engine.ts";
import { flipBit } from "../flip-bit.ts";
import { createStepEngine } from "../step-engine.ts";
import { processorFacts, processorsName } from "./host-name.ts";
import { createRowCheck } from "./row-check.ts";

/** Formats whose products the row check can judge to the last bit. */
export const cpuMatmulDTypes = ["f32", "bf16", "f16"] as const;
export type CpuMatmulDType = (typeof cpuMatmulDTypes)[number];

export interface CpuMatmulOptions {
  readonly clock: Clock;
  /** Rows and columns. @default 1024 */
  readonly size?: number;
  /** @default "f32", which is what the processor multiplies; the others are converted first */
  readonly dtype?: CpuMatmulDType;
  /** @default true */
  readonly verify?: boolean;
  readonly corrupt?: Corruption;
}

/** Products of two fixed matrices on all threads of this machine, in WebAssembly. */
export function createCpuMatmul(options: CpuMatmulOptions): StressEngine {
  const { clock, size = 1024, dtype = "f32", verify = true, corrupt } = options;
  const shape = [size, size];
  const a = rand(shape, { dtype, seed: "stress", stream: "a" });
  const b = rand(shape, { dtype, seed: "stress", stream: "b" });
  const check = verify ? createRowCheck(a, b) : undefined;
  // What the others are compared with comes before the first that counts.
  const early = [...(check?.check(ops.matmul(a, b)) ?? [])];
  const how = verify ? "each verified by a checksum of every row" : "none verified";
  return createStepEngine(
    {
      device: "cpu",
      deviceName: processorsName(),
      description: `${dtype} products of ${size} x ${size}, ${how}`,
      work: { iteration: "product", amount: (2 * size ** 3) / 1e9, unit: "GFLOP" },
      verifies: verify,
      facts: { size, dtype, ...processorFacts() },
      step: (iteration) => {
        const product = ops.matmul(a, b);
        const found = corrupt?.iteration === iteration ? flipped(product, corrupt.bit) : product;
        const wrong = [...early.splice(0), ...(check?.check(found) ?? [])];
        const [first] = wrong;
        if (first === undefined) return [];
        const more = wrong.length === 1 ? "" : `; ${wrong.length - 1} rows more`;
        return [{ iteration, place: `row ${first.row}`, detail: `${first.detail}${more}` }];
      },
    },
    clock,
  );
}

function flipped({ dtype, shape, raw }: Tensor, bit: number): Tensor {
  const copy = raw.slice();
  flipBit(bytesOf(copy), bit);
  return Tensor.over(copy, { dtype, shape });
}
