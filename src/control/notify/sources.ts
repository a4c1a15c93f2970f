import type { Provenance } from "../../platform/words.ts";
import type { News } from "./news.ts";

/** Whether a cluster's circuit breaker keeps failed nodes open, as this process sees it. */
export interface BreakerState {
  readonly cluster: string;
  readonly provenance: Provenance;
  /** Why nodes stay open; null while it does not hold. */
  readonly reason: string | null;
}

/** A hardware fault that could not be undone. */
export interface LeftFault {
  readonly id: string;
  /** What was injected where, for people. */
  readonly what: string;
  readonly reason: string;
}

/** What only the process that leads something can tell; the rest is read from the store. */
export interface NewsSources {
  /** Of clusters that this process leads; those of others are not told. @default none */
  readonly breakers?: () => readonly BreakerState[] | Promise<readonly BreakerState[]>;
  /** @default none */
  readonly faultsLeft?: () => readonly LeftFault[] | Promise<readonly LeftFault[]>;
}

export function breakerKey(cluster: string): string {
  return `breaker/${cluster}`;
}

/** A breaker that opened is told once, and again only after it was shut. */
export function breakerNews(
  breakers: readonly BreakerState[],
  given: { readonly before: ReadonlyMap<string, string>; readonly nowMs: number },
): { readonly news: readonly News[]; readonly told: ReadonlyMap<string, string> } {
  const { before, nowMs } = given;
  const news: News[] = [];
  const told = new Map<string, string>();
  for (const { cluster, provenance, reason } of breakers) {
    const key = breakerKey(cluster);
    const state = reason === null ? "shut" : "open";
    if ((before.get(key) ?? "shut") === state) continue;
    told.set(key, state);
    if (reason === null) continue;
    news.push({
      event: "breaker.open",
      occurrence: [cluster, String(nowMs)],
      provenance,
      cluster,
      node: null,
      title: `Failed nodes of ${cluster} stay open`,
      reason,
      atMs: nowMs,
      path: `/fleet/${encodeURIComponent(cluster)}`,
    });
  }
  return { news, told };
}

export function leftFaultNews({ id, what, reason }: LeftFault, nowMs: number): News {
  return {
    event: "fault.left",
    occurrence: [id],
    provenance: "measured",
    cluster: null,
    node: null,
    title: `A hardware fault could not be undone: ${what}`,
    reason,
    atMs: nowMs,
    path: "/faults",
  };
}

/** An experiment as the store keeps it. */
export interface FailedExperiment {
  readonly id: string;
  readonly title: string;
  readonly world: string;
  readonly reason: string | null;
  readonly endedAtMs: number;
}

export function experimentNews(experiment: FailedExperiment): News {
  const { id, title, world, reason, endedAtMs } = experiment;
  return {
    event: "experiment.failed",
    occurrence: [id],
    provenance: world === "sim" ? "simulated" : "measured",
    cluster: null,
    node: null,
    title: `The experiment ${title} failed`,
    reason: reason ?? "No reason was recorded.",
    atMs: endedAtMs,
    path: `/experiments/${encodeURIComponent(id)}`,
  };
}
