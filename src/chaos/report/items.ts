import type { Fact, ReportItem } from "../../platform/reporters/index.ts";
import type { ExperimentOutcome, ItemStatus } from "../../platform/words.ts";
import {
  type JudgementFinding,
  metricOf,
  metricTable,
  type Recovery,
  type RunAnalysis,
} from "../judge/index.ts";
import { timeText } from "../judge/words.ts";
import { type RecoveryPath, recoveryPhases } from "../plan/index.ts";
import type { InjectionRecord } from "../record/index.ts";
import type { ReportedRun } from "./judged-run.ts";

const statusOf: Readonly<Record<ExperimentOutcome, ItemStatus>> = {
  pass: "pass",
  fail: "fail",
  inconclusive: "unknown",
};

const outcomesInOrder: readonly ExperimentOutcome[] = ["fail", "inconclusive", "pass"];

/** One item for each finding: a test case in JUnit. What went wrong stands first. */
export function propertyItems(findings: readonly JudgementFinding[]): readonly ReportItem[] {
  const seen = new Map<string, number>();
  const place = ({ outcome }: JudgementFinding) => outcomesInOrder.indexOf(outcome);
  return findings
    .toSorted((a, b) => place(a) - place(b))
    .map(({ property, outcome, reason }) => {
      const count = (seen.get(property) ?? 0) + 1;
      seen.set(property, count);
      return {
        name: count === 1 ? property : `${property} ${count}`,
        status: statusOf[outcome],
        label: outcome,
        reason: sentence(reason),
        facts: [],
      };
    });
}

export function faultItems({ record }: ReportedRun): readonly ReportItem[] {
  return record.injections.map((injection) => ({
    name: `${injection.fault} on ${injection.target}`,
    status: "skipped",
    label: injection.effectUs === null ? "no effect" : "took effect",
    reason: faultReason(injection),
    facts: [],
  }));
}

function faultReason({ injectedUs, effectUs, effect, revertedUs }: InjectionRecord): string {
  if (injectedUs === null) return "Its moment never came: it was not injected.";
  const seen =
    effectUs === null
      ? "no effect was seen"
      : `seen at ${timeText(effectUs)}${effect === null ? "" : ` (${effect})`}`;
  const undone = revertedUs === null ? "nothing to undo" : `undone at ${timeText(revertedUs)}`;
  return sentence(`Injected at ${timeText(injectedUs)}, ${seen}, ${undone}`);
}

const pathWords: Readonly<Record<RecoveryPath, string>> = {
  none: "rode out",
  checkpointRestart: "restarted",
  shrink: "shrunk",
  spare: "spare",
  manual: "manual",
  cleanFailure: "gave up",
};

export function recoveryItems({ judgement, record }: ReportedRun): readonly ReportItem[] {
  return judgement.recoveries.map((recovery) => {
    const names = record.injections
      .filter(({ id }) => recovery.faults.includes(id))
      .map(({ fault, target }) => `${fault} on ${target}`);
    return {
      name: names.join(", ") || "no fault explains it",
      status: "skipped",
      label: recovery.path === null ? "never" : pathWords[recovery.path],
      reason: recoveryReason(recovery),
      facts: recoveryPhases.map((phase) => ({
        name: `effect to ${phase}`,
        value: phaseSeconds(recovery, phase) ?? "not reached",
        unit: phaseSeconds(recovery, phase) === null ? "" : "s",
        provenance: record.provenance,
      })),
    };
  });
}

function phaseSeconds(
  { endsUs, effectUs }: Recovery,
  phase: (typeof recoveryPhases)[number],
): number | null {
  const end = endsUs[phase];
  return end === null ? null : (end - effectUs) / 1e6;
}

function recoveryReason({ endsUs, effectUs, path, stepsLost, ranksRestarted }: Recovery): string {
  const lost = `${stepsLost} ${stepsLost === 1 ? "step" : "steps"} done again`;
  if (path === "cleanFailure")
    return sentence(`The job gave up; ${lost.replace(" again", " for nothing")}`);
  if (endsUs.first === null) return "No step was done any more.";
  const first = timeText(endsUs.first - effectUs);
  if (path === "none")
    return sentence(`Nobody had to do anything; the next step came ${first} later`);
  const ranks = `${ranksRestarted} ${ranksRestarted === 1 ? "rank" : "ranks"} restarted`;
  const split = recoveryPhases.map((phase) => {
    const end = endsUs[phase];
    return `${phase} ${end === null ? "not reached" : timeText(end - effectUs)}`;
  });
  return sentence(
    `First step ${first} after the effect; ${lost}, ${ranks}. From the effect to the end of: ${split.join(", ")}`,
  );
}

const headlines = 8;

/** The metrics of the seed one by one, all others together. */
export function metricItems({ judgement, record }: ReportedRun): readonly ReportItem[] {
  const facts = metricTable.map(({ name, title, unit }) => {
    const value = metricOf(judgement.metrics, name) ?? null;
    return { name, title, value, unit };
  });
  const fact = (one: (typeof facts)[number]): Fact => ({
    name: `${one.title} (${one.name})`,
    value: one.value ?? "not measured",
    unit: one.value === null ? "" : one.unit,
    provenance: record.provenance,
  });
  return [
    ...facts.slice(0, headlines).map(
      ({ title, value, unit }): ReportItem => ({
        name: title,
        status: "skipped",
        label: value === null ? "none" : record.provenance,
        reason:
          value === null ? "Not measured: nothing to measure it by." : figureText(value, unit),
        facts: [],
      }),
    ),
    {
      name: "All others",
      status: "skipped",
      label: record.provenance,
      reason: "Definitions: docs/chaos-metrics.md.",
      facts: facts
        .slice(headlines)
        .filter(({ value }) => value !== null)
        .map(fact),
    },
  ];
}

function figureText(value: number, unit: string): string {
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
  return unit === "" ? text : `${text} ${unit}`;
}

/** Why returns to earlier states failed, by reason; none: all went well or there were none. */
export function rollbackNotes({ rollbacks }: RunAnalysis): readonly string[] {
  const counts = new Map<string, number>();
  for (const { failure } of rollbacks) {
    if (failure !== null) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const parts = [...counts].map(([reason, count]) => `${reason} ${count}`);
  return [`Rollbacks that failed: ${parts.join(", ")}.`];
}

function sentence(text: string): string {
  const trimmed = text.trim().replace(/\.?$/, ".");
  return `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}`;
}
