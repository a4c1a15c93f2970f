import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const folder = "deploy/monitoring";

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(["warning", "critical"]) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

const panelSchema = z.looseObject({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z
    .array(
      z.looseObject({
        expr: z.string(),
        legendFormat: z.string(),
        datasource: z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") }),
      }),
    )
    .optional(),
});

const dashboardSchema = z.looseObject({
  uid: z.string(),
  title: z.string(),
  templating: z.object({ list: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
  panels: z.array(panelSchema),
});

export function readRules() {
  const text = readFileSync(join(folder, "alerts.yaml"), "utf8");
  return rulesSchema.parse(parse(text, { strict: true })).groups.flatMap(({ rules }) => rules);
}

export function readDashboard() {
  const text = readFileSync(join(folder, "grafana-dashboard.json"), "utf8");
  return dashboardSchema.parse(JSON.parse(text));
}

/** A metric in a query, with the labels it is narrowed down by. */
export interface UsedMetric {
  readonly name: string;
  readonly labels: readonly string[];
}

/** The metrics of a PromQL expression. Knows the part of the language that our files use. */
export function metricsIn(expr: string): readonly UsedMetric[] {
  const plain = expr.replaceAll(/"[^"]*"/g, '""');
  const pattern = /\b((?:tessera|process|nodejs)_[a-z_]+)(?:\{([^}]*)\})?/g;
  return [...plain.matchAll(pattern)].map(([, name = "", matchers = ""]) => ({
    name,
    labels: [...matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  }));
}

/** The labels that an expression keeps or joins by. */
export function labelsKept(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(",").map((label) => label.trim()),
  );
}
