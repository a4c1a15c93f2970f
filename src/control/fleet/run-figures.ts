import { splitName } from "../../validation/classify/figure-names.ts";
import type { RunRecord } from "../../validation/run.ts";
import type { CheckVerdictView } from "../api/nodes.ts";

/** The findings of a run's verdict, each with the unit of its value and bound. */
export function findingsOf({ result, verdict }: RunRecord): CheckVerdictView["findings"] {
  const figures = result?.figures ?? {};
  const unitOf = (metric: string) => {
    const family = `${splitName(metric).base}.gpu0`;
    return figures[metric]?.unit ?? figures[family]?.unit ?? null;
  };
  return (verdict?.findings ?? []).map(({ metric, rule, value, bound, cohort }) => ({
    metric,
    rule,
    value,
    bound,
    // A tail is a score of how unusual the slow samples are, not a value of the figure.
    unit: rule === "tail" ? null : unitOf(metric),
    cohort,
  }));
}
