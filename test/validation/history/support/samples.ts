import type {
  HandInWay,
  ResultOrigin,
  RunIntent,
  RunResult,
  RunVerdict,
} from "../../../../src/validation/run.ts";

/** An intent that says something everywhere; its id tells runs apart. */
export function intentOf(changes: Partial<RunIntent> = {}): RunIntent {
  const { cluster = "east", node = "n1", check = "dl-unit", plannedAtMs = 1000 } = changes;
  return {
    id: `${cluster}/${node}/${check}/${plannedAtMs}`,
    cluster,
    node,
    check,
    plannedAtMs,
    jobName: `tsr-${check}-${node}`,
    purpose: "routine",
    reason: "never tested",
    policy: "stale",
    sku: "h100-sxm5-80gb",
    rack: "r1",
    fileSystem: "",
    gpus: 8,
    gpuHours: 0.5,
    provenance: "measured",
    ...changes,
  };
}

/** The result of a run that took 100 ms and completed. */
export function resultOf(intent: RunIntent, changes: Partial<RunResult> = {}): RunResult {
  return {
    runId: intent.id,
    outcome: "completed",
    endedAtMs: intent.plannedAtMs + 100,
    figures: {},
    hardFacts: [],
    facts: {},
    ...changes,
  };
}

export function verdictOf(intent: RunIntent, changes: Partial<RunVerdict> = {}): RunVerdict {
  return {
    runId: intent.id,
    atMs: intent.plannedAtMs + 200,
    verdict: "pass",
    reason: "busbw 480 GB/s, at least 450 GB/s",
    findings: [],
    ...changes,
  };
}

/** From whom a result comes. */
export function fromPod(way: HandInWay = "post") {
  return { origin: "pod", atMs: 5000, way, digest: "ab".repeat(32) } as const;
}
export const fromLoop = { origin: "loop", atMs: 6000 } as const;

export function from(origin: ResultOrigin) {
  return origin === "pod" ? fromPod() : fromLoop;
}
