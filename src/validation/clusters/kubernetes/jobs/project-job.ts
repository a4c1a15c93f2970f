import type { KubeObject } from "../../../../platform/kube/index.ts";
import { timeMs } from "../discovery/time-ms.ts";
import { labelNames } from "../labels.ts";
import type { Condition, JobObject, VolcanoJobObject } from "../objects.ts";

/** What is kept of a job of ours. */
export interface JobSummary {
  readonly name: string;
  readonly runId: string;
  readonly node: string;
  readonly createdAtMs: number;
  readonly stage: "open" | "succeeded" | "failed" | "deleting";
  /** What the job itself says about why it waits or failed. */
  readonly detail: string | undefined;
}

/** A batch/v1 Job. */
export function projectJob(job: JobObject): JobSummary {
  const holds = (type: string) =>
    job.status?.conditions?.find((one) => one.type === type && one.status === "True");
  // A job that is to fail waits for the end of its pods, which on a dead node never comes.
  const failed = holds("Failed") ?? holds("FailureTarget");
  const succeeded = holds("Complete") ?? holds("SuccessCriteriaMet");
  const waiting = holds("Suspended");
  const stage = failed ? "failed" : succeeded ? "succeeded" : "open";
  return summary(job, stage, textOf(failed ?? waiting));
}

const volcanoEnds: Readonly<Record<string, "succeeded" | "failed">> = {
  Completed: "succeeded",
  Completing: "succeeded",
  Failed: "failed",
  Aborted: "failed",
  Terminated: "failed",
  // On their way, and on a dead node for ever.
  Aborting: "failed",
  Terminating: "failed",
};

/** A batch.volcano.sh/v1alpha1 Job. */
export function projectVolcanoJob(job: VolcanoJobObject): JobSummary {
  const { phase = "", reason, message } = job.status?.state ?? {};
  const stage = volcanoEnds[phase] ?? "open";
  const told = [reason, message].filter((text) => text !== undefined && text !== "").join(": ");
  const named = told === "" ? `Volcano: ${phase}` : `Volcano: ${phase}: ${told}`;
  const silent = phase === "" || phase === "Running" || stage === "succeeded";
  return summary(job, stage, silent ? undefined : named);
}

function summary(
  job: KubeObject,
  stage: "open" | "succeeded" | "failed",
  detail: string | undefined,
): JobSummary {
  const { metadata } = job;
  const { labels = {}, annotations = {} } = metadata;
  return {
    name: metadata.name ?? "",
    runId: labels[labelNames.runId] ?? "",
    node: annotations[labelNames.node] ?? labels[labelNames.node] ?? "",
    createdAtMs: timeMs(metadata.creationTimestamp) ?? 0,
    stage: metadata.deletionTimestamp === undefined ? stage : "deleting",
    detail,
  };
}

function textOf(condition: Condition | undefined): string | undefined {
  if (condition === undefined) return undefined;
  const { type, reason = type, message = "" } = condition;
  return message === "" ? reason : `${reason}: ${message}`;
}
