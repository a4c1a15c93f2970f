import { type FaultAction, type HardwareFault, isLive, nodeOf } from "../../objects/index.ts";
import { type GuardRule, judging, ok, refuse } from "../guard-rule.ts";

/** Nobody else breaks the same thing now, and nothing is broken twice in the same way. */
export const notBrokenAlready: GuardRule = ({ request, action, facts }) =>
  judging("the faults in force", facts.faults, (faults) => {
    const live = faults.filter(isLive);
    const node = nodeOf(action);
    const other = live.find(
      ({ spec }) => spec.run !== request.run && node !== undefined && nodeOf(spec.action) === node,
    );
    if (other !== undefined)
      return refuse(`${node} is broken by ${nameOf(other)} of the run ${other.spec.run}`);
    const same = live.find(({ spec }) => clash(spec.action, action));
    if (same !== undefined) return refuse(`${nameOf(same)} already does this`);
    return ok("nothing else breaks it");
  });

/** The two would write to the same place. Lines in a log never do. */
function clash(a: FaultAction, b: FaultAction): boolean {
  if (a.kind === "cuda" && b.kind === "cuda") return a.node === b.node && a.scope === b.scope;
  if (a.kind === "passthrough" && b.kind === "passthrough") return a.scope === b.scope;
  if (a.kind === "partition" && b.kind === "partition")
    return a.namespace === b.namespace && a.policy === b.policy;
  return false;
}

function nameOf(fault: HardwareFault): string {
  return fault.metadata.name ?? "a fault";
}
