import { type NodeObject, ownCondition } from "../objects/index.ts";
import { correlationIdIn } from "../xid/index.ts";

/** The mark of the XID that our own detector shows on a node and that no test wrote; else undefined. */
export function realCauseMark(node: NodeObject): string | undefined {
  const shown = node.status?.conditions?.find(({ type }) => type === ownCondition);
  // Our own detector always says which test a line was of.
  if (shown?.status !== "True" || correlationIdIn(shown.message ?? "") !== undefined)
    return undefined;
  return `xid-${/^Xid(\d+)$/.exec(shown.reason ?? "")?.[1] ?? "unknown"}`;
}
