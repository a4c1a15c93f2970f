import type { CheckpointPlan } from "../../runtime/planning/index.ts";
import type { PlanCheckpointRequest } from "./request.ts";
import { improvements } from "./what-if.ts";

/** The plan for programs. */
export function planDocument(request: PlanCheckpointRequest, plan: CheckpointPlan, seed: string) {
  const { plan: asked, gpusPerNode, rateSource, checkpointGib } = request;
  const { job, recommended, forms, curve, shapes, draws } = plan;
  const gpus = asked.nodes * gpusPerNode;
  return {
    source: "modelled",
    nodes: asked.nodes,
    gpusPerNode,
    rateSource,
    seed,
    ...job,
    recommended: {
      ...recommended,
      steps: recommended.steps ?? null,
      // GPUs that never fail and do as much work.
      goodputGpus: gpus * recommended.ettr,
      goodputGpusBand: {
        low: gpus * recommended.ettrBand.low,
        high: gpus * recommended.ettrBand.high,
      },
      ...(checkpointGib === undefined ? {} : { keepGib: recommended.keep * checkpointGib }),
    },
    forms: forms.map(({ expected, steps, ...form }) => ({
      ...form,
      steps: steps ?? null,
      meta: expected,
    })),
    improvements: improvements(job),
    shapes: shapes.map((shape) => ({ source: "simulated", ...shape })),
    draws,
    curve,
  };
}
