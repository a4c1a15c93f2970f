import assert from "node:assert/strict";
import { experimentText, planToExperiment } from "../experiment/write/index.ts";
import { type Attempt, type FailsHow, type Minimised, minimise } from "../minimise/index.ts";
import type { ChaosPlan, Defect } from "../plan/index.ts";
import type { CampaignPart } from "./campaign-part.ts";
import { type Reproducers, signaturesOf } from "./campaign-result.ts";
import { admitsFor } from "./claim.ts";
import { canaryPlan, swarmPlan } from "./swarm/index.ts";
import type { CampaignWorker } from "./workers/index.ts";

/** A plan that fails the same way, as small as it could be made. */
export interface Reproducer {
  /** Below the folder of the campaign; empty when nothing was saved. */
  readonly file: string;
  readonly outcome: Minimised["outcome"];
  readonly faults: number;
  readonly ranks: number | null;
  /** Runs of the minimiser. */
  readonly runs: number;
  readonly isMinimal: boolean;
  readonly plan: ChaosPlan;
}

/** Ways to fail that are made smaller; more are listed only. */
export const reproducersMax = 20;

export interface ReproducerOptions {
  readonly workers: readonly CampaignWorker[];
  readonly signal: AbortSignal;
  /** Of one minimisation. @default 80 */
  readonly runsMax?: number;
  readonly onAttempt?: (what: string, attempt: Attempt) => void;
}

/** Makes the first failure of each kind, and each canary, as small as can be. */
export async function makeReproducers(
  part: CampaignPart,
  options: ReproducerOptions,
): Promise<Reproducers> {
  const signatures = new Map<string, Reproducer>();
  for (const { signature, firstIndex } of signaturesOf(part.runs).slice(0, reproducersMax)) {
    const { plan } = swarmPlan(part.seed, firstIndex);
    signatures.set(signature, await reproducerOf(plan, `run-${firstIndex}`, options));
  }
  const canaries = new Map<Defect, Reproducer>();
  for (const { defect, attempts, found } of part.canaries) {
    if (found === null) continue;
    const plan = canaryPlan(part.seed, defect, attempts - 1);
    canaries.set(defect, await reproducerOf(plan, `canary-${defect}`, options));
  }
  return { signatures, canaries };
}

async function reproducerOf(
  plan: ChaosPlan,
  name: string,
  { workers, signal, runsMax = 80, onAttempt }: ReproducerOptions,
): Promise<Reproducer> {
  const result = await minimise(plan, failsWith(workers), {
    runsMax,
    parallel: workers.length,
    signal,
    admits: admitsFor(plan),
    ...(onAttempt === undefined ? {} : { onAttempt: (one) => onAttempt(name, one) }),
  });
  const { workload, faults } = result.plan;
  const ranks =
    workload.kind === "training" ? workload.shape.dp * workload.shape.tp * workload.shape.pp : null;
  const { outcome, runs, isMinimal } = result;
  return { file: "", outcome, faults: faults.length, ranks, runs, isMinimal, plan: result.plan };
}

/** How a plan fails, as workers find out; as many at once as there are workers. */
export function failsWith(workers: readonly CampaignWorker[]): FailsHow {
  const free = [...workers];
  return async (plan) => {
    const worker = free.shift() ?? workers[0];
    assert(worker !== undefined, "somebody carries out the runs");
    try {
      const { outcome, signature } = await worker.carryOut({ kind: "plan", plan });
      return outcome === "fail" ? (signature ?? "no signature") : null;
    } finally {
      free.push(worker);
    }
  };
}

/** The file of a reproducer: an experiment that fails as the campaign's run did. */
export function reproducerText(
  { plan, runs, isMinimal }: Pick<Reproducer, "plan" | "runs" | "isMinimal">,
  signature: string,
): string {
  const comment = [
    `Made smaller in ${runs} runs${isMinimal ? "; without any one of its faults it does not fail this way" : ""}.`,
    `It fails with: ${signature}`,
  ].join("\n");
  return experimentText(planToExperiment(plan), comment);
}
