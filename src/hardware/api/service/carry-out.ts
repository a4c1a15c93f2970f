import { isTesseraError, messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { type KubeClient, kubeFailureOf } from "../../../platform/kube/index.ts";
import { type HardwareFault, marks, type PartitionAction } from "../../objects/index.ts";
import { applyFields } from "../../workload/index.ts";
import { networkPolicies, networkPolicyOf } from "../network-policy.ts";
import type { FaultApiPorts } from "../ports.ts";
import { takeBackAgain } from "./take-back-again.ts";

type CarryOutPorts = Pick<FaultApiPorts, "client" | "book" | "reaper" | "clock" | "random" | "log">;

/** How the book answers for a fault that has ended, and for one that was deleted after that. */
const endedCodes: ReadonlySet<string> = new Set(["E_HW_REFUSED", "E_HW_FAULT_UNKNOWN"]);

/** True for the kinds that the API carries out itself; the others are the agent's. */
export function isOurs(fault: HardwareFault): boolean {
  const { kind } = fault.spec.action;
  return kind === "passthrough" || kind === "partition";
}

/**
 * Does what an armed fault of ours asks for; doing it twice is doing it once. What cannot be done is
 * taken back, since nobody knows how far it came.
 *
 * @throws TesseraError E_HW_REFUSED when it has ended, E_HW_FAILED with the cause
 */
export async function carryOut(ports: CarryOutPorts, fault: HardwareFault): Promise<HardwareFault> {
  const { name = "" } = fault.metadata;
  checkInForce(fault, ports.clock.nowMs());
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
  try {
    return await ports.book.injected(name);
  } catch (error) {
    if (!isTesseraError(error) || !endedCodes.has(error.code)) throw error;
    // A reaper may have been there before us, and found nothing to take back.
    await takeBackAgain(ports, fault);
    const problem = `${messageOf(error).replace(/\.$/, "")}; what was done meanwhile is taken back again`;
    throw new TesseraError("E_HW_REFUSED", { what: `Fault ${name}`, problem }, { cause: error });
  }
}

/** What has ended is a reaper's alone: it may have been taken back already. */
function checkInForce({ metadata, status }: HardwareFault, nowMs: number): void {
  const isOver = nowMs >= Date.parse(status?.leaseUntil ?? "");
  if (status?.end === undefined && metadata.deletionTimestamp === undefined && !isOver) return;
  const why = status?.end?.reason ?? (isOver ? "lease-missed" : "deleted");
  throw new TesseraError("E_HW_REFUSED", {
    what: `Carrying out fault ${metadata.name}`,
    problem: `it has ended (${why})`,
  });
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
    if (kubeFailureOf(error)?.reason !== "AlreadyExists") throw error;
    const { namespace, name = "" } = policy.metadata;
    const { metadata } = await client.get(networkPolicies, { namespace, name });
    // An attempt before this one may have made it.
    if (metadata.labels?.[marks.madeFor] === fault.metadata.name) return;
    const problem = "there is one of that name, which is not of this fault";
    const what = `The NetworkPolicy ${namespace}/${name}`;
    throw new TesseraError("E_HW_REFUSED", { what, problem }, { cause: error });
  }
}
