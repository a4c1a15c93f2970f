import { resolve } from "node:path";
import { isTesseraError } from "../../../platform/errors/index.ts";
import type { JobOptions } from "../../../runtime/training/index.ts";
import { planJob } from "../../../runtime/training/step/index.ts";
import type { Pace, RecoveryPolicy, TrainingWorkload, Workload } from "../../plan/index.ts";
import {
  checkpointDefaults,
  graceUsDefault,
  jobPresets,
  paceDefaults,
  restartsDefault,
} from "../presets/index.ts";
import { defined, type TrainingGiven, type WorkloadGiven } from "../schema/index.ts";
import { planError } from "./plan-error.ts";

const secondUs = 1_000_000;

/**
 * The workload with all its defaults.
 *
 * @param about.folder from which a command's folder counts.
 * @throws E_PLAN
 */
export function resolveWorkload(
  given: WorkloadGiven,
  about: { readonly title: string; readonly folder: string },
): Workload {
  switch (given.kind) {
    case "training":
      return resolveTraining(given, about.title);
    case "inference":
      return {
        kind: "inference",
        replicas: given.replicas,
        requests: given.requests,
        ratePerS: given.rate,
        serviceUs: given.service ?? 2000,
        requestTimeoutUs: given.timeout ?? secondUs,
        attemptsMax: given.attempts ?? 3,
        startUs: given.start ?? paceDefaults.startUs,
        seed: given.seed ?? "requests",
      };
    case "command":
      return {
        kind: "command",
        command: given.command as [string, ...string[]],
        env: given.env ?? {},
        cwd: resolve(about.folder, given.cwd ?? "."),
        units: given.units ?? null,
        workers: given.workers ?? null,
      };
    case "pods":
      return { ...given, progress: given.progress ?? false };
    case "slurm":
      return { ...given, user: given.user ?? null, output: given.output ?? null };
  }
}

function resolveTraining(given: TrainingGiven, title: string): TrainingWorkload {
  const { dp = 1, tp = 1, pp = 1 } = given.mesh ?? {};
  const shape = { dp, tp, pp };
  const job = resolveJob(given, title);
  const numerics = given.numerics ?? "real";
  if (numerics === "real") checkCut(job, { shape, title });
  const { checkpoint = {} } = given;
  return {
    kind: "training",
    job,
    shape,
    steps: given.steps,
    checkpoint: {
      everySteps: checkpoint.every ?? checkpointDefaults.everySteps,
      keep: checkpoint.keep ?? checkpointDefaults.keep,
      asynchronous: checkpoint.asynchronous ?? checkpointDefaults.asynchronous,
    },
    policy: resolvePolicy(given.policy),
    numerics,
    pace: resolvePace(given.pace),
  };
}

/** A preset, or a model and an optimizer of its own; whatever else is given counts in both cases. */
function resolveJob(given: TrainingGiven, title: string): JobOptions {
  const { model, optimizer, batch, microBatches, seed, accumulate, lossScale, data } = given;
  if (given.preset !== undefined && model !== undefined) {
    throw planError(title, "the workload has a preset and a model of its own: give one of them");
  }
  if (model !== undefined && (optimizer === undefined || batch === undefined)) {
    throw planError(title, "a workload with a model of its own needs an optimizer and a batch too");
  }
  const changes = { model, optimizer, batch, seed, accumulate, microBatches, lossScale, data };
  const base = model === undefined ? jobPresets[given.preset ?? "small"] : { seed: "0" };
  // Optional keys that zod allows as undefined do not occur: only what was given is there.
  return { ...base, ...deeplyDefined(changes) } as JobOptions;
}

function checkCut(
  job: JobOptions,
  about: { readonly shape: TrainingWorkload["shape"]; readonly title: string },
): void {
  try {
    planJob(job, about.shape);
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    throw planError(about.title, `the job cannot be cut like this: ${error.message}`);
  }
}

function resolvePolicy(given: TrainingGiven["policy"] = {}): RecoveryPolicy {
  return {
    onFailure: given.onFailure ?? "drainThenResume",
    restartsMax: given.restarts ?? restartsDefault,
    resumeAfterUs: given.resumeAfter ?? null,
    onPreempt: {
      action: given.onPreempt ?? "checkpointThenExit",
      graceUs: given.grace ?? graceUsDefault,
    },
    compareEverySteps: given.compareEvery ?? 0,
  };
}

function resolvePace(given: TrainingGiven["pace"] = {}): Pace {
  return {
    computeUs: given.compute ?? paceDefaults.computeUs,
    jitter: given.jitter ?? paceDefaults.jitter,
    startUs: given.start ?? paceDefaults.startUs,
    rendezvousUs: given.rendezvous ?? paceDefaults.rendezvousUs,
    saveUs: given.save ?? paceDefaults.saveUs,
    loadUs: given.load ?? paceDefaults.loadUs,
    repairUs: given.repair ?? paceDefaults.repairUs,
  };
}

function deeplyDefined(given: object): object {
  const entries = Object.entries(defined(given)).map(([key, value]) => {
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return [key, isGroup ? deeplyDefined(value as object) : value];
  });
  return Object.fromEntries(entries) as object;
}
