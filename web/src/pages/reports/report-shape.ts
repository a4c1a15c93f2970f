import type { ItemStatus, Provenance, Verdict } from "../../../../src/platform/words.ts";

/** A report as `tessera report --json` writes it: `tessera-report/1`. */
export interface ReportShape {
  readonly format: string;
  readonly title: string;
  readonly subject: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: Verdict | null;
  readonly counts: Readonly<Partial<Record<ItemStatus, number>>>;
  readonly notes: readonly string[];
  readonly sections: readonly ReportSection[];
}

export interface ReportSection {
  readonly title: string;
  readonly judged: boolean;
  readonly items: readonly ReportItem[];
}

export interface ReportItem {
  readonly name: string;
  readonly status: ItemStatus;
  readonly label: string;
  readonly reason: string;
  readonly hint: string | null;
  readonly facts: readonly {
    readonly name: string;
    readonly value: number | string;
    readonly unit: string;
    readonly provenance: Provenance;
  }[];
}

/** Whether this page can read it: another version may mean other things by the same names. */
export function canShow(report: ReportShape): boolean {
  return report.format === "tessera-report/1";
}

const weightOf: Readonly<Record<ItemStatus, number>> = {
  fail: 0,
  unknown: 1,
  suspect: 2,
  warn: 3,
  skipped: 4,
  pass: 5,
};

/** What a reader wants first: the worst. Equals keep the report's order. */
export function worstFirst(items: readonly ReportItem[]): readonly ReportItem[] {
  return items.toSorted((a, b) => weightOf[a.status] - weightOf[b.status]);
}
