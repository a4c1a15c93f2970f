import type { Verdict } from "../../../src/platform/words.ts";
import type { ClusterReportData, ReportNode } from "../../../src/validation/report/index.ts";
import type { RunFigure, RunRecord } from "../../../src/validation/run.ts";

export const dayMs = 86_400_000;
export const untilMs = Date.UTC(2026, 2, 8);

export interface RunSketch {
  readonly node: string;
  readonly check?: string;
  /** Days before the end of the window. @default 1 */
  readonly daysAgo?: number;
  readonly outcome?: "completed" | "error" | "timeout" | "cancelled" | "open";
  /** Undefined for a run that nobody has judged. */
  readonly verdict?: Verdict | undefined;
  readonly reason?: string;
  readonly error?: string;
  readonly figures?: Readonly<Record<string, RunFigure>>;
  readonly findings?: NonNullable<RunRecord["verdict"]>["findings"];
}

let made = 0;

/** A run with what a test cares about; half an hour long, on eight GPUs. */
export function run(sketch: RunSketch): RunRecord {
  const { node, check = "dl-unit", daysAgo = 1, outcome = "completed" } = sketch;
  const plannedAtMs = untilMs - daysAgo * dayMs;
  const id = `run-${++made}`;
  const verdict = "verdict" in sketch ? sketch.verdict : "pass";
  return {
    intent: {
      id,
      cluster: "lab",
      node,
      check,
      plannedAtMs,
      jobName: `tsr-${check}-${node}-${id}`,
      purpose: "routine",
      reason: "never tested",
      policy: "stale",
      sku: "h100",
      rack: "rack-1",
      fileSystem: "",
      gpus: 8,
      gpuHours: 4,
      provenance: "measured",
    },
    result:
      outcome === "open"
        ? undefined
        : {
            runId: id,
            outcome,
            startedAtMs: plannedAtMs + 1000,
            endedAtMs: plannedAtMs + 1_800_000,
            ...(sketch.error === undefined ? {} : { error: sketch.error }),
            figures: sketch.figures ?? {},
            hardFacts: [],
            facts: {},
            origin: "pod",
          },
    verdict:
      verdict === undefined || outcome === "open"
        ? undefined
        : {
            runId: id,
            atMs: plannedAtMs + 1_900_000,
            verdict,
            reason: sketch.reason ?? `a ${verdict} of ${check}.`,
            findings: sketch.findings ?? [],
          },
  };
}

export function node(name: string, more: Partial<ReportNode> = {}): ReportNode {
  return { name, sku: "h100", rack: "rack-1", state: "free", why: "", ...more };
}

/** A cluster's data: evidence is what the completed runs say, unless told otherwise. */
export function data(more: Partial<ClusterReportData> = {}): ClusterReportData {
  const runs = more.runs ?? [];
  const checks = more.checks ?? ["dl-unit"];
  return {
    cluster: "lab",
    about: "a lab",
    provenance: "measured",
    fromMs: untilMs - 7 * dayMs,
    untilMs,
    checks,
    staleAfterDays: 7,
    gpuHoursPerDay: 100,
    nodes: [...new Set(runs.map(({ intent }) => intent.node))].map((name) => node(name)),
    runs,
    runsLeftOut: 0,
    latest: {
      readAtMs: untilMs,
      checks,
      testedAtMs: (name, check) => {
        const ends = runs
          .filter(({ intent }) => intent.node === name && intent.check === check)
          .flatMap(({ result }) => (result?.outcome === "completed" ? [result.endedAtMs] : []));
        return ends.length === 0 ? undefined : Math.max(...ends);
      },
    },
    truth: undefined,
    ...more,
  };
}

export const context = { startedAtMs: untilMs, durationMs: 12, store: "sqlite:/var/lib/x.db" };
