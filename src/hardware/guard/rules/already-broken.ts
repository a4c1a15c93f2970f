import { type FaultAction, type HardwareFault, isLive, nodeOf } from "../../objects/index.ts";
import type { GuardRequest } from "../guard-facts.ts";
import { type GuardRule, judging, ok, refuse } from "../guard-rule.ts";

/** Nobody else breaks the same thing now, and nothing is broken twice in the same way. */
export const notBrokenAlready: GuardRule = ({ request, action, facts }) =>
  judging("the faults in force", facts.faults, (faults) => {
    const live = faults.filter(isLive);
    const node = nodeOf(action);
    const others = live.filter(
      ({ spec }) => spec.run !== request.run && node !== undefined && nodeOf(spec.action) === node,
    );
    if (others.length > 0) return refuse(`${node} is broken by ${named(others, request)}`);
    const same = live.find(({ spec }) => clash(spec.action, action));
    if (same !== undefined) {
      const isOwn = same.spec.namespace === request.namespace;
      return refuse(`${isOwn ? nameOf(same) : "a fault of another namespace"} already does this`);
    }
    return ok("nothing else breaks it");
  });

/** An own fault by name, those of other namespaces by their number. */
function named(faults: readonly HardwareFault[], { namespace }: GuardRequest): string {
  const own = faults.find(({ spec }) => spec.namespace === namespace);
  if (own !== undefined) return `${nameOf(own)} of the run ${own.spec.run}`;
  return faults.length === 1
    ? "1 fault of another namespace"
    : `${faults.length} faults of other namespaces`;
}

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
