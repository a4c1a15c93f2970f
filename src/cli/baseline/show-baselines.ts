import { allowedLoss, scopeOf } from "../../validation/baselines/index.ts";
import type { BaselineRecord } from "../../validation/history/index.ts";
import { tableOf } from "../text-table.ts";

/** A baseline as `--json` prints it: times as ISO 8601, the cluster where it belongs. */
export function baselineJson(baseline: BaselineRecord): Readonly<Record<string, unknown>> {
  const { id, sku, check, cohort, state, actor, reason, figures, provenance } = baseline;
  return {
    id,
    state,
    cluster: scopeOf(baseline).cluster,
    sku,
    check,
    cohort,
    madeAt: isoTime(baseline.madeAtMs),
    expiresAt: isoTime(baseline.expiresAtMs),
    changedAt: isoTime(baseline.changedAtMs),
    actor,
    reason,
    figures,
    provenance,
  };
}

/** The baselines as a table, one line each. */
export function baselineLines(baselines: readonly BaselineRecord[]): readonly string[] {
  const rows = baselines.map((baseline) => {
    const { id, state, sku, check, cohort, madeAtMs, expiresAtMs, figures } = baseline;
    const nodes = Math.max(0, ...Object.values(figures).map((figure) => figure.nodes));
    const { cluster } = scopeOf(baseline);
    const until = isoTime(expiresAtMs).slice(0, 10);
    return [id, state, cluster, sku, check, cohort || "-", String(nodes), isoTime(madeAtMs), until];
  });
  const header = ["ID", "STATE", "CLUSTER", "SKU", "CHECK", "COHORT", "NODES", "MADE", "EXPIRES"];
  return tableOf([header, ...rows]);
}

/** Everything about one baseline. */
export function baselineDetails(baseline: BaselineRecord): readonly string[] {
  const { id, state, actor, reason, provenance } = baseline;
  const figures = Object.entries(baseline.figures).map(([name, figure]) => {
    const { median, sigma, tail, unit, nodes, runs } = figure;
    const allowed = `${shown(100 * allowedLoss(figure))} %`;
    return [
      name,
      shown(median),
      shown(sigma),
      shown(tail),
      unit || "-",
      String(nodes),
      String(runs),
      allowed,
    ];
  });
  const header = ["FIGURE", "MEDIAN", "SIGMA", "TAIL", "UNIT", "NODES", "RUNS", "ALLOWED LOSS"];
  const facts = Object.entries(provenance).filter(([name]) => name !== "excluded");
  const excluded = Array.isArray(provenance["excluded"])
    ? (provenance["excluded"] as unknown[])
    : [];
  return [
    `${id} is ${state} since ${isoTime(baseline.changedAtMs)}, by ${actor}: ${reason}`,
    `made ${isoTime(baseline.madeAtMs)}, expires ${isoTime(baseline.expiresAtMs)}`,
    "",
    ...tableOf([header, ...figures]),
    "",
    ...facts.map(([name, value]) => `${name}: ${factText(name, value)}`),
    ...excluded.map((one) => `left out: ${JSON.stringify(one)}`),
  ];
}

function factText(name: string, value: unknown): string {
  if (name.endsWith("Ms") && typeof value === "number") return isoTime(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shown(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
