import { present } from "./communicator.ts";
import { desync, disagreements } from "./disagreement.ts";
import type { OpenOperation } from "./meetings.ts";
import type { RankState } from "./rank-state.ts";

/**
 * Why an operation cannot succeed any more, if that is so: something on its way is broken, those who
 * have come disagree, or somebody will never come.
 */
export function doomOf(
  { communicator, slot }: OpenOperation,
  states: readonly RankState[],
): Error | undefined {
  const troubled = present(slot).find(({ trouble }) => trouble !== undefined);
  if (troubled !== undefined) return troubled.trouble;
  const differing = disagreements(slot);
  if (differing.length > 0) {
    return desync({ communicator, slot, states, what: differing.join(" and ") });
  }
  const missing = communicator.missing(slot).map((rank) => states[rank]);
  const failed = missing.find((state) => state?.status === "failed");
  if (failed !== undefined) return failed.failure;
  return missing.some((state) => state?.status === "done")
    ? desync({ communicator, slot, states, what: "number of calls" })
    : undefined;
}
