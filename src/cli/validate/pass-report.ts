import type { Report, ReportItem } from "../../platform/reporters/index.ts";
import type { AssembledLoop } from "../../validation/assemble/index.ts";
import type { LoopSummary } from "../../validation/loop/index.ts";
import type { RunRecord } from "../../validation/run.ts";

/** How the pass over one cluster ended. */
export interface ClusterPass {
  readonly assembled: AssembledLoop;
  readonly summary: LoopSummary;
}

const postponedShownMax = 200;

/** What a single pass found, as a report. */
export function passReport(
  passes: readonly ClusterPass[],
  time: { readonly startedAtMs: number; readonly durationMs: number },
): Report {
  return {
    title: "tessera validate",
    subject: passes.map(({ assembled }) => assembled.entry.name).join(", "),
    ...time,
    notes: passes.flatMap(notesOf),
    sections: passes.map(({ assembled, summary }) => ({
      title: assembled.entry.name,
      items: [...summary.ended.map(itemOf), ...leftItems(summary)],
    })),
    plots: [],
  };
}

function notesOf({ assembled: { entry, opened, settings }, summary }: ClusterPass): string[] {
  const { name } = entry;
  const about = `${name}: ${opened.about}, ${opened.cluster.provenance}; policy ${settings.policy}, at most ${settings.guard.inFlightMax} runs at once.`;
  const isIdle = summary.ended.length === 0 && summary.postponed.length === 0;
  const idle = `${name}: nothing was due: results count for ${settings.staleAfterDays} d, and nothing waits to be tested.`;
  return isIdle ? [about, idle] : [about];
}

/** What was due and not begun, each with why. */
export function leftItems({ postponed }: Pick<LoopSummary, "postponed">): readonly ReportItem[] {
  return postponed.slice(0, postponedShownMax).map(({ node, check, reason }) => ({
    name: check === undefined ? node : `${node} ${check}`,
    status: "skipped",
    reason,
    facts: [],
  }));
}

/** A run as an item of a report. */
export function itemOf({ intent, result, verdict }: RunRecord): ReportItem {
  const { node, check, provenance } = intent;
  const startedAtMs = result?.startedAtMs ?? intent.plannedAtMs;
  return {
    name: `${node} ${check}`,
    status: verdict?.verdict ?? "unknown",
    reason: verdict?.reason ?? result?.error ?? "nobody has judged it",
    ...(result === undefined ? {} : { durationMs: Math.max(0, result.endedAtMs - startedAtMs) }),
    facts: [
      { name: "run", value: intent.id, unit: "", provenance },
      { name: "outcome", value: result?.outcome ?? "open", unit: "", provenance },
      { name: "chosen because", value: intent.reason, unit: "", provenance },
    ],
  };
}
