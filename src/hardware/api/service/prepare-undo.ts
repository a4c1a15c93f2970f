import { TesseraError } from "../../../platform/errors/index.ts";
import {
  type FaultAction,
  marks,
  type PassthroughAction,
  type UndoEntry,
  type WorkloadUndo,
} from "../../objects/index.ts";
import { passthroughFields, readWorkload, workloadName } from "../../workload/index.ts";
import { networkPolicies } from "../network-policy.ts";
import type { FaultApiPorts } from "../ports.ts";

/** What has to be put back afterwards, as it is now. Changes nothing. */
export async function prepareUndo(
  ports: Pick<FaultApiPorts, "client" | "snapshotNode">,
  action: FaultAction,
  faultName: string,
): Promise<readonly UndoEntry[]> {
  switch (action.kind) {
    case "xid":
      return [await ports.snapshotNode(action.node)];
    case "cuda":
      return [{ kind: "control", node: action.node, scope: action.scope }];
    case "passthrough":
      return [await workloadUndo(ports, action, faultName)];
    case "partition": {
      const { namespace, policy: name } = action;
      return [{ kind: "object", type: networkPolicies, namespace, name }];
    }
  }
}

async function workloadUndo(
  { client }: Pick<FaultApiPorts, "client">,
  { workload, preferNode }: PassthroughAction,
  faultName: string,
): Promise<WorkloadUndo> {
  const object = await readWorkload(client, workload);
  const owner = object.metadata.annotations?.[marks.passthrough];
  const what = `The shim for ${workloadName(workload)}`;
  if (owner !== undefined && owner !== faultName) {
    throw new TesseraError("E_HW_REFUSED", { what, problem: `fault ${owner} has put it in` });
  }
  const fields = passthroughFields(object, workload, {
    faultName,
    ...(preferNode === undefined ? {} : { preferNode }),
  });
  const { uid } = object.metadata;
  if (fields.length === 0 || uid === undefined) {
    throw new TesseraError("E_HW_REFUSED", { what, problem: "it is in already" });
  }
  return { kind: "workload", workload, uid, fields };
}
