import type { CheckpointPlan } from "../../runtime/planning/index.ts";
import type { PlanCheckpointRequest } from "./request.ts";
import { improvements } from "./what-if.ts";

/** The plan for programs. */
export function planDocument(request: PlanCheckpointRequest, plan: CheckpointPlan, seed: string) {
  const { plan: asked, gpusPerNode, rateSource, checkpointGib } = request;
  const { job, recommended, forms, curve, shapes, draws } = plan;
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
