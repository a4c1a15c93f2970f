import { createRng } from "../../src/platform/rng/index.ts";
import { type FleetSpec, plainFleet } from "./fleet-spec.ts";
import { between } from "./noise.ts";

/** A fleet nobody chose: every property is drawn, so that no rule can be tuned to one of them. */
export function randomSpec(seed: string): FleetSpec {
  const random = createRng(seed).stream("spec");
  const chance = (share: number) => random.float() < share;
  const logBetween = (low: number, high: number) =>
    Math.exp(between(random, Math.log(low), Math.log(high)));
  const noise = logBetween(0.005, 0.05);
  const layout = random.pick(["iterations", "iterations", "per-gpu", "gpu-names"] as const);
  const nodes = Math.round(logBetween(20, 300));
  const runsPerNode = Math.round(logBetween(1, 16));
  return {
    ...plainFleet,
    name: "random",
    seed,
    nodes,
    runsPerNode,
    samples:
      layout === "per-gpu"
        ? 8
        : Math.round(layout === "iterations" ? logBetween(8, 200) : logBetween(1, 20)),
    metrics: Math.round(logBetween(1, layout === "gpu-names" ? 3 : 8)),
    noise,
    nodeShare: between(random, 0.1, 0.9),
    sampleNoise: noise * between(random, 0.5, 2),
    layout,
    lowerIsBetter: chance(0.4),
    defectShare: random.pick([0.05, 0.1, 0.1, 0.2]),
    population: chance(0.25)
      ? { share: between(random, 0.25, 0.5), gap: between(random, 4, 10) }
      : { share: 0, gap: 0 },
    heavyTails: random.pick(["none", "none", "none", "samples", "runs", "both"] as const),
    cohorts: nodes >= 60 && chance(0.3) ? 3 : 1,
    incident:
      runsPerNode >= 4 && chance(0.2) ? random.pick(["hour", "cohort-day"] as const) : "none",
    blips: chance(0.3) ? 0.1 : 0,
    transients: runsPerNode >= 3 && chance(0.2) ? 0.02 : 0,
    otherUnits: chance(0.3) ? 0.1 : 0,
    garbled: chance(0.3) ? 0.05 : 0,
    everyFigure: chance(0.6),
  };
}
