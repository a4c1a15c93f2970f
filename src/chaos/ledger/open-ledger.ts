import assert from "node:assert/strict";
import { join } from "node:path";
import { messageOf } from "../../platform/errors/index.ts";
import { ownIdentity, type ProcessIdentity } from "../../platform/process/process-identity.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { Ledger } from "./ledger.ts";
import type { Injection, LedgerEntry, UndoExecutor } from "./ledger-entry.ts";
import { ledgerError, ledgerProblem } from "./ledger-error.ts";
import { type LedgerFiles, nodeLedgerFiles } from "./ledger-files.ts";
import { fileNameOf } from "./ledger-names.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import { EntryBook, residualOf } from "./read-ledger.ts";
import { type LedgerRecord, lineOf, type RunRecordLine } from "./records.ts";

export interface OpenLedgerOptions {
  /** Where the ledgers of all runs lie; made when it does not exist. */
  readonly folder: string;
  /** Letters, digits, dots, hyphens; no other run may have it. */
  readonly run: string;
  readonly clock: Clock;
  /** So long after the last renewal anybody may take this run's faults back. @default one minute */
  readonly leaseMs?: number;
  /** @default this process */
  readonly owner?: ProcessIdentity;
  /** @default the machine's own file system */
  readonly files?: LedgerFiles;
}

const leaseMsDefault = 60_000;
/** More injections in one run are a loop without end. */
const entriesMax = 100_000;

/** Begins the ledger of a run. @throws E_LEDGER when the disk does not take it, or the run has one. */
export async function openLedger(options: OpenLedgerOptions): Promise<Ledger> {
  const { folder, run, clock, leaseMs = leaseMsDefault, files = nodeLedgerFiles } = options;
  assert(leaseMs > 0 && Number.isFinite(leaseMs), "a lease has an end");
  const file = join(folder, fileNameOf(run));
  const owner = options.owner ?? (await ownIdentity());
  const leaseUntilMs = clock.nowMs() + leaseMs;
  const head = { type: "run", format: "tessera-ledger/1", run, owner, leaseUntilMs } as const;
  let isNew: boolean;
  try {
    await files.ensureFolder(folder);
    isNew = await files.create(file, lineOf(head));
  } catch (error) {
    throw ledgerError(file, error);
  }
  if (!isNew) throw ledgerProblem(file, "there is one of this run already");
  return new OpenLedger({ files, file, head, clock, leaseMs });
}

interface Parts {
  readonly files: LedgerFiles;
  readonly file: string;
  readonly head: RunRecordLine;
  readonly clock: Clock;
  readonly leaseMs: number;
}

class OpenLedger implements Ledger {
  readonly run: string;
  readonly file: string;
  readonly #parts: Parts;
  readonly #book: EntryBook;
  readonly #writer: LedgerWriter;
  readonly #reverting = new Map<string, Promise<void>>();
  #planned = 0;
  #isClosed = false;

  constructor(parts: Parts) {
    this.run = parts.head.run;
    this.file = parts.file;
    this.#parts = parts;
    this.#book = new EntryBook(parts.head);
    this.#writer = new LedgerWriter(parts.files, parts.file, { isTorn: false });
  }

  async plan({ fault, target, undo }: Injection): Promise<string> {
    assert(this.#planned < entriesMax, `at most ${entriesMax} injections in a run`);
    const id = String(++this.#planned);
    const leaseUntilMs = this.#leaseFromNow();
    await this.#write({ type: "planned", id, fault, target, undo, leaseUntilMs });
    return id;
  }

  async activate(id: string): Promise<void> {
    assert(this.#entry(id).state === "planned", "what is planned becomes active, once");
    await this.#write({ type: "active", id });
  }

  revert(id: string, executor: UndoExecutor): Promise<void> {
    // Two who ask at once wait for one undo.
    const under = this.#reverting.get(id);
    if (under !== undefined) return under;
    const reverting = this.#revert(id, executor).finally(() => this.#reverting.delete(id));
    this.#reverting.set(id, reverting);
    return reverting;
  }

  async revertAll(executor: UndoExecutor): Promise<readonly LedgerEntry[]> {
    for (const { id } of this.residual().toReversed()) {
      // What fails stays residual, and is what this returns.
      await this.revert(id, executor).catch(() => {});
    }
    return this.residual();
  }

  async renew(): Promise<void> {
    await this.#write({ type: "lease", leaseUntilMs: this.#leaseFromNow() });
  }

  entries(): readonly LedgerEntry[] {
    return this.#book.content().entries;
  }

  residual(): readonly LedgerEntry[] {
    return residualOf(this.entries());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.residual().length > 0) return;
    try {
      await this.#parts.files.remove(this.file);
    } catch (error) {
      throw ledgerError(this.file, error);
    }
  }

  async #revert(id: string, executor: UndoExecutor): Promise<void> {
    const entry = this.#entry(id);
    if (entry.state === "reverted") return;
    try {
      await executor(entry);
    } catch (error) {
      await this.#write({ type: "failed", id, problem: messageOf(error) });
      throw error;
    }
    await this.#write({ type: "reverted", id });
  }

  /** The disk first, then what we believe. */
  async #write(record: LedgerRecord): Promise<void> {
    assert(!this.#isClosed, "a closed ledger takes nothing");
    await this.#writer.write(record);
    this.#book.take(record);
  }

  #entry(id: string): LedgerEntry {
    const entry = this.#book.entry(id);
    assert(entry !== undefined, `injection ${id} was planned`);
    return entry;
  }

  #leaseFromNow(): number {
    return this.#parts.clock.nowMs() + this.#parts.leaseMs;
  }
}
