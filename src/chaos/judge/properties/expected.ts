import { type RecoveryPhase, recoveryPhases } from "../../plan/index.ts";
import type { RunAnalysis } from "../analysis.ts";
import type { Recovery } from "../judgement.ts";
import { jobEndUs } from "../lineage.ts";
import { hasPhase } from "../metrics/recovery-times.ts";
import { faultText, listed, timeText } from "../words.ts";
import { type Finding, finding } from "./finding.ts";

/** The way that the job took, where the experiment names one. */
export function recoveryPath(analysis: RunAnalysis): readonly Finding[] {
  const { plan, record, recoveries } = analysis;
  const { recovery: wanted } = plan.expect;
  if (wanted === null || record.end === "aborted") return [];
  const taken = recoveries.filter(({ path }) => path !== "none");
  // What nobody noticed took no way at all; beside others it says nothing.
  const judged = taken.length > 0 ? taken : recoveries;
  const other = judged.find(({ path }) => path !== wanted);
  if (judged.length === 0) {
    const reason = `nothing happened that the job had to recover from by ${wanted}`;
    return [finding("recovery-path", "inconclusive", reason)];
  }
  if (other === undefined) return [finding("recovery-path", "pass", `recovered by ${wanted}`)];
  const took = other.path ?? "no way out";
  const reason = `the job came out of ${subjectOf(other, analysis)} by ${took} instead of ${wanted}`;
  return [finding("recovery-path", "fail", reason, `${took} instead of ${wanted}`)];
}

/** Limits count from the effect of a fault to the end of a phase. */
export function timeLimits(analysis: RunAnalysis): readonly Finding[] {
  const { plan, record } = analysis;
  if (record.end === "aborted") return [];
  return recoveryPhases.flatMap((phase) => {
    const limitUs = plan.expect.within[phase];
    return limitUs === null ? [] : [timeLimit(analysis, phase, limitUs)];
  });
}

function timeLimit(analysis: RunAnalysis, phase: RecoveryPhase, limitUs: number): Finding {
  const judged = analysis.recoveries.filter((one) => isBound(one, phase));
  const endUs = jobEndUs(analysis.record);
  let longestUs = 0;
  let open: Recovery | undefined;
  for (const one of judged) {
    const end = one.endsUs[phase];
    const tookUs = (end ?? endUs) - one.effectUs;
    const never = end === null && one.path === "cleanFailure";
    if (tookUs > limitUs || never) return tooLong(analysis, one, { phase, limitUs });
    if (end === null) open ??= one;
    longestUs = Math.max(longestUs, tookUs);
  }
  if (open !== undefined) {
    const afterText = timeText(endUs - open.effectUs);
    const missing = `${phase} was not reached when the job ended, ${afterText} after the effect`;
    const reason = `after ${subjectOf(open, analysis)}, ${missing}; the limit is ${timeText(limitUs)}`;
    return finding("time-limit", "inconclusive", reason);
  }
  if (judged.length === 0) {
    return finding(
      "time-limit",
      "inconclusive",
      `no recovery to hold against the limit of ${phase}`,
    );
  }
  const reason = `${phase} after ${timeText(longestUs)} at most; the limit is ${timeText(limitUs)}`;
  return finding("time-limit", "pass", reason);
}

/** A job that rightly gives up gets no further than to stop. */
function isBound(recovery: Recovery, phase: RecoveryPhase): boolean {
  const isEnd = recovery.path === "cleanFailure" && phase !== "detect" && phase !== "isolate";
  return hasPhase(recovery, phase) && !isEnd;
}

function tooLong(
  analysis: RunAnalysis,
  recovery: Recovery,
  limit: { readonly phase: RecoveryPhase; readonly limitUs: number },
): Finding {
  const { phase, limitUs } = limit;
  const end = recovery.endsUs[phase];
  const took =
    end === null ? "was not reached" : `took ${timeText(end - recovery.effectUs)} from the effect`;
  const reason = `after ${subjectOf(recovery, analysis)}, ${phase} ${took}; the limit is ${timeText(limitUs)}`;
  return finding("time-limit", "fail", reason, `${phase} took longer than its limit`);
}

/** The faults of a recovery for people. */
export function subjectOf({ faults }: Recovery, { record }: RunAnalysis): string {
  const names = record.injections.filter(({ id }) => faults.includes(id)).map(faultText);
  return names.length === 0 ? "a recovery that no fault explains" : listed(names);
}
