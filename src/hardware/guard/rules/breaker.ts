import { breakerDefaults, breakerThreshold, nvSentinelNames } from "../../detectors/index.ts";
import { type HardwareFault, isLive } from "../../objects/index.ts";
import type { GuardNode } from "../guard-facts.ts";
import { type GuardRule, judging, ok, refuse } from "../guard-rule.ts";
import { isFatal } from "../xid-outcome.ts";

/**
 * NVSentinel's circuit breaker stays closed. Once it trips, nothing is quarantined or released until
 * somebody resets it by hand. The cordon that reaches the threshold is still done: it is the event
 * after it that trips, and our own recovery would be that event.
 */
export const breakerStaysClosed: GuardRule = ({ action, facts, limits }) => {
  if (action.kind !== "xid" || !isFatal(action)) return undefined;
  return judging("what of NVSentinel is installed", facts.nvsentinel, ({ parts }) => {
    if (!parts.includes("fault-quarantine")) return ok("fault-quarantine is not installed");
    return judging("the state of NVSentinel's circuit breaker", facts.breaker, (status) => {
      if (status === "TRIPPED") return refuse("NVSentinel's circuit breaker has tripped");
      return judging("the nodes", facts.nodes, (nodes) =>
        judging("earlier faults", facts.faults, (faults) => {
          const seen = nodes.filter(({ labels }) => labels[nvSentinelNames.gpuLabel] === "true");
          if (!seen.some(({ name }) => name === action.node))
            return ok(`${action.node} has no label ${nvSentinelNames.gpuLabel}=true`);
          const counted = countedNodes(seen, faults, facts.nowMs);
          const after = new Set([...counted, action.node]).size;
          const threshold = breakerThreshold(seen.length, limits.breakerPercent);
          const text = `${after} of ${seen.length} GPU nodes cordoned lately, it trips at ${threshold}`;
          return after >= threshold ? refuse(text) : ok(text);
        }),
      );
    });
  });
};

/** By NVSentinel's marks, and by our own faults: it may not have come round to those yet. */
function countedNodes(
  nodes: readonly GuardNode[],
  faults: readonly HardwareFault[],
  nowMs: number,
): readonly string[] {
  const marked = nodes.filter(({ countsForBreaker }) => countsForBreaker).map(({ name }) => name);
  const ours = faults.flatMap((fault) => {
    const { action } = fault.spec;
    const madeAtMs = Date.parse(fault.metadata.creationTimestamp ?? "");
    const recent = isLive(fault) || !(madeAtMs < nowMs - breakerDefaults.windowMs);
    return action.kind === "xid" && recent && isFatal(action) ? [action.node] : [];
  });
  return [...new Set([...marked, ...ours])].filter((name) =>
    nodes.some((node) => node.name === name),
  );
}
