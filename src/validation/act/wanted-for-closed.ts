import type { NodeEvent } from "../history/history.ts";
import type { CheckStates } from "../judge/index.ts";
import type { WantedRun } from "../plan/planner.ts";
import type { GuardSettings } from "../settings.ts";
import { acceptanceOf } from "./acceptance.ts";
import { deedsOf } from "./node-record.ts";

/**
 * The runs that closed nodes need, from the events alone: those that were closed by us and not opened
 * since. A node that a person holds is left alone.
 *
 * @returns what is due first comes first; and the nodes for which nothing else is to be run.
 */
export function wantedForClosed(given: {
  readonly states: CheckStates;
  readonly events: readonly NodeEvent[];
  readonly requiredChecks: readonly string[];
  readonly guard: Pick<GuardSettings, "cooldownMs" | "retestAfterMs">;
}): { readonly wanted: readonly WantedRun[]; readonly nodes: ReadonlySet<string> } {
  const wanted: WantedRun[] = [];
  const nodes = new Set<string>();
  for (const [node, { cordoned, override, repairedAtMs }] of deedsOf(given.events)) {
    const isHeld = override?.action === "hold";
    if (!isHeld && cordoned === undefined) continue;
    nodes.add(node);
    const isReleased = override?.action === "release" && override.atMs >= (cordoned?.atMs ?? 0);
    if (isHeld || isReleased || cordoned === undefined) continue;
    wanted.push(...acceptanceOf(node, { ...given, cordoned, repairedAtMs }).wanted);
  }
  return { wanted: wanted.toSorted((a, b) => a.notBeforeMs - b.notBeforeMs), nodes };
}
