import type { ExperimentRun } from "../../chaos/experiment/index.ts";
import type { Recovery, RunMetrics } from "../../chaos/judge/index.ts";
import { recoveryPhases } from "../../chaos/plan/index.ts";
import { tableOf } from "../text-table.ts";
import { timelineOf } from "./timeline.ts";
import { figureText, timeText } from "./words.ts";

const metricNames: Readonly<Record<Exclude<keyof RunMetrics, "more">, string>> = {
  throughputStability: "throughput stability",
  recoverySeconds: "recovery, seconds",
  rollbackSuccessRate: "rollback success rate",
  memoryFragmentation: "memory fragmentation",
  deadlocks: "deadlocks",
  livelocks: "livelocks",
  ettr: "ETTR",
  goodput: "goodput",
};

/** A run for people: the verdict first, then what happened, then how good it was. */
export function showRun(run: ExperimentRun): readonly string[] {
  const { plan, record, judgement } = run;
  const source = record.provenance;
  return [
    `${judgement.outcome.toUpperCase()}  ${plan.title}`,
    judgement.reason,
    "",
    ...tableOf(factsOf(run)),
    "",
    `TIMELINE (${source} time from the start of the workload)`,
    ...tableOf(timelineOf(record).map(({ atUs, text }) => [`  ${timeText(atUs)}`, text])),
    ...recoveryLines(judgement.recoveries, source),
    "",
    `METRICS (${source})`,
    ...tableOf(
      Object.entries(metricNames).map(([key, name]) => [
        `  ${name}`,
        figureText(judgement.metrics[key as keyof typeof metricNames]),
        ...(key === "ettr" ? [timeUseText(judgement.metrics)] : []),
      ]),
    ),
    "",
    "FINDINGS",
    ...tableOf(
      judgement.findings.map(({ outcome, property, reason }) => [`  ${outcome}`, property, reason]),
    ),
    ...record.notes.map((note) => `note: ${note}`),
  ];
}

const timeUses = {
  badputStartup: "starting",
  badputSave: "saving",
  badputRecovery: "recovery",
  badputWasted: "steps that did not stay",
  badputPaused: "waiting for a person",
  badputOther: "after the last step",
} as const;

/** What the rest of the time went to: a short job is mostly starting, and that says little about the fault. */
function timeUseText({ more }: RunMetrics): string {
  const uses = Object.entries(timeUses).flatMap(([key, name]) => {
    const percent = Math.round(100 * (more[key] ?? 0));
    return percent === 0 ? [] : [{ percent, text: `${percent} % ${name}` }];
  });
  const wall = more["wallSeconds"] ?? 0;
  if (uses.length === 0 || wall === 0) return "";
  const words = uses.toSorted((one, other) => other.percent - one.percent).map(({ text }) => text);
  return `steps that stayed; of ${timeText(wall * 1e6)} in all, ${words.join(", ")}`;
}

function factsOf({ plan, record, baseline }: ExperimentRun): readonly (readonly string[])[] {
  const digest = record.stateDigest ?? "none: the job did not finish";
  const isSame = record.stateDigest !== null && record.stateDigest === baseline?.stateDigest;
  const compared =
    baseline === null
      ? "nothing to compare with"
      : isSame
        ? "as without faults"
        : "not as without faults";
  return [
    ["  world", `${record.world} (${record.provenance}), seed ${plan.seed}`],
    ["  claim", plan.expect.claim],
    ["  end", `${record.end} after ${timeText(record.endUs)}`],
    ["  state", `${digest} (${compared})`],
    ...(record.traceHash === null ? [] : [["  trace", record.traceHash]]),
    [
      "  residual",
      record.residualFaults.length === 0 ? "no fault is left" : record.residualFaults.join("; "),
    ],
  ];
}

function recoveryLines(recoveries: readonly Recovery[], source: string): readonly string[] {
  if (recoveries.length === 0) return [];
  return [
    "",
    `RECOVERIES (${source}, from the effect to the end of each phase)`,
    ...tableOf([
      ["  FAULTS", "PATH", ...recoveryPhases.map((phase) => phase.toUpperCase()), "STEPS LOST"],
      ...recoveries.map(({ faults, path, effectUs, endsUs, stepsLost }) => [
        `  ${faults.join(", ")}`,
        path ?? "none found",
        ...recoveryPhases.map((phase) => {
          const endUs = endsUs[phase];
          return endUs === null ? "–" : timeText(endUs - effectUs);
        }),
        String(stepsLost),
      ]),
    ]),
  ];
}
