import type { Tensor } from "../../../tensor/index.ts";
import { chainFrom } from "../../collectives/routes.ts";
import type { Call } from "../call.ts";
import type { MessageOptions, ReceiveOptions } from "./options.ts";
import { bytesOf } from "./sizes.ts";

/** The sender has the first seat of a message, the receiver the second. */
export function sendCall(tensor: Tensor, to: number, { tag = 0 }: MessageOptions): Call {
  return {
    ...message,
    tensor,
    wish: `send of ${tensor.toString()} to rank ${to}, tag ${tag}`,
    terms: { shape: tensor.shape.join(" x "), dtype: tensor.dtype },
  };
}

export function receiveCall(from: number, options: ReceiveOptions): Call {
  const { tag = 0, shape, dtype } = options;
  const expected =
    shape === undefined && dtype === undefined
      ? ""
      : ` of ${dtype ?? ""}${shape === undefined ? "" : `[${shape.join(", ")}]`}`;
  return {
    ...message,
    tensor: undefined,
    wish: `recv${expected} from rank ${from}, tag ${tag}`,
    terms: { shape: shape?.join(" x "), dtype },
  };
}

const message = {
  op: "send-recv",
  phase: "send",
  route: (group: readonly number[]) => chainFrom(group, 0),
  bytes: ([sender]: readonly Call[]) => bytesOf(sender?.tensor),
  combine: ([sender]: readonly Call[]) => [undefined, sender?.tensor],
} as const;
