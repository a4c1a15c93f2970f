import assert from "node:assert/strict";
import type { TensorWorld } from "../../ranks/index.ts";
import { dtypes, fromValues, type Tensor, zeros } from "../../tensor/index.ts";

/** Dtype, number of dimensions, dimensions: tells the receiver what to make room for. */
const headLength = 16;

/** Hands a tensor from the first rank of a world of two to the second. */
export async function sendTensor(pair: TensorWorld, tensor: Tensor): Promise<void> {
  const { dtype, shape } = tensor;
  assert(shape.length <= headLength - 2, "a tensor of few dimensions");
  const head = new Int32Array(headLength);
  head.set([dtypes.indexOf(dtype), shape.length, ...shape]);
  await Promise.all([
    pair.broadcast(fromValues(head, { dtype: "i32", shape: [headLength] })),
    pair.broadcast(tensor),
  ]);
}

/** What the first rank of a world of two sends next, on the second. */
export async function receiveTensor(pair: TensorWorld): Promise<Tensor> {
  const head = await pair.broadcast(zeros([headLength], { dtype: "i32" }));
  const [kind = -1, rank = 0, ...rest] = head.toNumbers();
  const dtype = dtypes[kind];
  assert(dtype !== undefined && rank <= rest.length, "a head says what follows");
  return pair.broadcast(zeros(rest.slice(0, rank), { dtype }));
}
