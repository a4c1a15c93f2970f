import { createHash } from "node:crypto";
import {
  type NotificationTarget,
  notificationSeverities,
} from "../../platform/config/sections/notifications.ts";
import type { Provenance } from "../../platform/words.ts";
import type { NotificationEvent } from "../api/notifications.ts";

export type Severity = (typeof notificationSeverities)[NotificationEvent];

/** Something people are told. */
export interface News {
  readonly event: NotificationEvent;
  /** The same news, told again, has the same. */
  readonly occurrence: readonly string[];
  readonly provenance: Provenance;
  readonly cluster: string | null;
  readonly node: string | null;
  readonly title: string;
  /** One sentence that says why. */
  readonly reason: string;
  readonly atMs: number;
  /** The page of the dashboard that says more, from its root. */
  readonly path: string;
}

/** Names news so that telling it twice can be noticed, by us and by whoever gets it. */
export function newsId({ event, occurrence }: Pick<News, "event" | "occurrence">): string {
  const text = JSON.stringify([event, ...occurrence]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

export function severityOf(event: NotificationEvent): Severity {
  return notificationSeverities[event];
}

const weight: Readonly<Record<Severity, number>> = { note: 0, warning: 1, critical: 2 };

/** Whether a target is to be told. Simulated clusters interest nobody who did not ask for them. */
export function isWanted(
  news: News,
  target: Pick<NotificationTarget, "events" | "clusters" | "minSeverity">,
  options: { readonly simulated: boolean },
): boolean {
  const { events, clusters, minSeverity = "note" } = target;
  if (events !== undefined && !events.includes(news.event)) return false;
  if (weight[severityOf(news.event)] < weight[minSeverity]) return false;
  if (news.cluster === null) return true;
  if (news.provenance === "simulated" && !options.simulated) return false;
  return clusters === undefined || clusters.includes(news.cluster);
}
