import { marks, nodeOf } from "../../objects/index.ts";
import type { GuardNode } from "../guard-facts.ts";
import {
  type GuardCase,
  type GuardRule,
  judging,
  ok,
  type Ruling,
  refuse,
  warn,
} from "../guard-rule.ts";

/** The node exists, is ready, and is not on the list of those that are never touched. */
export const nodeReady: GuardRule = (guardCase) =>
  onNode(guardCase, (node) => {
    if (node.ready !== "yes")
      return refuse(
        `${node.name} is ${node.ready === "no" ? "not ready" : "silent"}: it is broken already`,
      );
    if (node.cordon.cordoned)
      return warn(`${node.name} is closed to new pods (${node.cordon.evidence}), and will stay so`);
    return ok(`${node.name} is ready`);
  });

/** The node's owner has said that it may be broken. */
export const nodeOptIn: GuardRule = (guardCase) =>
  onNode(guardCase, (node) => {
    if (guardCase.limits.denyNodes.includes(node.name))
      return refuse(`${node.name} is on the list of nodes that are never touched`);
    return node.labels[marks.nodeOptIn] === marks.optInValue
      ? ok(`${node.name} has the label ${marks.nodeOptIn}`)
      : refuse(`${node.name} has no label ${marks.nodeOptIn}=${marks.optInValue}`);
  });

function onNode(
  { action, facts }: GuardCase,
  judge: (node: GuardNode) => Ruling,
): Ruling | undefined {
  const name = nodeOf(action);
  if (name === undefined) return undefined;
  return judging("the nodes", facts.nodes, (nodes) => {
    const node = nodes.find((each) => each.name === name);
    return node === undefined ? refuse(`there is no node ${name}`) : judge(node);
  });
}
