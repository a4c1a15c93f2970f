import assert from "node:assert/strict";
import type { CudaDevice } from "../../cuda/device/device.ts";
import { gelu, geluBackward, sub } from "../../cuda/ops/elementwise.ts";
import { hashTensor } from "../../cuda/ops/hash.ts";
import { matmul } from "../../cuda/ops/matmul.ts";
import { adamWStep } from "../../cuda/ops/optimizers.ts";
import { CudaTensor, randomOnCuda } from "../../cuda/tensor/index.ts";

const learningRate = 0.001;

/** Training of two layers on a GPU, from the same start again and again. */
export interface CudaTraining extends Disposable {
  /** Of one step. */
  readonly flops: number;
  /** The parameters, by name. */
  readonly params: Readonly<Record<string, CudaTensor>>;
  /** Puts the parameters and moments back to the start. */
  restart(): void;
  /** One step forward, backward and of AdamW; `step` counts from 1 after a restart. */
  step(step: number): void;
  /** Hashes of the parameters by name. Waits for the GPU. */
  hashes(): Readonly<Record<string, bigint>>;
}

/**
 * y = gelu(x W1) W2 fitted to fixed targets: bf16 parameters and activations, f32 sums and moments.
 * All memory is taken at the start.
 *
 * @throws E_CUDA
 */
export function createCudaTraining(device: CudaDevice, side: number): CudaTraining {
  const held: CudaTensor[] = [];
  const keep = (tensor: CudaTensor): CudaTensor => {
    held.push(tensor);
    return tensor;
  };
  const release = () => {
    for (const tensor of held.splice(0)) tensor.free();
  };
  try {
    const shape = [side, side];
    const random = (stream: string) => {
      const spec = { kind: "symmetric", seed: "stress", stream } as const;
      return keep(randomOnCuda(shape, { device, dtype: "bf16", spec }));
    };
    const empty = (dtype: "bf16" | "f32" = "bf16") =>
      keep(CudaTensor.allocate(device, { dtype, shape }));
    const [x, targets] = [random("x"), random("targets")];
    const layers = ["first", "second"].map((name) => ({
      name,
      start: random(name),
      values: empty(),
      mean: empty("f32"),
      square: empty("f32"),
      gradient: empty(),
    }));
    const [first, second] = layers;
    assert(first !== undefined && second !== undefined, "there are two layers");
    const [hidden, active, out, toActive] = [empty(), empty(), empty(), empty()];
    return {
      flops: 5 * 2 * side ** 3,
      params: Object.fromEntries(layers.map(({ name, values }) => [name, values])),
      restart: () => {
        for (const { start, values, mean, square } of layers) {
          device.stream.copy(values, start, start.bytes);
          for (const moment of [mean, square]) device.stream.fill(moment, 0, moment.bytes);
        }
      },
      step: (step) => {
        matmul(x, first.values, { out: hidden });
        gelu(hidden, { out: active });
        matmul(active, second.values, { out });
        // Half the gradient of the squared distance, without a factor: AdamW does not see it.
        sub(out, targets, { out });
        matmul(active, out, { transposeA: true, out: second.gradient });
        matmul(out, second.values, { transposeB: true, out: toActive });
        geluBackward(toActive, hidden, { out: toActive });
        matmul(x, toActive, { transposeA: true, out: first.gradient });
        for (const { values, mean, square, gradient } of layers) {
          adamWStep({ values, mean, square }, gradient, { step, learningRate, inPlace: true });
        }
      },
      hashes: () =>
        Object.fromEntries(layers.map(({ name, values }) => [name, hashTensor(values)])),
      [Symbol.dispose]: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}
