import { dtypeInfo } from "../../../tensor/dtype/index.ts";
import type { Tensor } from "../../../tensor/index.ts";
import type { Call } from "../call.ts";

/** What all members bring together. */
export function totalBytes(all: readonly Call[]): number {
  return all.reduce((sum, { tensor }) => sum + bytesOf(tensor), 0);
}

/** What one brings; nothing is 0. */
export function bytesOf(tensor: Tensor | undefined): number {
  return tensor === undefined ? 0 : tensor.size * dtypeInfo(tensor.dtype).bytes;
}
