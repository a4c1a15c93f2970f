import { toTesseraError } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/store/index.ts";
import type { NodeControls, NodeTraces } from "../clusters/cluster.ts";
import type { ApplyPorts } from "./apply-actions.ts";

export interface ClearPorts
  extends Pick<ApplyPorts, "cluster" | "history" | "audit" | "nowMs" | "auditNowMs"> {
  readonly controls: Pick<NodeControls, "clear">;
}

/**
 * Takes everything of ours off a node and opens it if we closed it, because a person says so. It is in the
 * audit log before it is begun and after it ended; that a node was opened is among its events.
 *
 * @returns what was there; undefined when there was nothing
 * @throws what the cluster throws, when that is in the audit log
 */
export async function clearNode(
  node: string,
  by: { readonly actor: string; readonly reason: string },
  ports: ClearPorts,
): Promise<NodeTraces | undefined> {
  const { actor, reason } = by;
  const audit = (details: JsonObject) =>
    ports.audit({
      atMs: ports.auditNowMs(),
      actor,
      action: "node.clear",
      subject: `${ports.cluster}/${node}`,
      details: { ...details, reason },
    });
  await audit({ phase: "begin" });
  let traces: NodeTraces | undefined;
  try {
    traces = await ports.controls.clear(node);
  } catch (thrown) {
    const { code, message } = toTesseraError(thrown);
    await audit({ phase: "failed", code, problem: message });
    throw thrown;
  }
  const { isClosedByUs = false, labels = [], annotations = [] } = traces ?? {};
  if (isClosedByUs) {
    const { cluster } = ports;
    const details = { reason, actor, runIds: [] };
    const event = { cluster, node, atMs: ports.nowMs(), kind: "released", details } as const;
    await ports.history.recordNodeEvents([event]);
  }
  await audit({ phase: "done", opened: isClosedByUs, tookOff: [...labels, ...annotations] });
  return traces;
}
