import type { DType } from "../../tensor/dtype/index.ts";
import { fromValues, Tensor, type TensorValues } from "../../tensor/index.ts";
import type { RandomSpec } from "../../tensor/random/index.ts";
import { shapeError, sizeOf } from "../../tensor/shape.ts";
import {
  type Layout,
  type LayoutSpec,
  localSlices,
  partial,
  resolveLayout,
} from "../layout/index.ts";
import type { DeviceId, Mesh } from "../mesh/index.ts";
import type { Block } from "./block.ts";
import { ConstantBlock } from "./constant-block.ts";
import { DistTensor } from "./dist-tensor.ts";
import { RandomBlock } from "./random-block.ts";
import { TensorBlock } from "./tensor-block.ts";

type TypedValues = Exclude<TensorValues, number | readonly unknown[]>;

/** A shape as a list of whole numbers, values as a typed array, or `{ values }`. */
export type TensorInput =
  | readonly number[]
  | TypedValues
  | { readonly values: TensorValues; readonly shape?: readonly number[] };

export interface TensorOptions {
  readonly mesh: Mesh;
  /** Default: replicated; with `distinct`, partial by sum. */
  readonly layout?: LayoutSpec | Layout;
  /** Default: f32, or what a Float64Array, Int32Array or Uint8Array of values holds. */
  readonly dtype?: DType;
  /** The value of every element. Default: 0. */
  readonly fill?: number;
  /** Random values, the same for every layout and mesh: element i of the whole is value i. */
  readonly random?: RandomSpec;
  /**
   * Every device has random values of its own, as gradients are before they are summed. They depend
   * on the device's id, not on its rank. Default: false.
   */
  readonly distinct?: boolean;
}

/**
 * A tensor on the devices of a mesh. Nothing is allocated before it is read, and devices with the
 * same part share it. With a partial layout every device holds the values as its own term.
 *
 * @throws E_SHAPE for a bad shape or options that contradict each other; E_DTYPE; the layout's
 *   own errors.
 */
export function tensor(input: TensorInput, options: TensorOptions): DistTensor {
  const { fill, random, distinct = false } = options;
  if (isShape(input)) {
    if (fill !== undefined && random !== undefined) refuse("`fill` and `random` both give values");
    if (distinct && random === undefined) refuse("`distinct` needs `random` values");
    return made(input, options);
  }
  if (fill !== undefined || random !== undefined || distinct) {
    refuse("values were given, and `fill`, `random` or `distinct` as well");
  }
  const { mesh, layout } = options;
  return distribute(valuesOf(input, options.dtype), { mesh, ...(layout && { layout }) });
}

/** A tensor's parts on the devices of a mesh, as views: nothing is copied. */
export function distribute(
  whole: Tensor,
  { mesh, layout: spec }: { readonly mesh: Mesh; readonly layout?: LayoutSpec | Layout },
): DistTensor {
  const block = new TensorBlock(whole);
  return cut({ mesh, spec, dtype: whole.dtype, shape: whole.shape, wholeOn: () => block });
}

function made(shape: readonly number[], options: TensorOptions): DistTensor {
  const { mesh, dtype = "f32", fill = 0, random, distinct = false } = options;
  sizeOf(shape, "dist.tensor");
  const spec = options.layout ?? (distinct ? partial("sum") : undefined);
  const box = { shape, slices: shape.map((count) => ({ start: 0, step: 1, count })) };
  const block =
    random === undefined
      ? new ConstantBlock({ dtype, shape, value: fill })
      : new RandomBlock({ dtype, spec: random, box });
  const wholeOn =
    random !== undefined && distinct
      ? (device: DeviceId) => new RandomBlock({ dtype, spec: ownSpec(random, device), box })
      : () => block;
  return cut({ mesh, spec, dtype, shape, wholeOn });
}

interface Cut {
  readonly mesh: Mesh;
  readonly spec: LayoutSpec | Layout | undefined;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** What a device's part is cut from. */
  readonly wholeOn: (device: DeviceId) => Block;
}

function cut({ mesh, spec, dtype, shape, wholeOn }: Cut): DistTensor {
  const layout = resolveLayout(spec, { mesh, shape });
  // Devices with the same part of the same whole share one block.
  const shared = new Map<Block, Map<string, Block>>();
  const blockOf = (rank: number) => {
    const whole = wholeOn(mesh.deviceOf(rank));
    const slices = localSlices(layout, { mesh, shape, rank });
    const key = JSON.stringify(slices);
    const parts = shared.get(whole) ?? new Map<string, Block>();
    const block = parts.get(key) ?? whole.slice(slices);
    shared.set(whole, parts.set(key, block));
    return block;
  };
  return new DistTensor({ mesh, layout, dtype, shape, blocks: blockOf, requested: spec });
}

/** Streams of the devices: 5 and "5" are two devices. */
function ownSpec(spec: RandomSpec, device: DeviceId): RandomSpec {
  return { ...spec, stream: `${JSON.stringify(spec.stream ?? 0)} ${JSON.stringify(device)}` };
}

function isShape(input: TensorInput): input is readonly number[] {
  return Array.isArray(input);
}

function valuesOf(
  input: Exclude<TensorInput, readonly number[]>,
  dtype: DType | undefined,
): Tensor {
  const { values, shape } = ArrayBuffer.isView(input) ? { values: input, shape: undefined } : input;
  return fromValues(values, {
    dtype: dtype ?? ownDType(values),
    ...(shape === undefined ? {} : { shape }),
  });
}

function ownDType(values: TensorValues): DType {
  if (values instanceof Float64Array) return "f64";
  if (values instanceof Int32Array) return "i32";
  if (values instanceof Uint8Array) return "u8";
  return "f32";
}

function refuse(problem: string): never {
  throw shapeError("dist.tensor", problem);
}
