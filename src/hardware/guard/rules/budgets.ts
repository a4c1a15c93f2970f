import type { GuardBudget, GuardPod } from "../guard-facts.ts";
import { type GuardRule, judging, ok, refuse, warn } from "../guard-rule.ts";
import { matchesSelector } from "../label-selector.ts";
import { isFatal } from "../xid-outcome.ts";

/** No pod on the node belongs to something that can spare none now. */
export const budgetsAllow: GuardRule = ({ request, action, facts, limits }) => {
  if (action.kind !== "xid" && action.kind !== "cuda") return undefined;
  if (action.kind === "xid" && !isFatal(action)) return undefined;
  return judging("the pods of the node", facts.pods, (pods) =>
    judging("the disruption budgets", facts.budgets, (budgets) => {
      const full = budgets.filter(
        (budget) => budget.disruptionsAllowed <= 0 && pods.some((pod) => covers(budget, pod)),
      );
      if (full.length === 0) return ok("no disruption budget is used up");
      const text = `no disruption is allowed by ${named(full, request.namespace)}`;
      if (limits.allowBlockedBudgets) return warn(text);
      if (action.kind === "cuda") return warn(`${text}; a crash asks no budget`);
      return judging("what of NVSentinel is installed", facts.nvsentinel, ({ parts }) => {
        if (!parts.includes("node-drainer")) return warn(`${text}; no node-drainer is installed`);
        if (limits.drainMode === "AllowCompletion")
          return warn(`${text}; the drain waits for pods to end by themselves`);
        if (limits.drainMode === "DeleteAfterTimeout")
          return refuse(`${text}, and the drain deletes pods without asking when its time is up`);
        return refuse(`${text}, so the drain would not end`);
      });
    }),
  );
};

/** The own ones by name, those of other namespaces by their number. */
function named(budgets: readonly GuardBudget[], own: string): string {
  const names = budgets
    .filter(({ namespace }) => namespace === own)
    .map(({ namespace, name }) => `${namespace}/${name}`);
  const others = budgets.length - names.length;
  const shown = `${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
  if (others === 0) return shown;
  return names.length === 0
    ? `${others} budget${others === 1 ? "" : "s"} of other namespaces`
    : `${shown} and ${others} of other namespaces`;
}

function covers(budget: GuardBudget, pod: GuardPod): boolean {
  return (
    !pod.hasEnded &&
    budget.namespace === pod.namespace &&
    matchesSelector(budget.selector, pod.labels)
  );
}
