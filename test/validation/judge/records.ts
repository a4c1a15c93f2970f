import { createRng } from "../../../src/platform/rng/index.ts";
import type { Baseline, BaselineRecord } from "../../../src/validation/history/index.ts";
import type { RunFigure, RunRecord, RunResult, RunVerdict } from "../../../src/validation/run.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const startMs = Date.UTC(2026, 5, 1);

export interface RunWish {
  readonly node: string;
  /** When it ended; it was planned half an hour earlier. @default startMs */
  readonly atMs?: number;
  /** The level of its one figure, `speed` in GB/s. @default 100 */
  readonly level?: number;
  readonly check?: string;
  readonly sku?: string;
  readonly cluster?: string;
  readonly purpose?: RunRecord["intent"]["purpose"];
  readonly result?: Partial<RunResult>;
  readonly origin?: "pod" | "loop";
  readonly verdict?: Partial<RunVerdict>;
}

let made = 0;
const random = createRng("records 2").stream("samples");

/** A run that ended. */
export function run(wish: RunWish): RunRecord {
  const { node, atMs = startMs, level = 100, check = "speed-test", sku = "gpu-x" } = wish;
  made++;
  const id = `run-${made}`;
  const plannedAtMs = atMs - hourMs / 2;
  const result: RunResult = {
    runId: id,
    outcome: "completed",
    startedAtMs: plannedAtMs + 1000,
    endedAtMs: atMs,
    figures: { speed: figureAt(level) },
    hardFacts: [],
    facts: {},
    ...wish.result,
  };
  return {
    intent: {
      id,
      cluster: wish.cluster ?? "prod",
      node,
      check,
      plannedAtMs,
      jobName: `job-${id}`,
      purpose: wish.purpose ?? "routine",
      reason: "due",
      policy: "stale",
      sku,
      rack: "",
      fileSystem: "",
      gpus: 8,
      gpuHours: 1,
      provenance: "simulated",
    },
    result: { ...result, origin: wish.origin ?? "pod" },
    verdict:
      wish.verdict === undefined
        ? undefined
        : { runId: id, atMs, verdict: "pass", reason: "Well.", findings: [], ...wish.verdict },
  };
}

/** Samples about a level, with a noise of 0.3 % between runs and as much within one. */
export function figureAt(level: number, samples = 16): RunFigure {
  const middle = level * (1 + 0.003 * noise());
  const values = Array.from({ length: samples }, () => middle * (1 + 0.003 * noise()));
  return { samples: values, higherIsBetter: true, unit: "GB/s" };
}

/** Roughly normal, of standard deviation 1. */
function noise(): number {
  let sum = -6;
  for (let draw = 0; draw < 12; draw++) sum += random.float();
  return sum;
}

/** `count` healthy nodes with one run each, an hour apart. */
export function fleet(count: number, wish: Partial<RunWish> = {}): readonly RunRecord[] {
  const { atMs = startMs } = wish;
  return Array.from({ length: count }, (_, at) =>
    run({ ...wish, node: `n${at}`, atMs: atMs + at * hourMs }),
  );
}

/** The records with these verdicts in them, as the store would hand them out. */
export function withVerdicts(
  records: readonly RunRecord[],
  verdicts: readonly RunVerdict[],
): readonly RunRecord[] {
  const byRun = new Map(verdicts.map((verdict) => [verdict.runId, verdict]));
  return records.map((record) => ({
    ...record,
    verdict: byRun.get(record.intent.id) ?? record.verdict,
  }));
}

/** An active baseline of the fleet above. */
export function baseline(wish: Partial<BaselineRecord> = {}): BaselineRecord {
  const usual: Baseline = {
    id: "bl-000000000001",
    sku: "gpu-x",
    check: "speed-test",
    cohort: "",
    madeAtMs: startMs - 20 * dayMs,
    expiresAtMs: startMs + 70 * dayMs,
    figures: {
      speed: {
        higherIsBetter: true,
        unit: "GB/s",
        median: 100,
        sigma: 0.3,
        tail: 99.4,
        nodes: 16,
        runs: 32,
      },
    },
    provenance: { cluster: "prod", provenance: "simulated" },
  };
  const life = {
    state: "active",
    changedAtMs: usual.madeAtMs,
    actor: "ann",
    reason: "good",
  } as const;
  return { ...usual, ...life, ...wish };
}
