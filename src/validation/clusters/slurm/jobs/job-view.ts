import type { SlurmJob, SlurmNode } from "../../../../platform/slurm/index.ts";
import type { JobView } from "../../cluster.ts";
import { doesNotAnswer } from "../discovery/node-states.ts";
import { hasEnded } from "./job-states.ts";
import type { OwnJob } from "./own-jobs.ts";

export interface JobSurroundings {
  /** The node it was made for; undefined when the cluster has none of that name. */
  readonly node: SlurmNode | undefined;
  /** How long ago this process last asked for its end; undefined when it did not. */
  readonly cancelledForMs: number | undefined;
}

/** What goes on for longer than this after its end was asked for has not heard of it. */
const cancelHeardMs = 10_000;

type Standing = Pick<JobView, "phase" | "detail" | "preempted" | "neverBegan">;

/** Where a job of ours stands; undefined when it was cancelled by us and nothing of it is left. */
export function jobView(own: OwnJob, around: JobSurroundings): JobView | undefined {
  const { job, mark, node } = own;
  const standing = standingOf(job, around);
  if (standing === undefined) return undefined;
  return {
    name: job.name,
    runId: mark.runId,
    node,
    createdAtMs: job.submittedAtMs,
    ...(job.startedAtMs === undefined || job.state === "PENDING"
      ? {}
      : { startedAtMs: job.startedAtMs }),
    ...standing,
  };
}

function standingOf(job: SlurmJob, around: JobSurroundings): Standing | undefined {
  const { node, cancelledForMs } = around;
  const isEnding = job.flags.includes("COMPLETING");
  if (cancelledForMs !== undefined) {
    if (hasEnded(job) && !isEnding) return undefined;
    if (isEnding || cancelledForMs < cancelHeardMs) return { phase: "gone" };
  }
  if (node === undefined && !hasEnded(job)) {
    return { phase: "failed", detail: "its node has left the cluster" };
  }
  if (!hasEnded(job)) return unended(job);
  // Nothing ends what hangs on a node that does not answer.
  if (isEnding && node !== undefined && !doesNotAnswer(node)) {
    return { phase: "running", detail: "it is being ended" };
  }
  return ended(job);
}

function unended(job: SlurmJob): Standing {
  if (job.state === "PENDING") return { phase: "pending", detail: waitText(job) };
  if (job.state === "CONFIGURING" || job.flags.includes("CONFIGURING")) {
    return { phase: "pending", detail: "its node is being prepared" };
  }
  if (job.state === "RUNNING") return { phase: "running" };
  return { phase: "running", detail: `its state is ${job.state}` };
}

function ended(job: SlurmJob): Standing {
  const { state } = job;
  if (state === "COMPLETED") return { phase: "succeeded" };
  // With a time of grace it may end by itself, in whatever state.
  if (state === "PREEMPTED" || job.preemptedAtMs !== undefined) {
    return { phase: "failed", detail: "preempted by users' work", preempted: true };
  }
  // It has a time of start all the same: that of its end.
  if (state === "CANCELLED" && job.nodes.length === 0) {
    const detail = "somebody else cancelled it before it began";
    return { phase: "failed", detail, neverBegan: true };
  }
  return { phase: "failed", detail: endText(job) };
}

const endWords: Readonly<Record<string, string>> = {
  CANCELLED: "somebody else cancelled it",
  TIMEOUT: "it reached its time limit",
  NODE_FAIL: "its node failed",
  OUT_OF_MEMORY: "it ran out of memory",
  BOOT_FAIL: "its node could not be booted",
  DEADLINE: "it reached its deadline",
  LAUNCH_FAILED: "it could not be started",
};

function endText(job: SlurmJob): string {
  const words = endWords[job.state];
  const exit =
    job.exitSignal !== undefined && job.exitSignal !== 0
      ? `ended by signal ${job.exitSignal}`
      : job.exitCode === undefined || job.exitCode === 0
        ? undefined
        : `exit code ${job.exitCode}`;
  const known = [words, exit].filter((part) => part !== undefined);
  const parts = known.length === 0 ? [`its state is ${job.state}`] : known;
  return [...parts, ...(words === undefined ? reasonOf(job) : [])].join(", ");
}

function reasonOf({ reason }: SlurmJob): readonly string[] {
  return ["", "None", "NonZeroExitCode"].includes(reason) ? [] : [reason];
}

const waitWords: Readonly<Record<string, string>> = {
  Resources: "its node is in use",
  Priority: "other work comes first",
  Dependency: "another job of its name has not ended",
  ReqNodeNotAvail: "its node is not available",
  PartitionTimeLimit: "the partition allows less time than it asks for",
  PartitionDown: "its partition is down",
  PartitionInactive: "its partition is inactive",
  Reservation: "it waits for its reservation",
  BeginTime: "its time has not come",
  JobHeldAdmin: "an administrator holds it",
  JobHeldUser: "somebody holds it",
};

function waitText({ reason }: SlurmJob): string {
  if (reason === "" || reason === "None") return "it waits for the scheduler";
  const [word = ""] = reason.split(/[,\s]/, 1);
  const words = waitWords[word];
  return words === undefined ? reason : `${words} (${reason})`;
}
