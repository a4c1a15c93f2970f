import { createRng } from "../../src/platform/rng/index.ts";
import type { RunIntent, RunResult } from "../../src/validation/run.ts";

export const checks = ["dl-unit", "nccl-loopback", "storage-io"] as const;

const dayMs = 86_400_000;
const firstMs = Date.UTC(2026, 0, 1);
const samplesPerFigure = 32;

export function nodeName(index: number): string {
  return `gpu-node-${String(index).padStart(6, "0")}`;
}

/** A run of a check on a node; each round is a week later than the one before. */
export function sampleIntent(node: number, check: string, round: number): RunIntent {
  const plannedAtMs = firstMs + round * 7 * dayMs + node * 1000;
  return {
    id: `${check}-${node}-${round}`.padStart(20, "0"),
    cluster: "bench",
    node: nodeName(node),
    check,
    plannedAtMs,
    jobName: `tsr-${check}-${node}-${round}`,
    purpose: "routine",
    reason: "last tested 7.3 d ago, over 7 d",
    policy: "stale",
    sku: "h100-sxm5-80gb",
    rack: `rack-${node % 500}`,
    fileSystem: "",
    gpus: 8,
    gpuHours: 0.7,
    provenance: "simulated",
  };
}

const figureSets = makeFigureSets(64);

/** A result of the size that checks hand in: three figures with 32 samples each. */
export function sampleResult(intent: RunIntent): RunResult {
  return {
    runId: intent.id,
    outcome: "completed",
    startedAtMs: intent.plannedAtMs + 5000,
    endedAtMs: intent.plannedAtMs + 65_000,
    figures: figureSets[(intent.plannedAtMs / 1000) % figureSets.length] ?? {},
    hardFacts: [],
    cohort: "9f2c1a7e",
    facts: { driver: "570.124.06", image: "sha256:0123456789abcdef", clocksMhz: [1980, 2619] },
  };
}

// Made once: what is measured is the keeping of samples, not the drawing of them.
function makeFigureSets(count: number): readonly RunResult["figures"][] {
  const rng = createRng("results").stream("figures");
  const figure = (usual: number, unit: string) => ({
    samples: Array.from({ length: samplesPerFigure }, () => usual * (1 + 0.02 * rng.float())),
    higherIsBetter: true,
    unit,
  });
  return Array.from({ length: count }, () => ({
    busbw: figure(480, "GB/s"),
    matmul: figure(700, "TFLOP/s"),
    read: figure(12, "GB/s"),
  }));
}
