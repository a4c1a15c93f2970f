import type { ClusterPlan } from "../../validation/loop/index.ts";
import { postponedCount } from "../../validation/plan/index.ts";

/** A cluster's plan for people. */
export function showPlan(found: ClusterPlan, limit: number): readonly string[] {
  const { chosen, postponed } = found.plan;
  const rows = chosen
    .slice(0, limit)
    .map(({ node, check, purpose, gpuHours, reason }) => [
      node.name,
      check,
      purpose,
      `${round(gpuHours)} GPU-h`,
      reason,
    ]);
  const waiting = postponed
    .slice(0, limit)
    .map(({ node, check = "any check", rail, reason }) => [node, check, rail, reason]);
  return [
    headOf(found),
    ...(chosen.length === 0 ? ["  nothing to begin now"] : ["  to begin now, most urgent first:"]),
    ...table(rows),
    ...more(chosen.length - rows.length),
    ...(postponed.length === 0 ? [] : ["  due, but postponed:"]),
    ...table(waiting),
    ...more(postponedCount(found.plan) - waiting.length),
  ];
}

function headOf({ cluster, about, policy, provenance, nodes, inFlight, gpuHours }: ClusterPlan) {
  const label = provenance === "simulated" ? ", simulated" : "";
  const budget = Number.isFinite(gpuHours.perDay) ? ` of ${round(gpuHours.perDay)}` : "";
  return [
    `${cluster} (${about}${label}): policy ${policy}`,
    `${nodes.free} of ${nodes.total} nodes free`,
    `${inFlight.now} of ${inFlight.max} runs in flight`,
    `${round(gpuHours.today)}${budget} GPU-hours used today`,
  ].join("; ");
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths =
    rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.map((row) => {
    const cells = row.map((cell, at) =>
      at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0),
    );
    return `    ${cells.join("  ")}`;
  });
}

function more(count: number): readonly string[] {
  return count > 0 ? [`    and ${count} more`] : [];
}

function round(value: number): string {
  return String(Math.round(10 * value) / 10);
}
