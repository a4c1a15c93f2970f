import type { Probe } from "../../plan/index.ts";
import type { ProbeAnswer } from "../../record/index.ts";
import type { RunAnalysis } from "../analysis.ts";
import { jobEndUs } from "../lineage.ts";
import { asClause, timeText } from "../words.ts";
import { type Finding, finding } from "./finding.ts";

/**
 * The steady state must hold before and again after; while faults are in force it may not. What does not hold
 * before proves nothing about the faults, and no answer is no "holds".
 */
export function steadyState(analysis: RunAnalysis): readonly Finding[] {
  const { plan, record } = analysis;
  if (record.end === "aborted") return [];
  return plan.steadyState.map((probe, index) => {
    const answers = record.probes.filter((answer) => answer.probe === index);
    const name = `steady state ${index + 1} (${probe.kind})`;
    const before = answers.filter(({ phase }) => phase === "before");
    const bad = before.find(({ holds }) => holds !== true);
    if (bad !== undefined) {
      const reason = `${name} did not hold before the faults: ${asClause(bad.reason)}`;
      return finding("steady-state", "inconclusive", reason);
    }
    const given = answers.findLast(({ phase }) => phase === "after");
    return afterwards(name, given ?? fromEvents(probe, analysis));
  });
}

function afterwards(name: string, answer: Pick<ProbeAnswer, "holds" | "reason"> | null): Finding {
  if (answer === null || answer.holds === null) {
    const why = answer === null ? "nobody asked" : asClause(answer.reason);
    return finding(
      "steady-state",
      "inconclusive",
      `${name} has no answer after the faults: ${why}`,
    );
  }
  if (answer.holds) {
    return finding("steady-state", "pass", `${name} holds again: ${asClause(answer.reason)}`);
  }
  const reason = `${name} does not hold after the faults: ${asClause(answer.reason)}`;
  return finding("steady-state", "fail", reason, `${name} does not hold after the faults`);
}

const stepsMin = 3;

/** What the events of the job answer by themselves. */
export function fromEvents(
  probe: Probe,
  analysis: RunAnalysis,
): Pick<ProbeAnswer, "holds" | "reason"> | null {
  if (probe.kind !== "throughput" && probe.kind !== "progress") return null;
  const { record, lineage, recoveries, throughput } = analysis;
  if (record.end === "gave-up") return { holds: false, reason: "the job gave up" };
  const endUs = jobEndUs(record);
  const calmUs = recoveries.reduce(
    (latest, { endsUs, effectUs }) => Math.max(latest, endsUs.regain ?? endsUs.first ?? effectUs),
    0,
  );
  const steps = lineage.survivors.filter(({ atUs }) => atUs >= calmUs);
  if (probe.kind === "progress") {
    const times = [calmUs, ...steps.map(({ atUs }) => atUs), endUs];
    const gapUs = times.reduce(
      (most, at, index) => Math.max(most, at - (times[index - 1] ?? at)),
      0,
    );
    const reason = `at most ${timeText(gapUs)} without a step; ${timeText(probe.withinUs)} are allowed`;
    return { holds: gapUs <= probe.withinUs, reason };
  }
  const fromUs = Math.max(calmUs, endUs - probe.windowUs);
  const inside = steps.filter(({ atUs }) => atUs > fromUs);
  const last = inside.at(-1);
  if (throughput === null || last === undefined || inside.length < stepsMin) {
    return { holds: null, reason: "too few steps after the last recovery to tell a rate" };
  }
  const units = inside.reduce((sum, step) => sum + step.units, 0);
  const share = (units * 1e6) / (last.atUs - fromUs) / throughput.usualRate;
  const reason = `${(100 * share).toFixed(0)} % of the usual rate; at least ${(100 * probe.atLeastShare).toFixed(0)} % is wanted`;
  return { holds: share >= probe.atLeastShare, reason };
}
