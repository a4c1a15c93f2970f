import assert from "node:assert/strict";
import type { FleetResult } from "../fleet-result.ts";
import { simulateFleetJob } from "../simulate-fleet.ts";
import { assemble, type FleetScenario } from "./scenario.ts";

/** Nine of ten runs lie between the two; with few runs, all of them. */
export interface RunBand {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface FleetStudy {
  readonly scenario: FleetScenario;
  readonly seed: string;
  /** One for each seed: `seed/1`, `seed/2`, … */
  readonly runs: readonly [FleetResult, ...FleetResult[]];
  readonly ettr: RunBand;
  readonly goodput: RunBand;
}

const runsMax = 1000;

/** A scenario, some times over with other chances. */
export function studyFleet(
  scenario: FleetScenario,
  { seed, runs }: { readonly seed: string; readonly runs: number },
): FleetStudy {
  assert(Number.isSafeInteger(runs) && runs >= 1 && runs <= runsMax, "a study has 1 to 1000 runs");
  const assembled = assemble(scenario);
  const [first, ...more] = Array.from({ length: runs }, (_, index) =>
    simulateFleetJob({ ...assembled, seed: `${seed}/${index + 1}` }),
  );
  assert(first !== undefined);
  const results = [first, ...more] as const;
  return {
    scenario,
    seed,
    runs: results,
    ettr: bandOf(results.map(({ ettr }) => ettr)),
    goodput: bandOf(results.map(({ goodput }) => goodput)),
  };
}

function bandOf(values: readonly number[]): RunBand {
  const sorted = values.toSorted((one, other) => one - other);
  const cut = Math.floor(sorted.length / 20);
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: sorted[cut] as number,
    high: sorted[sorted.length - 1 - cut] as number,
  };
}
