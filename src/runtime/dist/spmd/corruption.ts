import { allocateRaw, bytesOf, dtypeInfo } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { nanBytes, reaches } from "../array/corrupt.ts";
import type { Corrupt, Health } from "../health/index.ts";
import type { Call } from "./call.ts";
import type { Arrival } from "./communicator.ts";
import type { Result } from "./pending-call.ts";

interface Wrong {
  readonly health: Health;
  /** Wrong bits of this rank's device. */
  readonly own: readonly Corrupt[];
}

/** A call as a device makes it that corrupts what it hands over. */
export function corruptedCall(call: Call, { health, own }: Wrong): Call {
  const handed = own.filter(({ where = "contribution" }) => where === "contribution");
  return handed.length === 0 || call.tensor === undefined
    ? call
    : { ...call, tensor: withWrongBits(call.tensor, { health, own: handed, op: call.op }) };
}

/** A result as a device keeps it that corrupts what it is left with. */
export function corruptedResult(result: Result, arrival: Arrival): Result {
  const { health, corruptions, call } = arrival;
  const own = corruptions.filter(({ where }) => where === "output");
  return own.length === 0 || result === undefined
    ? result
    : withWrongBits(result, { health, own, op: call.op });
}

function withWrongBits(
  tensor: Tensor,
  { health, own, op }: Wrong & { readonly op: string },
): Tensor {
  const { dtype, shape, size } = tensor;
  const width = dtypeInfo(dtype).bytes;
  const raw = allocateRaw(dtype, size);
  tensor.copyTo(raw, { start: 0, count: size });
  const bytes = bytesOf(raw);
  for (const breakage of own) {
    const { element, bit, device } = breakage;
    if (!reaches(breakage, tensor)) continue;
    const text = `element ${element} of device ${device} is wrong`;
    health.note({ kind: "this", breakage }, { op, what: "corrupted", text });
    if (bit === "nan") {
      bytes.set(nanBytes[dtype] ?? [], element * width);
      continue;
    }
    // Little-endian: the lowest bits are in the first byte.
    const at = element * width + (bit >> 3);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
  }
  return Tensor.over(raw, { dtype, shape });
}
