import { type ClassifyOptions, classifyRuns } from "../../src/validation/classify/index.ts";
import type { FleetSpec } from "./fleet-spec.ts";
import { makeFleet, type TrueRun } from "./make-fleet.ts";

/** Effects from which on a defect should be found, in standard deviations. */
export const strengthMin = 3;

/** How well a fleet was classified. Counts, so that fleets can be added up. */
export interface Score {
  /** Runs with a defect of at least `strengthMin`, and how many of them were called suspect or fail. */
  readonly defectRuns: number;
  readonly foundRuns: number;
  /** Nodes with such runs, and how many had at least one of these called so. */
  readonly defectNodes: number;
  readonly foundNodes: number;
  /** Runs of healthy nodes, and how many of them were called suspect or fail. */
  readonly healthyRuns: number;
  readonly falseRuns: number;
  /** Incomplete or garbled runs, and how many passed. */
  readonly garbledRuns: number;
  readonly garbledPassed: number;
  /** Runs within an incident, and how many of them were called fail. */
  readonly incidentRuns: number;
  readonly incidentFailed: number;
}

/** A run with its truth and whether it was called bad. */
export interface JudgedRun extends TrueRun {
  readonly verdict: string;
}

export function judgeFleet(spec: FleetSpec, options?: ClassifyOptions): readonly JudgedRun[] {
  const fleet = makeFleet(spec);
  const verdicts = classifyRuns(
    fleet.map(({ run }) => run),
    options,
  );
  return fleet.map((one, at) => ({ ...one, verdict: verdicts[at]?.verdict ?? "missing" }));
}

export function isAlarm({ verdict }: JudgedRun): boolean {
  return verdict === "suspect" || verdict === "fail";
}

/** Counts what was found, missed and called wrongly. */
export function scoreOf(judged: readonly JudgedRun[]): Score {
  const usable = judged.filter(({ garbled, inIncident }) => !garbled && !inIncident);
  const defective = usable.filter(({ strength }) => strength >= strengthMin);
  const healthy = usable.filter(({ defect }) => defect === undefined);
  const garbled = judged.filter((one) => one.garbled);
  const incident = judged.filter(({ inIncident }) => inIncident);
  const nodesOf = (runs: readonly JudgedRun[]) => new Set(runs.map(({ run }) => run.node)).size;
  const found = defective.filter(isAlarm);
  return {
    defectRuns: defective.length,
    foundRuns: found.length,
    defectNodes: nodesOf(defective),
    foundNodes: nodesOf(found),
    healthyRuns: healthy.length,
    falseRuns: healthy.filter(isAlarm).length,
    garbledRuns: garbled.length,
    garbledPassed: garbled.filter(({ verdict }) => verdict === "pass" || verdict === "warn").length,
    incidentRuns: incident.length,
    incidentFailed: incident.filter(({ verdict }) => verdict === "fail").length,
  };
}

/** The sum of scores. */
export function addScores(scores: readonly Score[]): Score {
  const sum = (pick: (score: Score) => number) =>
    scores.reduce((total, score) => total + pick(score), 0);
  return {
    defectRuns: sum((score) => score.defectRuns),
    foundRuns: sum((score) => score.foundRuns),
    defectNodes: sum((score) => score.defectNodes),
    foundNodes: sum((score) => score.foundNodes),
    healthyRuns: sum((score) => score.healthyRuns),
    falseRuns: sum((score) => score.falseRuns),
    garbledRuns: sum((score) => score.garbledRuns),
    garbledPassed: sum((score) => score.garbledPassed),
    incidentRuns: sum((score) => score.incidentRuns),
    incidentFailed: sum((score) => score.incidentFailed),
  };
}
