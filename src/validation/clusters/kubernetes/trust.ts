import { type Freshness, isNotFound } from "../../../platform/kube/index.ts";
import type { ViewTrust } from "../cluster.ts";

/** A part of the view, as people call it, and how far it can be trusted. */
export interface ViewPart {
  readonly what: string;
  readonly freshness: Freshness;
}

/** How far a view of several parts can be trusted: as far as the least of them. */
export function trustOf(parts: readonly ViewPart[]): ViewTrust {
  const starting = parts.filter(({ freshness }) => freshness.state === "starting");
  const late = parts.filter(({ freshness }) => ["stale", "stopped"].includes(freshness.state));
  if (starting.length > 0) {
    const reason = `${capital(names(starting))} have not been listed yet${why(starting)}.`;
    return { state: "starting", reason };
  }
  if (late.length === 0) return { state: "current" };
  const since = late.flatMap(({ freshness }) => freshness.staleSinceMs ?? []);
  const stopped = late.every(({ freshness }) => freshness.state === "stopped");
  const reason = stopped
    ? "The cluster is no longer watched."
    : `Changes of ${names(late)} may be missing${why(late)}.`;
  return {
    state: "stale",
    ...(since.length === 0 ? {} : { sinceMs: Math.min(...since) }),
    reason,
  };
}

function names(parts: readonly ViewPart[]): string {
  return parts.map(({ what }) => what).join(" and ");
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function why(parts: readonly ViewPart[]): string {
  const error = parts.map(({ freshness }) => freshness.lastError).find((one) => one !== undefined);
  if (error === undefined) return "";
  const absent = isNotFound(error) ? " (does the cluster have this kind of job?)" : "";
  return `: ${error.message.replace(/\.$/, "")}${absent}`;
}
