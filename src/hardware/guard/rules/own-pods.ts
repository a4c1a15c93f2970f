import { nodeOf } from "../../objects/index.ts";
import { type GuardRule, judging, ok, warn } from "../guard-rule.ts";

/** Something of the namespace under test is on the node; else the fault tests nothing of it. */
export const someOwnPods: GuardRule = ({ request, action, facts }) => {
  const node = nodeOf(action);
  if (node === undefined) return undefined;
  return judging("the pods of the node", facts.pods, (pods) =>
    pods.some(({ namespace, hasEnded }) => namespace === request.namespace && !hasEnded)
      ? ok(`pods of ${request.namespace} are on ${node}`)
      : warn(`no pod of ${request.namespace} is on ${node}`),
  );
};
