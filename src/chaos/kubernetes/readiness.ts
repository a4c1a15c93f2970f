import type { Readiness } from "../live/index.ts";
import type { PodView } from "./objects.ts";

/** How pods are, when so many of them should be ready. */
export function readinessOf(pods: readonly PodView[], wanted: number): Readiness {
  const ready = readyIn(pods);
  const isWhole = ready >= wanted;
  const text = isWhole ? "all pods are ready again" : `${ready} of ${wanted} pods are ready`;
  return { ready, isWhole, text };
}

/** Pods that ended well have done what they were for. */
export function readyIn(pods: readonly PodView[]): number {
  return pods.filter(({ isReady, hasSucceeded }) => isReady || hasSucceeded).length;
}
