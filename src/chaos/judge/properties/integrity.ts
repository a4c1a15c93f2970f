import type { RunAnalysis } from "../analysis.ts";
import type { StepEvent } from "../lineage.ts";
import { counted, listed, shortDigest } from "../words.ts";
import { type Finding, finding } from "./finding.ts";
import { compareStates } from "./state.ts";

/** No fault may stay in force. */
export function residualFaults({ record }: RunAnalysis): readonly Finding[] {
  const { residualFaults: left } = record;
  if (left.length === 0) {
    return [finding("residual-faults", "pass", "nothing was left broken")];
  }
  const noun = counted(left.length, "fault");
  return [
    finding(
      "residual-faults",
      "fail",
      `${noun} stayed in force after everything was undone: ${listed(left)}`,
      "faults stayed in force after everything was undone",
    ),
  ];
}

/** A checkpoint that is not whole must be refused. */
export function falseAccepts({ rollbacks, record }: RunAnalysis): readonly Finding[] {
  if (rollbacks.length === 0) return [];
  const wrong = record.events.filter(
    (event) => event.kind === "restore" && event.falseAccept === true,
  );
  if (wrong.length === 0) {
    const refused = rollbacks.reduce((sum, rollback) => sum + rollback.refused.length, 0);
    const passedOver = refused === 0 ? "" : `, ${counted(refused, "broken checkpoint")} refused`;
    const reason = `no broken checkpoint was taken in ${counted(rollbacks.length, "rollback")}${passedOver}`;
    return [finding("false-accept", "pass", reason)];
  }
  const tags = wrong.map((event) => (event.kind === "restore" ? String(event.tag) : ""));
  return [
    finding(
      "false-accept",
      "fail",
      `a checkpoint that is not whole was taken for good: ${listed(tags)}`,
      "a checkpoint that is not whole was taken for good",
    ),
  ];
}

/** Bit for bit the state of the run without faults. Only of a job that has finished there is one. */
export function stateEqual(analysis: RunAnalysis): readonly Finding[] {
  const { plan, record } = analysis;
  if (plan.expect.integrity !== "bitwise" || record.end !== "finished") return [];
  const state = compareStates(analysis);
  switch (state.kind) {
    case "equal": {
      const reason = `the final state is that of the run without faults, bit for bit (${shortDigest(state.digest)})`;
      return [finding("state-equal", "pass", reason)];
    }
    case "different":
      return [
        finding(
          "state-equal",
          "fail",
          state.reason,
          "the final state is not that of the run without faults",
        ),
      ];
    case "unknown":
      return [finding("state-equal", "inconclusive", state.reason)];
  }
}

/** Every sample was used once in what the job left behind. */
export function samplesOnce(analysis: RunAnalysis): readonly Finding[] {
  const { plan, record, lineage, baselineLineage, requests } = analysis;
  if (plan.expect.integrity === "none") return [];
  if (plan.workload.kind === "inference") return requestsOnce(analysis);
  const steps = lineage.survivors;
  if (steps.length === 0) {
    if (record.end !== "finished" || requests !== null) return [];
    return [finding("samples-once", "inconclusive", "no step of the run was seen")];
  }
  const usual = baselineLineage?.survivors[0];
  const problem = sampleProblem(steps, usual);
  if (problem !== null) return [finding("samples-once", "fail", problem.reason, problem.core)];
  if (steps.some(({ samples }) => samples === undefined)) {
    // A program that counts its steps has no more to say; that is not the same as having lost nothing.
    if (plan.expect.integrity === "bitwise" && plan.workload.kind === "command") return [];
    return [finding("samples-once", "inconclusive", "the job does not say which samples it used")];
  }
  const total = (steps.at(-1)?.samples?.[1] ?? 0) - (steps[0]?.samples?.[0] ?? 0);
  const reason = `${counted(total, "sample")} used once each in ${counted(steps.length, "step")} that stayed`;
  return [finding("samples-once", "pass", reason)];
}

function sampleProblem(
  steps: readonly StepEvent[],
  usual: StepEvent | undefined,
): { readonly reason: string; readonly core: string } | null {
  let next = usual?.step === steps[0]?.step ? usual?.samples?.[0] : undefined;
  let last: number | null = null;
  for (const { step, samples } of steps) {
    if (last !== null && step !== last + 1) {
      const reason = `step ${last} is followed by step ${step} in what stayed`;
      return { reason, core: "steps are missing in what stayed" };
    }
    last = step;
    if (samples === undefined) {
      next = undefined;
      continue;
    }
    const [from, to] = samples;
    if (next !== undefined && from > next) {
      const reason = `${counted(from - next, "sample")} lost before step ${step}: it begins at sample ${from} instead of ${next}`;
      return { reason, core: "samples were lost" };
    }
    if (next !== undefined && from < next) {
      const reason = `${counted(next - from, "sample")} used twice in step ${step}: it begins at sample ${from} instead of ${next}`;
      return { reason, core: "samples were used twice" };
    }
    next = to;
  }
  return null;
}

function requestsOnce({ plan, requests, record }: RunAnalysis): readonly Finding[] {
  if (plan.workload.kind !== "inference") return [];
  if (requests === null) {
    return [finding("samples-once", "inconclusive", "no answer to a request was seen")];
  }
  const { answered, repeated } = requests;
  if (repeated > 0) {
    const reason = `${counted(repeated, "request")} answered more than once`;
    return [finding("samples-once", "fail", reason, "requests were answered more than once")];
  }
  const missing = plan.workload.requests - answered;
  if (missing > 0 && record.end === "finished") {
    const reason = `${counted(missing, "request")} of ${plan.workload.requests} never answered`;
    return [finding("samples-once", "fail", reason, "requests were never answered")];
  }
  if (missing > 0) return [];
  return [finding("samples-once", "pass", `${counted(answered, "request")} answered once each`)];
}
