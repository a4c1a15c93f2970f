import type { State, StateNode } from "../../checkpoint/state.ts";
import { DistTensor } from "../../dist/index.ts";
import { CudaTensor, Tensor } from "../../tensor/index.ts";
import { formatShape, sameShape, shapeError } from "../../tensor/shape.ts";
import type { CommonState } from "../step/index.ts";

/** A tensor of a state, whole or on a mesh. */
export type StateTensor = Tensor | DistTensor;

/** All of it in the memory of this process. */
export function wholeOf(tensor: StateTensor): Tensor {
  return tensor instanceof DistTensor ? tensor.toTensor() : tensor;
}

/** @param samples in an epoch. @throws E_SHAPE for a state that is none of this training job. */
export function readCommon(state: State, samples: number): CommonState {
  const rng = recordAt(state, "rng");
  const data = recordAt(state, "data");
  const hyper = recordAt(state, "hyper");
  const position = wholeAt(data, "data/position");
  if (position >= samples) throw foreign(`data/position is ${position} of ${samples} samples`);
  const lossScale = numberAt(hyper, "hyper/lossScale");
  if (!(lossScale > 0 && lossScale < Infinity)) throw foreign(`hyper/lossScale is ${lossScale}`);
  return {
    step: wholeAt(state, "step"),
    rng: { seed: textAt(rng, "rng/seed"), drawn: wholeAt(rng, "rng/drawn") },
    data: {
      epoch: wholeAt(data, "data/epoch"),
      position,
      seed: textAt(data, "data/seed"),
    },
    hyper: {
      lossScale,
      goodSteps: wholeAt(hyper, "hyper/goodSteps"),
    },
  };
}

/** The record below a path. @throws E_SHAPE */
export function recordAt(from: State, path: string): State {
  const node = from[lastOf(path)];
  if (node !== undefined && isRecord(node)) return node;
  throw foreign(`${path} is missing`);
}

/** @throws E_SHAPE */
export function wholeAt(from: State, path: string): number {
  const value = numberAt(from, path);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw foreign(`${path} is ${value}, not a whole number from 0`);
}

/** The tensor of a path. @throws E_SHAPE unless it is there with this shape and dtype. */
export function tensorAt(
  from: State,
  path: string,
  { shape, dtype }: { readonly shape: readonly number[]; readonly dtype: string },
): StateTensor {
  const node = from[lastOf(path)];
  if (!(node instanceof Tensor || node instanceof DistTensor)) {
    throw foreign(
      node instanceof CudaTensor
        ? `${path} is on a GPU; bring it to the host`
        : `${path} is missing`,
    );
  }
  if (node.dtype === dtype && sameShape(node.shape, shape)) return node;
  const [found, wanted] = [node, { dtype, shape }].map(
    (one) => `${one.dtype} ${formatShape(one.shape)}`,
  );
  throw foreign(`${path} is ${found}, not ${wanted}`);
}

function numberAt(from: State, path: string): number {
  const value = from[lastOf(path)];
  if (typeof value === "number") return value;
  throw foreign(`${path} is missing`);
}

function textAt(from: State, path: string): string {
  const value = from[lastOf(path)];
  if (typeof value === "string") return value;
  throw foreign(`${path} is missing`);
}

function isRecord(node: StateNode): node is State {
  const isTensor =
    node instanceof Tensor || node instanceof DistTensor || node instanceof CudaTensor;
  return typeof node === "object" && node !== null && !Array.isArray(node) && !isTensor;
}

// Names of parameters have no slashes.
function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function foreign(problem: string): Error {
  return shapeError("training restore", `this is no state of this job: ${problem}`);
}
