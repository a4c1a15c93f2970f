export const defectKinds = ["uniform", "stalls", "slow-gpu", "decay"] as const;
export type DefectKind = (typeof defectKinds)[number];

/** What a synthetic fleet is like. Everything random in it follows from the seed. */
export interface FleetSpec {
  readonly name: string;
  readonly seed: string;
  readonly nodes: number;
  readonly runsPerNode: number;
  /** Samples a run; 8 where they are one for each GPU. */
  readonly samples: number;
  readonly metrics: number;
  /** Standard deviation of a run's level, as a share of the value. */
  readonly noise: number;
  /** How much of that variance lies between nodes; the rest lies between runs. */
  readonly nodeShare: number;
  /** Standard deviation of samples within a run, as a share of the value. */
  readonly sampleNoise: number;
  /** Whether samples are iterations, one for each GPU, or figures carry GPU names. */
  readonly layout: "iterations" | "per-gpu" | "gpu-names";
  readonly lowerIsBetter: boolean;
  readonly defectShare: number;
  readonly defects: readonly DefectKind[];
  /** Least and largest loss, in standard deviations of what the defect shows in. */
  readonly effect: readonly [number, number];
  /** Share of nodes in an unnamed second population, and how many deviations it lies lower. */
  readonly population: { readonly share: number; readonly gap: number };
  readonly heavyTails: "none" | "samples" | "runs" | "both";
  readonly cohorts: number;
  readonly incident: "none" | "hour" | "cohort-day";
  /** Share of healthy runs with a single slow iteration. */
  readonly blips: number;
  /** Share of healthy runs that are odd once. */
  readonly transients: number;
  /** Share of runs in another unit than most. */
  readonly otherUnits: number;
  /** Share of runs that are incomplete or garbled. */
  readonly garbled: number;
  /** Whether a defect shows in every figure or in one. */
  readonly everyFigure: boolean;
}

/** A plain fleet, to be varied. */
export const plainFleet: FleetSpec = {
  name: "plain",
  seed: "0",
  nodes: 100,
  runsPerNode: 5,
  samples: 40,
  metrics: 2,
  noise: 0.015,
  nodeShare: 0.5,
  sampleNoise: 0.02,
  layout: "iterations",
  lowerIsBetter: false,
  defectShare: 0.1,
  defects: defectKinds,
  effect: [3, 10],
  population: { share: 0, gap: 0 },
  heavyTails: "none",
  cohorts: 1,
  incident: "none",
  blips: 0,
  transients: 0,
  otherUnits: 0,
  garbled: 0,
  everyFigure: true,
};
