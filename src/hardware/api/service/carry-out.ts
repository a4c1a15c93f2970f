import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { type KubeClient, kubeFailureOf } from "../../../platform/kube/index.ts";
import type { HardwareFault, PartitionAction } from "../../objects/index.ts";
import { applyFields } from "../../workload/index.ts";
import { networkPolicies, networkPolicyOf } from "../network-policy.ts";
import type { FaultApiPorts } from "../ports.ts";

/** True for the kinds that the API carries out itself; the others are the agent's. */
export function isOurs(fault: HardwareFault): boolean {
  const { kind } = fault.spec.action;
  return kind === "passthrough" || kind === "partition";
}

/**
 * Does what an armed fault of ours asks for; doing it twice is doing it once. What cannot be done is
 * taken back, since nobody knows how far it came.
 *
 * @throws TesseraError E_HW_WORKLOAD, or E_HW_FAILED with the cause
 */
export async function carryOut(
  ports: Pick<FaultApiPorts, "client" | "book" | "reaper" | "log">,
  fault: HardwareFault,
): Promise<HardwareFault> {
  const { name = "" } = fault.metadata;
  try {
    await act(ports.client, fault);
  } catch (error) {
    ports.log.error({ err: error, fault: name }, "a fault could not be carried out");
    await giveUp(ports, name, messageOf(error)).catch((err: unknown) => {
      ports.log.error({ err, fault: name }, "what could not be carried out is not taken back yet");
    });
    const details = { what: `Fault ${name}`, problem: messageOf(error).replace(/\.$/, "") };
    throw new TesseraError("E_HW_FAILED", details, { cause: error });
  }
  return ports.book.injected(name);
}

async function giveUp(
  { book, reaper }: Pick<FaultApiPorts, "book" | "reaper">,
  name: string,
  message: string,
): Promise<void> {
  await book.failed(name, message);
  await reaper.revert(name, "not-carried-out");
}

async function act(client: KubeClient, fault: HardwareFault): Promise<void> {
  const { action } = fault.spec;
  if (action.kind === "partition") return createPolicy(client, action, fault);
  const entry = fault.status?.undo?.find(({ kind }) => kind === "workload");
  if (entry?.kind !== "workload") {
    throw new TesseraError("E_HW_FAILED", {
      what: `Fault ${fault.metadata.name}`,
      problem: "its undo record is not written",
    });
  }
  await applyFields(client, entry.workload, entry.fields, { uid: entry.uid });
}

async function createPolicy(
  client: KubeClient,
  action: PartitionAction,
  fault: HardwareFault,
): Promise<void> {
  const policy = networkPolicyOf(action, fault.metadata.name ?? "");
  try {
    await client.create(networkPolicies, policy);
  } catch (error) {
    // The name is ours alone: a policy that is there is the one of an attempt before.
    if (kubeFailureOf(error)?.reason !== "AlreadyExists") throw error;
  }
}
