import { createRng } from "../../../platform/rng/index.ts";
import {
  type ChaosPlan,
  type Expectations,
  recoveryPhases,
  type Workload,
} from "../../plan/index.ts";
import type { ExpectGiven, Experiment } from "../schema/index.ts";
import { blastRadiusOf } from "./blast-radius.ts";
import { judgeClaims } from "./claims.ts";
import { resolveFaults } from "./faults.ts";
import { layoutOf } from "./layout.ts";
import { planError } from "./plan-error.ts";
import { resolveProbe } from "./probes.ts";
import { resolveFleet, resolveLimits, resolveTimeouts } from "./surroundings.ts";
import type { KnownPod } from "./targets.ts";
import { resolveWorkload } from "./workload.ts";

export interface ResolveOptions {
  /** Of all that is left to chance. @default the seed of the file, else "0" */
  readonly seed?: string | undefined;
  /** From which the folder of a command counts. @default "." */
  readonly folder?: string;
  /** The pods of the workload, as a cluster has them now: for targets that are chosen by chance. */
  readonly pods?: readonly KnownPod[];
  /** The nodes that the job of the workload holds now: for targets that are chosen by chance. */
  readonly jobNodes?: readonly string[];
}

const defaultSeed = "0";

/**
 * The plan of an experiment: defaults filled in, targets and moments chosen. Pure: the same experiment
 * and seed give the same plan, and taking one fault away changes no other.
 *
 * @throws E_PLAN when it says something that cannot be, or hits more than its limits allow;
 * E_FAULT_INVALID for parameters that a fault does not take.
 */
export function resolveExperiment(experiment: Experiment, options: ResolveOptions = {}): ChaosPlan {
  const { title } = experiment;
  const seed = options.seed ?? String(experiment.seed ?? defaultSeed);
  const workload = resolveWorkload(experiment.workload, { title, folder: options.folder ?? "." });
  const fleet = resolveFleet(experiment, workload);
  const limits = resolveLimits(experiment, workload);
  const faults = resolveFaults(experiment.faults ?? [], {
    title,
    workload,
    layout: layoutOf(workload, fleet),
    limitUs: limits.durationUs,
    rng: createRng(seed),
    pods: options.pods,
    jobNodes: options.jobNodes,
  });
  const rest = {
    format: "tessera-chaos-plan/1" as const,
    title,
    seed,
    workload,
    fleet,
    timeouts: resolveTimeouts(experiment),
    faults,
    steadyState: (experiment.steadyState ?? []).map(resolveProbe),
    limits,
    defects: experiment.defects ?? [],
  };
  const plan: ChaosPlan = { ...rest, expect: resolveExpectations(experiment, rest) };
  const { atOnce } = blastRadiusOf(plan);
  if (atOnce > limits.targetsMax) {
    const most = `limits.targets allows ${limits.targetsMax}`;
    throw planError(title, `it would hit ${atOnce} ranks, pods or nodes at once, and ${most}`);
  }
  return plan;
}

function resolveExpectations(
  { expect = {}, claims = [] }: Experiment,
  plan: Omit<ChaosPlan, "expect">,
): Expectations {
  const expectsFailure = expect.recovery === "cleanFailure";
  return {
    claim: expect.claim ?? judgeClaims(plan, claims, expectsFailure).claim,
    recovery: expect.recovery ?? null,
    within: withinOf(expect.within),
    integrity: expect.integrity ?? integrityOf(plan.workload),
    gates: expect.gates ?? [],
  };
}

function withinOf(given: ExpectGiven["within"] = {}): Expectations["within"] {
  const limits = recoveryPhases.map((phase) => [phase, given[phase] ?? null]);
  return Object.fromEntries(limits) as Expectations["within"];
}

/** As much as the workload can show: of a program and of pods nobody knows what they hold. */
function integrityOf(workload: Workload): Expectations["integrity"] {
  if (workload.kind === "training") return workload.numerics === "real" ? "bitwise" : "none";
  return workload.kind === "inference" ? "bitwise" : "none";
}
