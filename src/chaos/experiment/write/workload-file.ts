import type { TrainingWorkload, Workload } from "../../plan/index.ts";
import { durationText, type ExperimentFile } from "../schema/index.ts";

type WorkloadFile = ExperimentFile["workload"];
type TrainingFile = Extract<WorkloadFile, { kind: "training" }>;

/** A workload as a file says it, everything in full. */
export function workloadFile(workload: Workload): WorkloadFile {
  switch (workload.kind) {
    case "training":
      return trainingFile(workload);
    case "inference":
      return {
        kind: "inference",
        replicas: workload.replicas,
        requests: workload.requests,
        rate: workload.ratePerS,
        service: durationText(workload.serviceUs),
        timeout: durationText(workload.requestTimeoutUs),
        attempts: workload.attemptsMax,
        start: durationText(workload.startUs),
        seed: workload.seed,
      };
    case "command":
      return {
        kind: "command",
        command: [...workload.command],
        env: { ...workload.env },
        cwd: workload.cwd,
        ...(workload.units === null ? {} : { units: workload.units }),
        ...(workload.workers === null ? {} : { workers: { ...workload.workers } }),
      };
    case "pods":
      return { ...workload };
    case "slurm": {
      const { kind, job, user, output } = workload;
      return {
        kind,
        job,
        ...(user === null ? {} : { user }),
        ...(output === null ? {} : { output }),
      };
    }
  }
}

function trainingFile({ job, shape, policy, pace, ...rest }: TrainingWorkload): TrainingFile {
  return {
    kind: "training",
    // The job in full: presets may change, a saved plan must not.
    ...(structuredClone(job) as Omit<TrainingFile, "kind" | "steps">),
    mesh: { ...shape },
    steps: rest.steps,
    checkpoint: {
      every: rest.checkpoint.everySteps,
      keep: rest.checkpoint.keep,
      asynchronous: rest.checkpoint.asynchronous,
    },
    policy: {
      onFailure: policy.onFailure,
      restarts: policy.restartsMax,
      ...(policy.resumeAfterUs === null ? {} : { resumeAfter: durationText(policy.resumeAfterUs) }),
      onPreempt: policy.onPreempt.action,
      grace: durationText(policy.onPreempt.graceUs),
      compareEvery: policy.compareEverySteps,
    },
    numerics: rest.numerics,
    pace: {
      compute: durationText(pace.computeUs),
      jitter: pace.jitter,
      start: durationText(pace.startUs),
      rendezvous: durationText(pace.rendezvousUs),
      save: durationText(pace.saveUs),
      load: durationText(pace.loadUs),
      ...(pace.repairUs === null ? {} : { repair: durationText(pace.repairUs) }),
    },
  };
}
