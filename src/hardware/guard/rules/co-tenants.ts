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
    const names = others.slice(0, 5).map(({ namespace, name }) => `${namespace}/${name}`);
    const text = `GPU pods of other namespaces are on ${action.node}: ${names.join(", ")}${others.length > 5 ? ", …" : ""}`;
    return limits.allowCoTenants ? warn(text) : refuse(text);
  });
};
