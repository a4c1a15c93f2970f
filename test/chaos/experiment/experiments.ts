import {
  type Experiment,
  type ExperimentFile,
  experimentText,
  parseExperiment,
  type ResolveOptions,
  resolveExperiment,
} from "../../../src/chaos/experiment/index.ts";
import type { ChaosPlan } from "../../../src/chaos/plan/index.ts";
import { isTesseraError } from "../../../src/platform/errors/index.ts";

type Training = Extract<ExperimentFile["workload"], { kind: "training" }>;
export type FaultFile = NonNullable<ExperimentFile["faults"]>[number];

/** A small training job on 2 nodes of 2 devices, and whatever is given. */
export function experimentOf(
  given: Partial<ExperimentFile> & { readonly training?: Partial<Training> } = {},
): Experiment {
  const { training, ...rest } = given;
  const workload: Training = { kind: "training", mesh: { dp: 4 }, steps: 24, ...training };
  const file: ExperimentFile = {
    title: "test",
    workload,
    fleet: { devicesPerNode: 2 },
    ...rest,
  };
  return parseExperiment(experimentText(file), "test.yaml");
}

export function planOf(
  given: Parameters<typeof experimentOf>[0] = {},
  options: ResolveOptions = {},
): ChaosPlan {
  return resolveExperiment(experimentOf(given), options);
}

/** A plan with one fault: by default rank 1 is killed at step 12. */
export function withFault(
  fault: Partial<FaultFile> = {},
  given: Parameters<typeof experimentOf>[0] = {},
): ChaosPlan {
  return planOf({ ...given, faults: [killRank(1, fault)] });
}

export function killRank(rank: number, fault: Partial<FaultFile> = {}): FaultFile {
  return { fault: "kill_device", target: { rank }, at: { step: 12 }, ...fault };
}

/** Code and message of the error that making something gives. */
export function problemOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    return `${error.code} ${error.message}`;
  }
  return "it was planned";
}
