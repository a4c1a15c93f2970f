import { TesseraError } from "../../platform/errors/index.ts";
import type { PlanAnswer } from "../api/index.ts";
import { type Comparison, compareWithObserved, type FaultPlan } from "../plan/index.ts";
import type { TestFault } from "./fault-service.ts";
import type { RecoveryRecord } from "./recovery/index.ts";

/** @throws E_HW_REFUSED with every rule that says no, before anything was changed. */
export function assertAllowed(plans: readonly PlanAnswer[], what: string): void {
  const refused = plans
    .flatMap(({ findings }) => findings)
    .filter(({ verdict }) => verdict === "refuse");
  if (refused.length === 0) return;
  const problem = [...new Set(refused.map(({ reason }) => reason))].join("; ");
  throw new TesseraError("E_HW_REFUSED", { what, problem, findings: refused });
}

/** What the plan of the XID said would happen beside what did. */
export function compareForetold(
  plans: readonly PlanAnswer[],
  faults: readonly TestFault[],
  record: RecoveryRecord | undefined,
): readonly Comparison[] {
  const plan = plans.at(-1)?.plan;
  if (plan === undefined || !isFaultPlan(plan) || record === undefined) return [];
  const cordon = record.times.cordon;
  return compareWithObserved(plan, {
    detected: faults.filter(({ kind }) => kind === "xid").flatMap(detections),
    cordonedBy: record.cordonedBy,
    ...(cordon === null ? {} : { cordonAfterMs: cordon }),
  });
}

/** Answers of another version of the API may lack what is compared. */
function isFaultPlan(plan: object): plan is FaultPlan {
  return "detectors" in plan && Array.isArray(plan.detectors) && "realReboot" in plan;
}

/** Both times are the cluster's, so that they can be compared. */
function detections({ sightings, injectedAt }: TestFault) {
  const injectedMs = injectedAt === null ? Number.NaN : Date.parse(injectedAt);
  return sightings.map(({ by, at }) => {
    const afterMs = Date.parse(at) - injectedMs;
    return { by, ...(Number.isFinite(afterMs) ? { afterMs: Math.max(0, afterMs) } : {}) };
  });
}
