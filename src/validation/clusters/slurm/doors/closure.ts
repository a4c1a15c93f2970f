import type { SlurmNode, SlurmReservation } from "../../../../platform/slurm/index.ts";
import { isDrained, isFailing } from "../discovery/node-states.ts";
import { reservationName, type SlurmIdentity } from "../names.ts";
import { isForUs } from "./whose-drain.ts";

/** Why a node that we closed is not tested; with `on` it is. */
export const closedToTests = {
  "dry-run": "closed; acting is a dry run",
  off: "closed; acting is switched off",
} as const;

/** Who keeps users away from a node, and how. */
export interface Closure {
  /** `ours`: we closed it, or were asked to accept it. */
  readonly by: "nobody" | "ours" | "others";
  /** By whomever. One that others took down or let fail is closed by them also without a drain. */
  readonly drained: boolean;
  /** Our reservation is on it: it is being tested though closed, or was a moment ago. */
  readonly reserved: boolean;
}

export function closureOf(
  node: SlurmNode,
  reservations: readonly SlurmReservation[],
  who: SlurmIdentity,
): Closure {
  const drained = isDrained(node);
  const reserved = reservations.some((one) => isOurReservation(one, node.name, who));
  const ours = drained ? isForUs(node, who) : reserved;
  if (isTakenDown(node, who) || (drained && !ours)) return { by: "others", drained, reserved };
  return { by: ours ? "ours" : "nobody", drained, reserved };
}

/** What Slurm itself says of a node that it does not hear of any more. */
const silence = "Not responding";

/**
 * Failing, or down for a reason that is not ours: whoever said so, or Slurm, closed it, and is to open
 * it.
 */
export function isTakenDown(node: SlurmNode, who: SlurmIdentity): boolean {
  const { state, reason } = node;
  if (isFailing(node)) return true;
  return state === "DOWN" && reason !== "" && reason !== silence && !isForUs(node, who);
}

/** Whether it is the one under which we test a closed node. */
export function isOurReservation(
  { name, users }: SlurmReservation,
  node: string,
  { cluster, user }: SlurmIdentity,
): boolean {
  return name === reservationName(cluster, node) && users.includes(user);
}
