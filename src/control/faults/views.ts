import type { FaultView, PlanAnswer } from "../../hardware/api/index.ts";
import type { FaultPlan } from "../../hardware/plan/index.ts";
import { wordsFor, xidCatalogue } from "../../hardware/xid/index.ts";
import type { HardwareFaultPlanView, HardwareFaultView, XidRow } from "../api/faults.ts";
import { asFaultPlan, isLive, predictedOf } from "./predicted.ts";

export function faultViewOf(fault: FaultView, plan: FaultPlan | undefined): HardwareFaultView {
  const { id, run, kind, namespace, node, target, state, requestedBy, left, message } = fault;
  const { createdAt, injectedAt, observedAt, endedAt, expiresAt, leaseUntil, endReason } = fault;
  return {
    id,
    run,
    kind,
    namespace,
    node,
    target,
    state,
    isLive: isLive(fault),
    requestedBy,
    createdAt,
    injectedAt,
    observedAt,
    endedAt,
    expiresAt,
    leaseUntil,
    endReason,
    sightings: fault.sightings.map(({ at, by, what, detail }) => {
      return { at, by, what, detail: detail ?? null };
    }),
    left,
    message,
    predicted: predictedOf(plan, fault),
  };
}

export function planViewOf({ allowed, findings, plan }: PlanAnswer): HardwareFaultPlanView {
  const known = asFaultPlan(plan);
  return {
    allowed,
    node: known?.node ?? null,
    lines: [...(known?.lines ?? [])],
    detectors: (known?.detectors ?? []).map((each) => {
      const { name, present, matched, isFatal, action, cordon, drain, why } = each;
      return { name, present, matched, isFatal, action, cordon, drain, why };
    }),
    pods: (known?.pods ?? []).map(({ name, workload, effect }) => ({ name, workload, effect })),
    guard: findings.map(({ rule, verdict, reason }) => {
      return { rule, allows: verdict !== "refuse", reason };
    }),
    realReboot: known?.realReboot ?? "unknown",
    restarts: known?.restarts ?? null,
  };
}

/** The XIDs that can be injected, as the fault API lists them. */
export const xidRows: readonly XidRow[] = xidCatalogue
  .filter(({ gpud }) => gpud !== null)
  .map(({ xid: code, name, severity, immediateAction }) => ({
    code,
    name,
    severity,
    description: wordsFor(immediateAction),
  }));
