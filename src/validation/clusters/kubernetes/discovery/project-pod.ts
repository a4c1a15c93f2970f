import { type OwnPod, ownPod } from "../jobs/own-pod.ts";
import { labelNames, managedByUs } from "../labels.ts";
import type { PodObject } from "../objects.ts";
import { type CrashCount, crashCount } from "../signs/crash-count.ts";
import { type Amounts, none, type Relevant } from "./amounts.ts";
import { podRequests } from "./pod-requests.ts";

/** What is kept of a pod. */
export interface PodSummary {
  /** Empty while it has none. */
  readonly node: string;
  /** What it takes of the node; nothing when it has ended. */
  readonly requests: Amounts;
  /** It has ended and holds nothing; one that is being ended still does. */
  readonly ended: boolean;
  /** It holds devices by claims, which may be GPUs. */
  readonly claims: boolean;
  /** Only for pods of our own jobs. */
  readonly own: OwnPod | undefined;
  /** Only for others' pods with GPUs. */
  readonly crashes: CrashCount | undefined;
}

export interface PodProjection {
  /** As its label has it. */
  readonly cluster: string;
  readonly relevant: Relevant;
  readonly isGpu: (resource: string) => boolean;
  readonly crashSigns: boolean;
}

/** Makes a projection that keeps equal requests once: thousands of pods ask for the same. */
export function podProjection(projection: PodProjection): (pod: PodObject) => PodSummary {
  const keepOnce = interning();
  return (pod) => {
    const { metadata, spec, status } = pod;
    const ended = status?.phase === "Succeeded" || status?.phase === "Failed";
    const requests = podRequests(pod, projection.relevant);
    const isOwn =
      metadata.labels?.[labelNames.managedBy] === managedByUs &&
      metadata.labels[labelNames.cluster] === projection.cluster;
    const watched = projection.crashSigns && !isOwn && holdsGpu(requests, projection.isGpu);
    return {
      node: spec?.nodeName ?? "",
      requests: ended ? none : keepOnce(requests),
      ended,
      claims: (spec?.resourceClaims?.length ?? 0) > 0,
      own: isOwn ? ownPod(pod) : undefined,
      crashes: watched ? crashCount(pod) : undefined,
    };
  };
}

function holdsGpu(requests: Amounts, isGpu: (resource: string) => boolean): boolean {
  for (const name in requests) if ((requests[name] ?? 0) > 0 && isGpu(name)) return true;
  return false;
}

const differentMax = 10_000;

function interning(): (amounts: Amounts) => Amounts {
  const known = new Map<string, Amounts>();
  return (amounts) => {
    let key = "";
    for (const name in amounts) key += `${name}=${amounts[name]} `;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= differentMax) known.clear();
    known.set(key, amounts);
    return amounts;
  };
}
