import { createRng, type RngStream } from "../../src/platform/rng/index.ts";
import {
  type DefectKind,
  defectKinds,
  type FleetLogOptions,
  fleetChecks,
} from "../../src/validation/fleet-log/index.ts";
import type { CheckFacts } from "../../src/validation/prioritize/index.ts";

/**
 * Fleets with parameters drawn broadly: 50 to 500 nodes, 14 to 90 days, half to nearly all busy,
 * budgets from a seventh of what stale wants to twice of it, jobs of one node and of many, one check
 * or several. Most defects show themselves, some more than others, a few not at all.
 *
 * @param set `tune` is what constants may be chosen on; `report` is for the figures only.
 */
export function drawFleet(
  set: "tune" | "report",
  index: number,
  { nodesMax, daysMax }: { readonly nodesMax: number; readonly daysMax: number },
): FleetLogOptions {
  const stream = createRng("policy-replay").stream(set, index);
  const nodes = Math.round(logUniform(stream, 50, nodesMax));
  return {
    seed: `${set} ${index}`,
    nodes,
    days: Math.round(uniform(stream, 14, daysMax)),
    utilisation: uniform(stream, 0.5, 0.95),
    evidence: logUniform(stream, 0.75, 2.5),
    evidenceSpread: uniform(stream, 0, 0.8),
    defectsPer1000NodeDays: logUniform(stream, 6, 15),
    lemonShare: uniform(stream, 0.03, 0.12),
    lemonFactor: logUniform(stream, 5, 25),
    healthyCrashesPerHour: logUniform(stream, 0.0008, 0.005),
    programEventsPerHour: logUniform(stream, 0.0003, 0.003),
    buggyJobShare: uniform(stream, 0, 0.03),
    jobHours: logUniform(stream, 1.5, 12),
    jobNodesMax: stream.pick([1, 4, 16, 32]),
    restartShare: uniform(stream, 0, 0.6),
    repairDays: stream.pick([0, 15, 30, 60]),
    budget: logUniform(stream, 0.15, 2),
    inFlight: Math.max(2, Math.round(nodes / logUniform(stream, 8, 40))),
    kinds: drawKinds(stream),
    checks: drawChecks(stream),
  };
}

/** Kinds as they come, each with its own strength; up to a tenth of defects leave no evidence. */
function drawKinds(stream: RngStream): readonly DefectKind[] {
  const silent = uniform(stream, 0, 0.03);
  return defectKinds.map((kind) => ({
    ...kind,
    weight: kind.crashesPerBusyHour > 0 ? uniform(stream, 0.1, 0.5) : silent,
    crashesPerBusyHour: kind.crashesPerBusyHour * logUniform(stream, 0.5, 2),
    kernelEventsPerBusyHour: kind.kernelEventsPerBusyHour * logUniform(stream, 0.3, 2),
  }));
}

function drawChecks(stream: RngStream): readonly CheckFacts[] {
  const like = stream.pick(["three", "three", "one", "two"] as const);
  const all = (from: number, to: number) =>
    Object.fromEntries(defectKinds.map(({ name }) => [name, uniform(stream, from, to)]));
  const check = (
    name: string,
    minutes: readonly number[],
    sensitivity: Record<string, number>,
  ) => ({
    name,
    minutes: stream.pick(minutes),
    sensitivity,
    falseAlarm: 0,
  });
  if (like === "one") return [check("all", [10, 30, 60], all(0.7, 0.95))];
  if (like === "two") {
    return [check("quick", [5, 10], all(0.2, 0.6)), check("deep", [30, 60], all(0.85, 0.98))];
  }
  const minutes = [5, 10, 15, 20, 30, 45];
  return fleetChecks.map((one) => ({ ...one, minutes: stream.pick(minutes) }));
}

function uniform(stream: RngStream, from: number, to: number): number {
  return from + (to - from) * stream.float();
}

function logUniform(stream: RngStream, from: number, to: number): number {
  return Math.exp(uniform(stream, Math.log(from), Math.log(to)));
}
