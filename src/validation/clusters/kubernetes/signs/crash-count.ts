import { harmlessExitCodes } from "../../harmless-ends.ts";
import { timeMs } from "../discovery/time-ms.ts";
import type { ContainerStatus, PodObject } from "../objects.ts";

/** How often the containers of a pod have ended, and whether the last end was a crash. */
export interface CrashCount {
  /** Who made the pod, for people and to count a job of many pods once: `ml/train-7`. */
  readonly job: string;
  readonly ends: number;
  /** When the newest end was, if that was a crash; undefined when it was none or its time unknown. */
  readonly crash: { readonly atMs: number | undefined } | undefined;
}

/**
 * What the ends of a pod's containers tell. A crash is an end with any other exit code: a program
 * that CUDA fails mostly ends with 1, as it does for a mistake of its own, and only many of them on
 * one node and few on others say something. Not a crash: to run out of the memory that was asked for,
 * and whatever happens to a pod that is evicted, displaced, out of time or deleted.
 */
export function crashCount(pod: PodObject): CrashCount {
  const { metadata, status } = pod;
  const statuses = status?.containerStatuses ?? [];
  let ends = 0;
  let newest: Terminated | undefined;
  for (const one of statuses) {
    ends += (one.restartCount ?? 0) + (one.state?.terminated === undefined ? 0 : 1);
    const terminated = one.state?.terminated ?? one.lastState?.terminated;
    if (terminated !== undefined && isNewer(terminated, newest)) newest = terminated;
  }
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const crashed = newest !== undefined && isCrash(newest) && !isDisrupted(pod);
  return {
    job: `${metadata.namespace ?? ""}/${owner?.name ?? metadata.name ?? ""}`,
    ends,
    crash: crashed ? { atMs: timeMs(newest?.finishedAt) } : undefined,
  };
}

type Terminated = NonNullable<NonNullable<ContainerStatus["state"]>["terminated"]>;

function isNewer(one: Terminated, other: Terminated | undefined): boolean {
  return other === undefined || (timeMs(one.finishedAt) ?? 0) > (timeMs(other.finishedAt) ?? 0);
}

function isCrash({ exitCode = 0, reason }: Terminated): boolean {
  return reason !== "OOMKilled" && !harmlessExitCodes.has(exitCode);
}

function isDisrupted({ metadata, status }: PodObject): boolean {
  if (metadata.deletionTimestamp !== undefined) return true;
  // `Evicted`, `Preempting`, `DeadlineExceeded`, `NodeShutdown`, `NodeLost`, ...
  if (status?.reason !== undefined && status.reason !== "") return true;
  return (status?.conditions ?? []).some(
    ({ type, status: state }) => type === "DisruptionTarget" && state === "True",
  );
}
