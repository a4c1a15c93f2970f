import type { FaultView } from "../../hardware/api/index.ts";
import { type Comparison, compareWithObserved, type FaultPlan } from "../../hardware/plan/index.ts";
import type { HardwareFaultView } from "../api/faults.ts";

type Predicted = HardwareFaultView["predicted"];

/** What was foretold beside what was seen; nothing for faults that no detector reads. */
export function predictedOf(plan: FaultPlan | undefined, fault: FaultView): Predicted {
  if (plan === undefined || plan.detectors.length === 0) return [];
  const mayStill = isLive(fault);
  return compareWithObserved(plan, observedOf(fault)).map((row) => predictedRow(row, mayStill));
}

/** True while something of it may be in force. */
export function isLive({ state }: Pick<FaultView, "state">): boolean {
  return state !== "reverted" && state !== "failed";
}

/** Answers of another version of the fault API may lack what is compared. */
export function asFaultPlan(plan: object): FaultPlan | undefined {
  const isWhole = "detectors" in plan && Array.isArray(plan.detectors) && "realReboot" in plan;
  return isWhole ? (plan as FaultPlan) : undefined;
}

function observedOf({
  sightings,
  injectedAt,
}: FaultView): Parameters<typeof compareWithObserved>[1] {
  const injectedMs = injectedAt === null ? Number.NaN : Date.parse(injectedAt);
  const after = (at: string) => Math.max(0, Date.parse(at) - injectedMs);
  const cordon = sightings.find(({ what }) => what === "cordon");
  const drain = sightings.find(({ what }) => what === "drain");
  return {
    detected: sightings.map(({ by, at }) => timed({ by }, after(at), "afterMs")),
    ...timed({ cordonedBy: cordon?.by ?? null }, after(cordon?.at ?? ""), "cordonAfterMs"),
    drainState: drain === undefined ? null : (drain.detail ?? "draining"),
  };
}

/** With a time, where it is known. */
function timed<T extends object, Key extends string>(
  value: T,
  afterMs: number,
  key: Key,
): T & { readonly [K in Key]?: number } {
  const time = Number.isFinite(afterMs) ? { [key]: afterMs } : {};
  return { ...value, ...(time as { readonly [K in Key]?: number }) };
}

/** What has not been seen yet may still come; only what was seen, or an end, decides. */
function predictedRow(
  { what, predicted, observed, agrees }: Comparison,
  mayStill: boolean,
): Predicted[number] {
  const [detector = "", ...rest] = what.split(" ");
  const isOpen = agrees === "unknown" || (mayStill && observed === "no");
  const ofMachine = what === "real reboot";
  return {
    detector: ofMachine ? "machine" : detector,
    what: ofMachine ? what : rest.join(" "),
    expected: predicted,
    observed: observed === "unknown" || (mayStill && observed === "no") ? null : observed,
    agrees: isOpen ? null : agrees,
  };
}
