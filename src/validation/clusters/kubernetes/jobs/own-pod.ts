import { timeMs } from "../discovery/time-ms.ts";
import { labelNames } from "../labels.ts";
import type { ContainerStatus, PodObject } from "../objects.ts";

export type PodStage = "waiting" | "running" | "succeeded" | "failed";

/** Where a pod of ours stands. */
export interface OwnPod {
  readonly runId: string;
  readonly stage: PodStage;
  /** It has been asked to end; on a node that does not answer it never does. */
  readonly ending: boolean;
  readonly createdAtMs: number;
  /** When its container began to run. */
  readonly startedAtMs: number | undefined;
  /** Why it waits or how it failed. */
  readonly detail: string | undefined;
}

const detailCharsMax = 400;

/** Reads where a pod of ours stands, with the reason in the cluster's words. */
export function ownPod(pod: PodObject): OwnPod {
  const { metadata, status } = pod;
  const statuses = status?.containerStatuses ?? [];
  const states = statuses.map(({ state }) => state);
  const started = states
    .map((state) => timeMs((state?.running ?? state?.terminated)?.startedAt))
    .filter((ms) => ms !== undefined);
  const stage = stageOf(status?.phase, statuses);
  const detail = stage === "waiting" ? whyWaiting(pod) : stage === "failed" ? whyFailed(pod) : "";
  return {
    runId: metadata.labels?.[labelNames.runId] ?? "",
    stage,
    ending: metadata.deletionTimestamp !== undefined,
    createdAtMs: timeMs(metadata.creationTimestamp) ?? 0,
    startedAtMs: started.length === 0 ? undefined : Math.min(...started),
    detail: detail === "" ? undefined : shorten(detail),
  };
}

function stageOf(phase: string | undefined, statuses: readonly ContainerStatus[]): PodStage {
  if (phase === "Succeeded") return "succeeded";
  if (phase === "Failed") return "failed";
  // A pod is Running as soon as one container is; ours may still wait for its image.
  const runs = statuses.some(({ state }) => state?.running !== undefined);
  const ended = statuses.some(({ state }) => state?.terminated !== undefined);
  return phase === "Running" && (runs || ended) ? "running" : "waiting";
}

function whyWaiting({ spec, status }: PodObject): string {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False") {
    return joined(scheduled.reason ?? "Unschedulable", scheduled.message);
  }
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = statuses.map(({ state }) => state?.waiting).find((one) => one !== undefined);
  if (waiting?.reason !== undefined) return joined(waiting.reason, waiting.message);
  return spec?.nodeName === undefined ? "no node has been chosen yet" : "its container is prepared";
}

function whyFailed({ status }: PodObject): string {
  // The pod's own reason is the cause (`Evicted`, `DeadlineExceeded`, `NodeLost`), the exit code a result.
  const whole = status?.reason === undefined ? "" : joined(status.reason, status.message);
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const ends = statuses.map(({ name, state }) => {
    const end = state?.terminated;
    if (end === undefined || end.exitCode === 0) return "";
    const cause = end.reason === undefined || end.reason === "Error" ? "" : `, ${end.reason}`;
    const last = end.message === undefined || end.message === "" ? "" : `: ${end.message.trim()}`;
    const where = statuses.length === 1 ? "" : ` in container ${name}`;
    return `exit code ${end.exitCode ?? "unknown"}${signalText(end)}${cause}${where}${last}`;
  });
  const told = [whole, ...ends].filter((text) => text !== "").join("; ");
  return told === "" ? (status?.message ?? "the pod failed without a reason") : told;
}

const signalNames: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  15: "SIGTERM",
};

/** A shell's and a runtime's way to tell of a signal is 128 and its number. */
function signalText({ exitCode = 0, signal }: { exitCode?: number; signal?: number }): string {
  const number = signal ?? (exitCode > 128 ? exitCode - 128 : 0);
  const name = signalNames[number];
  return name === undefined ? "" : ` (${name})`;
}

function joined(reason: string, message: string | undefined): string {
  return message === undefined || message === "" ? reason : `${reason}: ${message}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= detailCharsMax ? line : `${line.slice(0, detailCharsMax)}…`;
}
