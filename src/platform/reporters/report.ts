import type { Plot } from "../plots/index.ts";
import {
  type ItemStatus,
  itemStatuses,
  type Provenance,
  type Verdict,
  verdictOfItems,
} from "../words.ts";

/** A number or word behind a conclusion. It always says where it comes from. */
export interface Fact {
  readonly name: string;
  readonly value: number | string;
  /** `B`, `B/s`, `ms`, `s` and `%` are written for people; "" when the value has no unit. */
  readonly unit: string;
  readonly provenance: Provenance;
}

/** One thing that was looked at, and what came of it. */
export interface ReportItem {
  readonly name: string;
  readonly status: ItemStatus;
  /** What this kind of report calls the status: a doctor says "missing", not "fail". @default status */
  readonly label?: string;
  /** One sentence: why this status. */
  readonly reason: string;
  /** What to do about it; absent when there is nothing to do. */
  readonly hint?: string;
  readonly durationMs?: number;
  readonly facts: readonly Fact[];
  /** Output worth keeping, as it was. */
  readonly log?: string;
  /** What a figure is held against, in words; only tables of figures in HTML show it beside the figure. */
  readonly bound?: string;
  /** A text to take along, such as the result as JSON; only HTML shows it, folded and never cut. */
  readonly attachment?: { readonly title: string; readonly text: string };
}

export interface ReportSection {
  readonly title: string;
  readonly items: readonly ReportItem[];
  /** False for figures that nobody judged: their items neither count nor decide. @default true */
  readonly judged?: boolean;
  /** True for figures that are read beside each other: in HTML their facts are the columns of one table. @default false */
  readonly figures?: boolean;
}

/** The result of a command as a plain value. Every format is written from this. */
export interface Report {
  readonly title: string;
  /** What was looked at: a machine, a cluster, a node, an experiment. */
  readonly subject: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** How the numbers came about: host, versions, models, seeds. */
  readonly notes: readonly string[];
  readonly sections: readonly ReportSection[];
  readonly plots: readonly Plot[];
  /** False for figures that nobody judged, such as a model's: they have no verdict. @default true */
  readonly judges?: boolean;
}

/** All items of a report that were judged, in order. */
export function itemsOf(report: Report): ReportItem[] {
  return report.sections.flatMap(({ items, judged }) => (judged === false ? [] : items));
}

/** What the report concludes. Without a single decided item that is `unknown`. */
export function verdictOf(report: Report): Verdict {
  return verdictOfItems(itemsOf(report).map(({ status }) => status));
}

/** The same where the report judges at all. */
export function shownVerdict(report: Report): Verdict | undefined {
  return report.judges === false ? undefined : verdictOf(report);
}

/** How many items have each status. */
export function countStatuses(items: readonly ReportItem[]): Record<ItemStatus, number> {
  const counts = Object.fromEntries(itemStatuses.map((status) => [status, 0]));
  for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1;
  return counts as Record<ItemStatus, number>;
}

/** The word shown for an item's status. */
export function labelOf(item: ReportItem): string {
  return item.label ?? item.status;
}

/** The counts in the report's own words, worst first: "1 missing, 2 limited, 9 works". */
export function summaryLine(items: readonly ReportItem[]): string {
  const order: readonly ItemStatus[] = ["fail", "unknown", "suspect", "warn", "skipped", "pass"];
  const counts = new Map<string, number>();
  for (const status of order) {
    for (const item of items) {
      if (item.status !== status) continue;
      counts.set(labelOf(item), (counts.get(labelOf(item)) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return "nothing was looked at";
  return [...counts].map(([label, count]) => `${count} ${label}`).join(", ");
}
