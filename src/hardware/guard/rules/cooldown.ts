import type { HardwareFault } from "../../objects/index.ts";
import { type GuardRule, judging, ok, refuse } from "../guard-rule.ts";

/**
 * A node rests between XIDs: a detector that is still clearing up after one may take the next for
 * part of it. Lines of a run that is still going on are its own business.
 */
export const cooldown: GuardRule = ({ request, action, facts, limits }) => {
  if (action.kind !== "xid") return undefined;
  return judging("earlier faults", facts.faults, (faults) => {
    const ends = faults
      .filter(({ spec }) => spec.action.kind === "xid" && spec.action.node === action.node)
      .filter(({ spec }) => spec.run !== request.run)
      .flatMap((fault) => endedAtMs(fault) ?? []);
    const restedMs = facts.nowMs - Math.max(Number.NEGATIVE_INFINITY, ...ends);
    if (restedMs >= limits.cooldownSeconds * 1000)
      return ok(
        ends.length === 0 ? "no XID before on this node" : "the last XID there is long ago",
      );
    const seconds = Math.ceil(limits.cooldownSeconds - restedMs / 1000);
    return refuse(`${action.node} rests for another ${seconds} s after its last XID`);
  });
};

function endedAtMs({ status }: HardwareFault): number | undefined {
  if (status?.state !== "reverted" && status?.state !== "failed") return undefined;
  const atMs = Date.parse(status.history?.at(-1)?.at ?? "");
  return Number.isNaN(atMs) ? undefined : atMs;
}
