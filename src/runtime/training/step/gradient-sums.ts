import { allocateRaw, type DType } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { chainGradients, exactGradients, type GradientRule } from "../../tensor/nn/index.ts";
import { ExactTensor } from "../../tensor/ops/index.ts";

/** How gradients are kept, sent and at last rounded. */
export interface GradientSums<G> {
  readonly rule: GradientRule<G>;
  /** The numbers that are sent and added. */
  packed(gradient: G): Tensor;
  /** A gradient like `like` from numbers that were added. */
  unpacked(numbers: Tensor, like: G): G;
  /** The value that the optimizer gets, rounded at most once more. */
  rounded(gradient: G, dtype: DType): Tensor;
}

/** Limbs of exact sums: adding them rounds nothing, in whichever order. */
export const exactGradientSums: GradientSums<ExactTensor> = {
  rule: exactGradients,
  packed: ({ openLimbs }) => openLimbs,
  unpacked: (numbers, { openLimbs, dtype }) =>
    ExactTensor.fromLimbs(numbers.reshape(openLimbs.shape), { dtype }),
  rounded: (gradient, dtype) => gradient.round(dtype),
};

/** Rounded tensors, rounded again when they are added. */
export const chainGradientSums: GradientSums<Tensor> = {
  rule: chainGradients,
  packed: (gradient) => gradient,
  unpacked: (numbers, { shape }) => numbers.reshape(shape),
  rounded: (gradient, dtype) => gradient.to(dtype),
};

/** Tensors of one dtype as one list of numbers, and where each begins. */
export interface Bucket {
  readonly numbers: Tensor;
  readonly names: readonly string[];
}

/** Fills buckets up to a size, in the order given; a tensor is never cut. */
export function bucketsOf(
  packed: Readonly<Record<string, Tensor>>,
  elementsMax: number,
): readonly Bucket[] {
  const buckets: string[][] = [];
  let room = 0;
  for (const [name, { size }] of Object.entries(packed)) {
    const last = buckets.at(-1);
    if (last === undefined || size > room) {
      buckets.push([name]);
      room = Math.max(0, elementsMax - size);
    } else {
      last.push(name);
      room -= size;
    }
  }
  return buckets.map((names) => ({
    names,
    numbers: joined(names.map((name) => packed[name] as Tensor)),
  }));
}

/** One tensor's numbers of a bucket, as a list; `sizes` are those of all, in order. */
export function partOf(numbers: Tensor, sizes: readonly number[], index: number): Tensor {
  const start = sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
  return numbers.slice([{ start, stop: start + (sizes[index] ?? 0) }]);
}

function joined(tensors: readonly Tensor[]): Tensor {
  const size = tensors.reduce((sum, tensor) => sum + tensor.size, 0);
  const dtype = tensors[0]?.dtype ?? "f32";
  const raw = allocateRaw(dtype, size);
  let at = 0;
  for (const tensor of tensors) {
    raw.set(tensor.toRaw(), at);
    at += tensor.size;
  }
  return Tensor.over(raw, { dtype, shape: [size] });
}
