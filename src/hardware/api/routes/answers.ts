import { isLive, nodeOf } from "../../objects/index.ts";
import { needsRestart } from "../../workload/index.ts";
import { type FaultResponse, faultResponse } from "../fault-response.ts";
import type { Injected } from "../service/index.ts";

/** The answer to a request for a fault: 201 made, 200 made before, 202 not carried out yet. */
export function injectedReply(
  { fault, created }: Injected,
  note = "",
): { readonly status: number; readonly json: FaultResponse; readonly target: string } {
  const state = fault.status?.state ?? "planned";
  const isPending = state === "planned" || state === "armed";
  const { action, expiresAt } = fault.spec;
  const sentences = [
    created ? "" : "The same request has made it before.",
    isPending ? `The agent of ${nodeOf(action) ?? "its node"} has not carried it out yet.` : "",
    action.kind === "passthrough" ? needsRestart(action.workload) : "",
    action.kind === "partition"
      ? "A network that does not enforce NetworkPolicies lets everything through."
      : "",
    isLive(fault)
      ? `It ends at ${fault.status?.leaseUntil ?? expiresAt} unless it is renewed, and at ${expiresAt} at the latest.`
      : `It is over: ${state}.`,
    note,
  ];
  return {
    status: isPending ? 202 : created ? 201 : 200,
    json: faultResponse(fault, sentences.filter((text) => text !== "").join(" ")),
    target: fault.metadata.name ?? "",
  };
}

/** The answer to a request to take a fault back: 200 when it is over, 202 when it still goes on. */
export function revertedReply(fault: Injected["fault"]): {
  readonly status: number;
  readonly json: FaultResponse;
  readonly target: string;
} {
  const state = fault.status?.state ?? "planned";
  const left = (fault.status?.undo ?? []).flatMap((entry) => entry.left ?? []);
  const isOver = state === "reverted" || state === "failed";
  const message = !isOver
    ? `It is ${state}; it is taken up again until it is over.`
    : left.length === 0
      ? "Everything is as it was."
      : `Left alone, because somebody else changed it: ${left.join("; ")}.`;
  return {
    status: isOver ? 200 : 202,
    json: faultResponse(fault, message),
    target: fault.metadata.name ?? "",
  };
}
