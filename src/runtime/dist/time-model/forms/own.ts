import { busFactor } from "../limits.ts";
import type { CollectiveOp } from "../types.ts";
import { bandsAt } from "./bands.ts";
import type { Form } from "./form.ts";

const bands = bandsAt([64, 1024, 16_384, 131_072]);

/** The names of a form's weights, for files that hold them. */
export const ownParameters: readonly string[] = ["launchUs", "hopUs", ...bands.names];

/**
 * What a user's own machine was measured to do: a launch, a hop for each step, and the bytes that a
 * rank sends, with a rate that changes with the size of the message.
 */
export function ownForm(op: CollectiveOp): Form {
  return {
    parameters: ownParameters,
    terms: ({ devices, bytes }) => {
      const share = op === "barrier" ? 0 : busFactor(op, devices);
      return [1, stepsOf(op, devices), ...bands.split(bytes).map((mb) => share * mb)];
    },
  };
}

/** Steps one after the other, on a ring. */
function stepsOf(op: CollectiveOp, devices: number): number {
  switch (op) {
    case "all-reduce":
    case "hierarchical-all-reduce":
      return 2 * (devices - 1);
    case "send-recv":
    case "permute":
      return 1;
    default:
      return devices - 1;
  }
}
