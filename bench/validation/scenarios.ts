import { type FleetSpec, plainFleet } from "./fleet-spec.ts";

const variants: Readonly<Record<string, Partial<FleetSpec>>> = {
  plain: {},
  "one run a node": { runsPerNode: 1 },
  "two runs a node": { runsPerNode: 2 },
  "fifteen runs a node": { runsPerNode: 15 },
  "20 nodes": { nodes: 20 },
  "300 nodes": { nodes: 300, runsPerNode: 3 },
  "8 figures": { metrics: 8 },
  "defect in one figure of 4": { metrics: 4, everyFigure: false },
  "noise 0.5 %": { noise: 0.005, sampleNoise: 0.005 },
  "noise 5 %": { noise: 0.05, sampleNoise: 0.05 },
  "nodes differ more than runs": { nodeShare: 0.9 },
  "runs differ more than nodes": { nodeShare: 0.1 },
  "latencies, units mixed": { lowerIsBetter: true, otherUnits: 0.2 },
  "one sample a GPU": { layout: "per-gpu", samples: 8 },
  "figures by GPU": { layout: "gpu-names", samples: 8, metrics: 1 },
  "12 samples": { samples: 12 },
  "200 samples": { samples: 200, metrics: 1 },
  "25 % defective": { defectShare: 0.25 },
  "second population, 30 %": { population: { share: 0.3, gap: 6 } },
  "second population of 40 nodes": { population: { share: 0.3, gap: 6 }, nodes: 40 },
  "heavy tails in samples": { heavyTails: "samples" },
  "heavy tails in runs": { heavyTails: "runs" },
  "single slow iterations": { blips: 0.1 },
  "odd runs that clear": { transients: 0.03 },
  "named cohorts": { cohorts: 4, nodes: 160 },
  "incident of an hour": { incident: "hour" },
  "incident of a cohort": { incident: "cohort-day", cohorts: 3 },
  "garbled runs": { garbled: 0.1 },
};

/** The named fleets, each one property away from the plain one. */
export function scenarios(seed: string): readonly FleetSpec[] {
  return Object.entries(variants).map(([name, variant]) => ({
    ...plainFleet,
    ...variant,
    name,
    seed,
  }));
}
