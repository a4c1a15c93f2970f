import { allocateRaw, bytesOf, dtypeInfo } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import type { Corrupt } from "../health/index.ts";
import type { Call } from "./call.ts";
import type { Result } from "./pending-call.ts";

/** A call as a device makes it that corrupts what it hands over. */
export function corruptedCall(call: Call, all: readonly Corrupt[]): Call {
  const own = all.filter(({ where = "contribution" }) => where === "contribution");
  return own.length === 0 || call.tensor === undefined
    ? call
    : { ...call, tensor: withFlippedBits(call.tensor, own) };
}

/** A result as a device keeps it that corrupts what it is left with. */
export function corruptedResult(result: Result, all: readonly Corrupt[]): Result {
  const own = all.filter(({ where }) => where === "output");
  return own.length === 0 || result === undefined ? result : withFlippedBits(result, own);
}

function withFlippedBits(tensor: Tensor, corruptions: readonly Corrupt[]): Tensor {
  const { dtype, shape, size } = tensor;
  const width = dtypeInfo(dtype).bytes;
  const raw = allocateRaw(dtype, size);
  tensor.copyTo(raw, { start: 0, count: size });
  const bytes = bytesOf(raw);
  for (const { element, bit } of corruptions) {
    if (element >= size || bit >= width * 8) continue;
    // Little-endian: the lowest bits are in the first byte.
    const at = element * width + (bit >> 3);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
  }
  return Tensor.over(raw, { dtype, shape });
}
