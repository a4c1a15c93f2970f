import type { LedgerEntry } from "./ledger-entry.ts";
import { type LedgerRecord, type RunRecordLine, recordOf } from "./records.ts";

/** What a ledger's text says. */
export interface LedgerContent {
  readonly head: RunRecordLine;
  /** In the order in which they were planned. */
  readonly entries: readonly LedgerEntry[];
  readonly leaseUntilMs: number;
  /** Its end is unfinished: whoever writes next begins with an end of the line, and says so. */
  readonly isTorn: boolean;
  /** Lines that nobody can read and no death of a writer explains. */
  readonly damagedLines: number;
}

/**
 * Reads a ledger. A line that a dying writer left unfinished is as if it had not been written: what it
 * announced had not begun yet, or was done already and is done once more.
 *
 * @returns undefined when it does not begin as a ledger does.
 */
export function readLedger(text: string): LedgerContent | undefined {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const isTorn = last !== "";
  const [first = "", ...rest] = lines;
  const head = recordOf(first);
  if (head?.type !== "run") return undefined;
  const book = new EntryBook(head);
  for (const line of rest) book.take(recordOf(line));
  // A last line that lacks nothing but its end was written.
  const complete = isTorn ? recordOf(last) : undefined;
  if (complete !== undefined) book.take(complete);
  // A writer may also have died right after it had ended a line that another one left unfinished.
  return { head, isTorn: isTorn || book.endsUnread, ...book.content() };
}

/** All that was not taken back. */
export function residualOf(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return entries.filter(({ state }) => state !== "reverted");
}

/** Turns records into the entries that they leave. */
export class EntryBook {
  readonly #head: RunRecordLine;
  readonly #entries = new Map<string, LedgerEntry>();
  #leaseUntilMs: number;
  #unexplained = 0;
  #damagedLines = 0;

  constructor(head: RunRecordLine) {
    this.#head = head;
    this.#leaseUntilMs = head.leaseUntilMs;
  }

  take(record: LedgerRecord | undefined): void {
    if (record === undefined) {
      this.#unexplained++;
      return;
    }
    if (record.type === "torn") this.#unexplained = 0;
    this.#damagedLines += this.#unexplained;
    this.#unexplained = 0;
    this.#apply(record);
  }

  entry(id: string): LedgerEntry | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined ? undefined : { ...entry, leaseUntilMs: this.#leaseUntilMs };
  }

  /** The last lines are no records: what a writer that died had begun. */
  get endsUnread(): boolean {
    return this.#unexplained > 0;
  }

  content(): Pick<LedgerContent, "entries" | "leaseUntilMs" | "damagedLines"> {
    const leaseUntilMs = this.#leaseUntilMs;
    return {
      entries: [...this.#entries.values()].map((entry) => ({ ...entry, leaseUntilMs })),
      leaseUntilMs,
      damagedLines: this.#damagedLines,
    };
  }

  #apply(record: LedgerRecord): void {
    switch (record.type) {
      case "planned": {
        const { id, fault, target, undo, leaseUntilMs } = record;
        const { run, owner } = this.#head;
        const rest = { run, owner, leaseUntilMs, state: "planned", problem: null } as const;
        this.#entries.set(id, { id, fault, target, undo, ...rest });
        this.#leaseUntilMs = Math.max(this.#leaseUntilMs, leaseUntilMs);
        return;
      }
      case "active":
      case "reverted":
        this.#update(record.id, { state: record.type, problem: null });
        return;
      case "failed":
        this.#update(record.id, { state: "failed", problem: record.problem });
        return;
      case "lease":
        this.#leaseUntilMs = record.leaseUntilMs;
        return;
      case "run":
      case "torn":
        return;
    }
  }

  #update(id: string, change: Pick<LedgerEntry, "state" | "problem">): void {
    const entry = this.#entries.get(id);
    // Nothing follows "reverted": a writer that was slow to hear of it does not bring a fault back.
    if (entry === undefined || entry.state === "reverted") return;
    this.#entries.set(id, { ...entry, ...change });
  }
}
