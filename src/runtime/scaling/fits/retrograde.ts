import type { Fitted, ModelFit, Retrograde, ScalingCurve } from "./types.ts";

/** Below this kappa the greatest throughput lies beyond any machine. */
const kappaMin = 1e-12;

/** Where the universal scalability law turns: N* = sqrt((1 - sigma)/kappa). */
export function retrogradeOf(curve: ScalingCurve, usl: Fitted<ModelFit>): Fitted<Retrograde> {
  if (usl.status === "inconclusive") return usl;
  const sigma = usl.parameters["sigma"]?.value ?? 0;
  const { value: kappa = 0, interval } = usl.parameters["kappa"] ?? {};
  if (kappa < kappaMin) return { status: "fitted" };
  if (interval !== undefined && interval.low < kappaMin) {
    const reason = "kappa cannot be told from 0, so whether and where the curve turns is open";
    return { status: "inconclusive", reason };
  }
  const relative = Math.max(1, Math.sqrt((1 - sigma) / kappa));
  const largest = curve.points.at(-1)?.relativeDevices ?? 1;
  const delay = 1 + sigma * (relative - 1) + kappa * relative * (relative - 1);
  return {
    status: "fitted",
    devices: Math.round(relative * curve.baseDevices),
    extrapolated: relative > largest,
    speedUp: (usl.baseShare * relative) / delay,
  };
}
