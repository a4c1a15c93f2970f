import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type MetricRow, metricTable } from "../../src/platform/metrics/index.ts";
import { labelsKept, metricsIn, readDashboard, readRules } from "./queries.ts";

const table: Readonly<Record<string, MetricRow>> = metricTable;
/** What Prometheus adds to everything it scrapes, the last one in Kubernetes. */
const added = ["instance", "job", "namespace"];

/** What an expression asks for that Tessera does not tell. */
function problemsIn(expr: string): readonly string[] {
  const used = metricsIn(expr).map(({ name, labels }) => ({ name, labels, row: rowOf(name) }));
  const unknown = used.flatMap(({ name, row }) => (row === undefined ? [name] : []));
  const wrong = used.flatMap(({ name, labels, row }) =>
    labels.filter((label) => !known(row).includes(label)).map((label) => `${name}{${label}}`),
  );
  const all = used.flatMap(({ row }) => known(row));
  const kept = labelsKept(expr).filter((label) => !all.includes(label));
  return [...unknown, ...wrong, ...kept.map((label) => `by (${label})`)];
}

function rowOf(name: string): MetricRow | undefined {
  const base = name.replace(/_(bucket|sum|count)$/, "");
  return table[name] ?? (table[base]?.type === "histogram" ? table[base] : undefined);
}

function known(row: MetricRow | undefined): readonly string[] {
  return [...(row?.labels ?? []), ...added, ...(row?.type === "histogram" ? ["le"] : [])];
}

describe("the alert rules", () => {
  const rules = readRules();

  test.each(rules)("$alert asks for metrics and labels that exist", ({ expr }) => {
    expect(metricsIn(expr)).not.toEqual([]);
    expect(problemsIn(expr)).toEqual([]);
  });

  test.each(rules)(
    "$alert says what to do, and the guide has a chapter on it",
    ({ alert, annotations }) => {
      expect(annotations.runbook.length).toBeGreaterThan(80);
      expect(readFileSync("docs/monitoring.md", "utf8")).toContain(alert);
    },
  );

  test.each(rules)("$alert is not about simulated fleets", ({ expr }) => {
    const narrowed = metricsIn(expr).filter(({ name }) =>
      known(rowOf(name)).includes("provenance"),
    );
    for (const { labels } of narrowed) expect(labels).toContain("provenance");
  });
});

describe("the dashboard", () => {
  const { panels, templating } = readDashboard();
  const shown = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
  );

  test.each(shown)(
    "$title asks for metrics and labels that exist: $expr",
    ({ expr, legendFormat }) => {
      expect(metricsIn(expr)).not.toEqual([]);
      expect(problemsIn(expr)).toEqual([]);
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        expect(labelsKept(expr), `the legend shows ${label}`).toContain(label);
      }
    },
  );

  test("it can be imported: a variable for the source, ids of their own, no panel on another", () => {
    expect(templating.list).toMatchObject([
      { name: "datasource", type: "datasource" },
      { name: "cluster", type: "query" },
    ]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { gridPos, title } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let row = 0; row < gridPos.h; row++) {
        for (let column = 0; column < gridPos.w; column++) {
          const place = `${gridPos.x + column},${gridPos.y + row}`;
          expect(taken.has(place), `${title} lies on another panel`).toBe(false);
          taken.add(place);
        }
      }
    }
  });

  test("it shows every metric of fleets, experiments, faults and notifications", () => {
    const used = new Set(shown.flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name)));
    const wanted = Object.keys(table).filter((name) =>
      /^tessera_(validation|experiments|hardware|notifications)_/.test(name),
    );
    expect(wanted.filter((name) => !used.has(name))).toEqual([]);
  });
});

describe("reading queries", () => {
  test("what does not exist is found", () => {
    expect(problemsIn('max by (cluster) (tessera_validation_nodes{status="fail"}) > 0')).toEqual(
      [],
    );
    expect(problemsIn("tessera_validation_knots")).toEqual(["tessera_validation_knots"]);
    expect(problemsIn('tessera_store_up{cluster="x"}')).toEqual(["tessera_store_up{cluster}"]);
    expect(problemsIn("sum by (rack) (tessera_store_up)")).toEqual(["by (rack)"]);
    expect(problemsIn("tessera_store_up_count")).toEqual(["tessera_store_up_count"]);
  });
});
