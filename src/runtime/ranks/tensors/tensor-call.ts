import { TesseraError } from "../../../platform/errors/index.ts";
import type { CudaTensor } from "../../cuda/tensor/index.ts";
import type { Tensor } from "../../tensor/tensor.ts";
import type { WireDType } from "../ranks.ts";

/** A tensor that one rank holds: of its host, or of its GPU. */
export type RankTensor = Tensor | CudaTensor;

/** The collectives that tensors of ranks have. */
export type TensorOp = "all-reduce" | "reduce-scatter" | "all-gather" | "all-to-all" | "broadcast";

/** One collective on tensors. */
export interface TensorCall {
  readonly op: TensorOp;
  readonly root: number;
  readonly dtype: WireDType;
  /** Of S of nccl-tests: what one rank brings, or has in the end, whichever is more. */
  readonly elements: number;
  /** Of the answer. */
  readonly shape: readonly number[];
}

const carried: ReadonlySet<string> = new Set<WireDType>(["f32", "f64", "bf16", "f16", "i32", "u8"]);

/** Checks what a rank asks for before anything moves. @throws E_COLLECTIVE */
export function tensorCall(
  op: TensorOp,
  tensor: Pick<RankTensor, "dtype" | "shape" | "size">,
  { worldSize, root }: { readonly worldSize: number; readonly root: number },
): TensorCall {
  const { dtype, shape, size } = tensor;
  if (!carried.has(dtype)) {
    const remedy = "Convert the tensors to bf16 or f32 first.";
    throw refused(op, `${dtype} does not travel between ranks`, remedy);
  }
  if (!Number.isInteger(root) || root < 0 || root >= worldSize) {
    throw refused(op, `there is no rank ${root}`, `Ranks go from 0 to ${worldSize - 1}.`);
  }
  const about = { op, root, dtype: dtype as WireDType };
  const [rows = 1, ...rest] = shape;
  switch (op) {
    case "all-gather":
      return { ...about, elements: size * worldSize, shape: [rows * worldSize, ...rest] };
    case "reduce-scatter":
      requireShares(op, shape, worldSize);
      return { ...about, elements: size, shape: [rows / worldSize, ...rest] };
    case "all-to-all":
      requireShares(op, shape, worldSize);
      return { ...about, elements: size, shape };
    case "all-reduce":
    case "broadcast":
      return { ...about, elements: size, shape };
  }
}

function requireShares(op: TensorOp, shape: readonly number[], worldSize: number): void {
  const [rows] = shape;
  if (rows !== undefined && rows % worldSize === 0) return;
  const problem = rows === undefined ? "a single number has no rows" : `it has ${rows} rows`;
  throw refused(
    op,
    `${problem} to share among ${worldSize} ranks`,
    `Bring tensors whose first dimension is a multiple of ${worldSize}.`,
  );
}

/** Refuses what a rank asks for. */
export function refused(op: TensorOp, problem: string, remedy: string): TesseraError {
  return new TesseraError("E_COLLECTIVE", { op, problem, remedy });
}
