import type { ExactKind } from "../../../cuda/nccl/index.ts";
import type { WireDType } from "../../ranks.ts";

/** An element type as NCCL and the kernels know it. */
export interface ElementType {
  /** Of ncclDataType_t. */
  readonly code: number;
  readonly kind: ExactKind;
}

export const elementTypes: Readonly<Record<WireDType, ElementType>> = {
  i8: { code: 0, kind: "byte" },
  u8: { code: 1, kind: "byte" },
  i32: { code: 2, kind: "i32" },
  f16: { code: 6, kind: "f16" },
  f32: { code: 7, kind: "f32" },
  f64: { code: 8, kind: "f64" },
  bf16: { code: 9, kind: "bf16" },
};

/** Of ncclRedOp_t. */
export const ncclSum = 0;
