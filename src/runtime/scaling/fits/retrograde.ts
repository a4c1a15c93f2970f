import { errorMeanMax } from "./akaike.ts";
import type { Fitted, ModelFit, Retrograde, ScalingCurve } from "./types.ts";

/** Below this kappa the greatest throughput lies beyond any machine. */
const kappaMin = 1e-12;

/** Where the universal scalability law turns: N* = sqrt((1 - sigma)/kappa). */
export function retrogradeOf(curve: ScalingCurve, usl: Fitted<ModelFit>): Fitted<Retrograde> {
  if (usl.status === "inconclusive") return usl;
  if (usl.errorMean > errorMeanMax) {
    const percent = (100 * usl.errorMean).toFixed(0);
    const reason = `the universal scalability law is off by ${percent} % on average`;
    return { status: "inconclusive", reason };
  }
  const sigma = usl.parameters["sigma"]?.value ?? 0;
  const { value: kappa = 0, interval = { low: kappa, high: kappa } } =
    usl.parameters["kappa"] ?? {};
  const turnsAt = (at: number) => Math.max(1, Math.sqrt((1 - sigma) / at));
  const devicesAt = (relative: number) => Math.round(relative * curve.baseDevices);
  if (interval.high < kappaMin) return { status: "fitted" };
  if (interval.low < kappaMin) {
    const earliest = devicesAt(turnsAt(interval.high));
    const reason = `kappa cannot be told from 0, so whether the curve turns is open; hardly before ${earliest} devices`;
    return { status: "inconclusive", reason };
  }
  const relative = turnsAt(kappa);
  const largest = curve.points.at(-1)?.relativeDevices ?? 1;
  const delay = 1 + sigma * (relative - 1) + kappa * relative * (relative - 1);
  return {
    status: "fitted",
    devices: devicesAt(relative),
    extrapolated: relative > largest,
    speedUp: (usl.baseShare * relative) / delay,
  };
}
