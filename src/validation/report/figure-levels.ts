import { medianOf } from "../classify/stats/robust.ts";
import type { RunRecord } from "../run.ts";

/** How one node did in one figure, beside those it may be compared with. */
export interface NodeLevel {
  readonly node: string;
  /** The median of the samples of its newest completed run. */
  readonly value: number;
  /** How far it is on the bad side of the cohort's median, as a share; negative on the good side. */
  readonly loss: number;
  readonly run: RunRecord;
}

/** One figure of one check over the nodes of one cohort. */
export interface FigureLevels {
  readonly check: string;
  readonly figure: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  readonly sku: string;
  readonly median: number;
  /** Worst first. */
  readonly nodes: readonly NodeLevel[];
}

/** With fewer nodes a median says little about any of them. */
const nodesMin = 5;

/**
 * The figures of the newest completed run of each node and check, by cohort (SKU, check, and what
 * the check itself says must be equal). Cohorts with fewer than five nodes are left out.
 */
export function figureLevels(runs: readonly RunRecord[]): readonly FigureLevels[] {
  const cohorts = new Map<string, Map<string, RunRecord>>();
  for (const run of runs) {
    if (run.result?.outcome !== "completed") continue;
    const { sku, check, node, plannedAtMs } = run.intent;
    const key = JSON.stringify([check, sku, run.result.cohort ?? ""]);
    const newest = cohorts.get(key) ?? new Map<string, RunRecord>();
    const before = newest.get(node);
    if (before === undefined || before.intent.plannedAtMs < plannedAtMs) newest.set(node, run);
    cohorts.set(key, newest);
  }
  return [...cohorts.values()].flatMap((newest) => levelsOf([...newest.values()]));
}

function levelsOf(runs: readonly RunRecord[]): FigureLevels[] {
  const names = new Set(runs.flatMap(({ result }) => Object.keys(result?.figures ?? {})));
  return [...names].toSorted().flatMap((figure) => {
    const values = runs.flatMap((run) => {
      const samples = run.result?.figures[figure]?.samples.filter(Number.isFinite) ?? [];
      return samples.length === 0 ? [] : [{ run, value: medianOf(samples) }];
    });
    const [first] = values;
    const about = first?.run.result?.figures[figure];
    if (first === undefined || about === undefined || values.length < nodesMin) return [];
    const median = medianOf(values.map(({ value }) => value));
    if (median === 0) return [];
    const sign = about.higherIsBetter ? -1 : 1;
    const nodes = values
      .map(({ run, value }) => ({
        node: run.intent.node,
        value,
        loss: (sign * (value - median)) / Math.abs(median),
        run,
      }))
      .toSorted((a, b) => b.loss - a.loss || (a.node < b.node ? -1 : 1));
    const { check, sku } = first.run.intent;
    const { higherIsBetter, unit = "" } = about;
    return [{ check, figure, unit, higherIsBetter, sku, median, nodes }];
  });
}
