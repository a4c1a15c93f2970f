import type { ExperimentOutcome } from "../../platform/words.ts";
import type { RunAnalysis } from "./analysis.ts";
import type { Recovery } from "./judgement.ts";
import { expectsRecovery } from "./properties/ending.ts";
import { subjectOf } from "./properties/expected.ts";
import type { Finding } from "./properties/finding.ts";
import { compareStates } from "./properties/state.ts";
import { counted, timeText } from "./words.ts";

/** One sentence for whoever is woken by it. */
export function reasonOf(
  analysis: RunAnalysis,
  outcome: ExperimentOutcome,
  heaviest: Finding | undefined,
): string {
  if (outcome !== "pass" || heaviest === undefined) {
    return sentence(heaviest?.reason ?? "nothing was looked at");
  }
  const { recoveries, plan } = analysis;
  const longest = recoveries.toSorted((a, b) => tookUs(b) - tookUs(a))[0];
  if (plan.faults.length === 0 || longest === undefined) {
    return sentence(`the job finished without faults in ${timeText(analysis.split.wallUs)}`);
  }
  if (!expectsRecovery(analysis)) return sentence(cleanEnd(analysis));
  return sentence(`${recoveryText(longest, analysis)}${stateText(analysis)}`);
}

function tookUs({ endsUs, effectUs }: Recovery): number {
  return (endsUs.first ?? Number.MAX_SAFE_INTEGER) - effectUs;
}

function recoveryText(recovery: Recovery, analysis: RunAnalysis): string {
  const { endsUs, effectUs, path, stepsLost } = recovery;
  const others = analysis.recoveries.length - 1;
  const beside = others === 0 ? "" : `, the longest of ${others + 1} recoveries`;
  const subject = subjectOf(recovery, analysis);
  const first = timeText((endsUs.first ?? effectUs) - effectUs);
  if (path === "none")
    return `the job rode out ${subject}: its next step came ${first} later${beside}`;
  const detect =
    endsUs.detect === null ? "" : `noticed after ${timeText(endsUs.detect - effectUs)}, `;
  const lost = counted(stepsLost, "step");
  return `recovered from ${subject} by ${path} in ${first}${beside} (${detect}${lost} done again)`;
}

function stateText(analysis: RunAnalysis): string {
  if (analysis.plan.expect.integrity === "none") return "";
  return compareStates(analysis).kind === "equal"
    ? "; the final state is that of the run without faults, bit for bit"
    : "; no sample was lost or repeated";
}

function cleanEnd(analysis: RunAnalysis): string {
  if (analysis.record.end === "finished") {
    return "the job survived more than it claims, and nothing about its result is wrong";
  }
  const event = analysis.record.events.findLast(({ kind }) => kind === "give-up");
  const why = event?.kind === "give-up" ? event.reason : "";
  return `the job gave up as it should and left nothing wrong: ${why}`;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  const ended = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return `${ended.slice(0, 1).toUpperCase()}${ended.slice(1)}`;
}
