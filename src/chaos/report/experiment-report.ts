import type { Report } from "../../platform/reporters/index.ts";
import { faultItems, metricItems, propertyItems, recoveryItems, rollbackNotes } from "./items.ts";
import { analysisOf, type ReportedRun } from "./judged-run.ts";
import { timeUsePlot } from "./time-use.ts";
import { timelinePlot } from "./timeline.ts";

/** One run as a report: the verdict, what happened when, and every figure with where it comes from. */
export function experimentReport(
  run: ReportedRun,
  timing: { readonly startedAtMs: number; readonly durationMs: number },
): Report {
  const { plan, record, judgement } = run;
  const analysis = analysisOf(run);
  const recoveries = recoveryItems(run);
  return {
    title: plan.title,
    subject: `${judgement.outcome}: ${judgement.reason}`,
    ...timing,
    notes: [
      `World ${record.world}, times ${record.provenance}; seed ${plan.seed}${trace(record.traceHash)}.`,
      run.baseline === null
        ? "There is no run without faults to compare with."
        : "Compared with the same plan and seed without faults.",
      ...rollbackNotes(analysis),
      ...record.notes,
    ],
    sections: [
      { title: "What had to hold", items: propertyItems(judgement.findings) },
      { title: "Faults", items: faultItems(run), judged: false },
      ...(recoveries.length === 0
        ? []
        : [{ title: `Recoveries (${record.provenance})`, items: recoveries, judged: false }]),
      { title: `Metrics (${record.provenance})`, items: metricItems(run), judged: false },
    ],
    plots: [timelinePlot(run, analysis), timeUsePlot(run, analysis)],
  };
}

function trace(traceHash: string | null): string {
  return traceHash === null ? "" : `, trace ${traceHash}`;
}
