import { broadcastShape } from "../../tensor/ops/broadcast.ts";
import { dtypeError } from "../../tensor/ops/operands.ts";
import { contiguousStrides, formatShape, sameShape, shapeError } from "../../tensor/shape.ts";
import { expandView } from "../../tensor/view.ts";
import { activationKernels } from "../kernels/activation-kernels.ts";
import { arithmeticKernels } from "../kernels/arithmetic-kernels.ts";
import type { KernelFamily } from "../kernels/family.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import type { IntoTensor } from "../tensor/cuda-array.ts";
import { cudaDtypeBytes } from "../tensor/cuda-dtype.ts";
import type { CudaTensor } from "../tensor/cuda-tensor.ts";
import { outputFor, requireCudaFloat, requireOneDevice, requireOneDType } from "./operands.ts";

type Into = IntoTensor<CudaTensor>;

/** a + b with the bits of the host; dimensions of length 1 repeat. @throws E_SHAPE, E_DTYPE; E_CUDA */
export function add(a: CudaTensor, b: CudaTensor, into: Into = {}): CudaTensor {
  return binary("add", [a, b], { family: arithmeticKernels, kernel: "add", into });
}

/** a - b; as `add`. */
export function sub(a: CudaTensor, b: CudaTensor, into: Into = {}): CudaTensor {
  return binary("sub", [a, b], { family: arithmeticKernels, kernel: "sub", into });
}

/** a * b, element by element; as `add`. */
export function mul(a: CudaTensor, b: CudaTensor, into: Into = {}): CudaTensor {
  return binary("mul", [a, b], { family: arithmeticKernels, kernel: "mul", into });
}

/** a / b of floats, element by element; as `add`. */
export function div(a: CudaTensor, b: CudaTensor, into: Into = {}): CudaTensor {
  requireCudaFloat("div", a);
  return binary("div", [a, b], { family: activationKernels, kernel: "div", into });
}

/** The gradient of `relu` at x, with the bits of the host. */
export function reluBackward(gradient: CudaTensor, x: CudaTensor, into: Into = {}): CudaTensor {
  return slope("reluBackward", [gradient, x], "relu_backward", into);
}

/** The gradient of `gelu` at x, computed in f32 (f64 for f64). */
export function geluBackward(gradient: CudaTensor, x: CudaTensor, into: Into = {}): CudaTensor {
  return slope("geluBackward", [gradient, x], "gelu_backward", into);
}

/** The gradient of `silu` at x, computed in f32 (f64 for f64). */
export function siluBackward(gradient: CudaTensor, x: CudaTensor, into: Into = {}): CudaTensor {
  return slope("siluBackward", [gradient, x], "silu_backward", into);
}

/** -x, exactly. @throws E_DTYPE for u8 */
export function neg(x: CudaTensor, into: Into = {}): CudaTensor {
  if (x.dtype === "u8") throw dtypeError("neg", "u8 has no negative values");
  return unary("neg", x, { family: arithmeticKernels, kernel: "neg", into });
}

/** x where it is above 0, else 0. @throws E_DTYPE for integers */
export function relu(x: CudaTensor, into: Into = {}): CudaTensor {
  return activation("relu", x, into);
}

/** x times the normal distribution function of x, computed in f32 (f64 for f64). */
export function gelu(x: CudaTensor, into: Into = {}): CudaTensor {
  return activation("gelu", x, into);
}

/** x times the logistic function of x, computed in f32 (f64 for f64). */
export function silu(x: CudaTensor, into: Into = {}): CudaTensor {
  return activation("silu", x, into);
}

/** x times a double, rounded once, with the bits of the host. @throws E_DTYPE for integers */
export function scale(x: CudaTensor, factor: number, into: Into = {}): CudaTensor {
  requireCudaFloat("scale", x);
  return unary("scale", x, { family: activationKernels, kernel: "scale", into, factor });
}

interface How {
  readonly family: KernelFamily<"T">;
  readonly kernel: string;
  readonly into: Into;
}

function activation(kernel: string, x: CudaTensor, into: Into): CudaTensor {
  requireCudaFloat(kernel, x);
  return unary(kernel, x, { family: activationKernels, kernel, into });
}

function slope(
  op: string,
  operands: readonly [CudaTensor, CudaTensor],
  kernel: string,
  into: Into,
): CudaTensor {
  requireCudaFloat(op, operands[0]);
  return binary(op, operands, { family: activationKernels, kernel, into });
}

function unary(
  op: string,
  x: CudaTensor,
  { family, kernel, into, factor }: How & { readonly factor?: number },
): CudaTensor {
  const device = requireOneDevice(op, x, into.out);
  const out = outputFor(op, device, x, into);
  if (x.size === 0) return out;
  launchKernel(device, {
    source: family.source({ T: x.dtype }),
    kernel,
    grid: gridFor(device, { items: x.size, perThread: 16 / cudaDtypeBytes(x.dtype) }),
    block: 256,
    args: [
      { ptr: x.buffer },
      { ptr: out.buffer },
      { i64: x.size },
      ...(factor === undefined ? [] : [{ f64: factor }]),
    ],
    stream: into.stream,
  });
  return out;
}

function binary(
  op: string,
  [a, b]: readonly [CudaTensor, CudaTensor],
  { family, kernel, into }: How,
): CudaTensor {
  const device = requireOneDevice(op, a, b, into.out);
  const dtype = requireOneDType(op, a, b);
  const shape = broadcastShape(op, a.shape, b.shape);
  const isPlain = sameShape(a.shape, b.shape);
  const strides = isPlain ? [] : stridesOf(op, [a, b], shape);
  const out = outputFor(op, device, { dtype, shape }, into);
  if (out.size === 0) return out;
  const pointers = [{ ptr: a.buffer }, { ptr: b.buffer }, { ptr: out.buffer }, { i64: out.size }];
  launchKernel(device, {
    source: family.source({ T: dtype }),
    kernel: isPlain ? kernel : `${kernel}_strided`,
    grid: gridFor(device, {
      items: out.size,
      perThread: isPlain ? 16 / cudaDtypeBytes(dtype) : 1,
    }),
    block: 256,
    args: [...pointers, ...strides],
    stream: into.stream,
  });
  return out;
}

const dimsMax = 6;

/** Lengths and both strides of the result's dimensions, filled up with ones in front. */
function stridesOf(
  op: string,
  operands: readonly [CudaTensor, CudaTensor],
  shape: readonly number[],
): { readonly i64: number }[] {
  if (shape.length > dimsMax) {
    throw shapeError(op, `${formatShape(shape)} has more than ${dimsMax} dimensions`);
  }
  const padded = (list: readonly number[], fill: number) => [
    ...Array.from({ length: dimsMax - list.length }, () => fill),
    ...list,
  ];
  const strides = operands.map((x) => {
    const view = { shape: x.shape, strides: contiguousStrides(x.shape), offset: 0 };
    return padded(expandView(view, shape).strides, 0);
  });
  return [...padded(shape, 1), ...strides.flat()].map((i64) => ({ i64 }));
}
