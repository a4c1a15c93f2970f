import type { SlurmJob } from "../../../platform/slurm/index.ts";

/** What has become of a task. */
export type TaskState =
  | { readonly kind: "waits"; readonly reason: string }
  | { readonly kind: "runs" }
  | { readonly kind: "completed" }
  /** It did nothing wrong: another try may go well. */
  | { readonly kind: "lost" | "preempted"; readonly problem: string }
  /** Another try would end the same way. */
  | { readonly kind: "failed"; readonly problem: string };

/** States in which a task has ended; in all others, also unknown ones, it may go on. */
const lostStates: ReadonlySet<string> = new Set(["NODE_FAIL", "BOOT_FAIL", "CANCELLED", "REVOKED"]);
const failedStates: ReadonlySet<string> = new Set([
  "FAILED",
  "TIMEOUT",
  "DEADLINE",
  "OUT_OF_MEMORY",
]);
/** SIGHUP, SIGINT, SIGKILL, SIGTERM: somebody ended it from outside. */
const outsideSignals: ReadonlySet<number> = new Set([1, 2, 9, 15]);
/** The same as exit codes, and that of our own program when it is interrupted. */
const outsideExits: ReadonlySet<number> = new Set([129, 130, 137, 143]);

/** What the controller says of a task; one that it does not know has ended somehow, long ago. */
export function taskState(
  jobs: readonly SlurmJob[],
  arrayJobId: number,
  index: number,
): TaskState & { readonly nodes: readonly string[] } {
  const ofArray = jobs.filter((job) => (job.arrayJobId ?? job.id) === arrayJobId);
  // Tasks that have not begun may share one record without an index.
  const job =
    ofArray.find(({ arrayTaskId }) => arrayTaskId === index) ??
    ofArray.find(({ arrayTaskId }) => arrayTaskId === undefined);
  if (job === undefined) return { kind: "lost", problem: "Slurm knows it no longer", nodes: [] };
  return { ...stateOf(job), nodes: job.nodes };
}

/** Whether a job may still do something. */
export function isLive(job: SlurmJob): boolean {
  const { kind } = stateOf(job);
  return kind === "waits" || kind === "runs";
}

function stateOf({ state, reason, exitCode, exitSignal }: SlurmJob): TaskState {
  if (state === "COMPLETED") return { kind: "completed" };
  if (state === "PREEMPTED") return { kind: "preempted", problem: "a user's job preempted it" };
  if (lostStates.has(state)) return { kind: "lost", problem: `it ended as ${state}` };
  if (!failedStates.has(state)) {
    return state === "PENDING" ? { kind: "waits", reason } : { kind: "runs" };
  }
  const how =
    exitSignal !== undefined && exitSignal > 0
      ? `${state}, signal ${exitSignal}`
      : `${state}, exit code ${exitCode ?? "unknown"}`;
  const isFromOutside =
    state === "FAILED" && (outsideSignals.has(exitSignal ?? 0) || outsideExits.has(exitCode ?? 0));
  // Its partition's time is short, or ours: nobody sees which by looking at the state.
  const remedy =
    state === "TIMEOUT" ? "; give it longer with --time, or more --tasks less to do" : "";
  return { kind: isFromOutside ? "lost" : "failed", problem: `it ended as ${how}${remedy}` };
}
