import { type GuardRule, judging, ok, refuse, warn } from "../guard-rule.ts";

/** Nobody else's GPU work is on the node. */
export const noCoTenants: GuardRule = ({ request, action, facts, limits }) => {
  if (action.kind !== "xid") return undefined;
  return judging("the pods of the node", facts.pods, (pods) => {
    const others = pods.filter(
      ({ namespace, usesGpus, hasEnded, owner }) =>
        usesGpus && !hasEnded && namespace !== request.namespace && owner?.kind !== "DaemonSet",
    );
    if (others.length === 0) return ok("no GPU pod of another namespace is on the node");
    // Not which: whoever may plan here need not know what runs elsewhere.
    const { length } = others;
    const text = `${length === 1 ? "1 GPU pod of another namespace is" : `${length} GPU pods of other namespaces are`} on ${action.node}`;
    return limits.allowCoTenants ? warn(text) : refuse(text);
  });
};
