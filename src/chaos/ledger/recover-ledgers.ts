import { join } from "node:path";
import { messageOf } from "../../platform/errors/index.ts";
import {
  isRunning,
  ownIdentity,
  type ProcessIdentity,
} from "../../platform/process/process-identity.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { LedgerEntry, UndoExecutor } from "./ledger-entry.ts";
import { ledgerError } from "./ledger-error.ts";
import { type LedgerFiles, nodeLedgerFiles } from "./ledger-files.ts";
import { isLedgerName } from "./ledger-names.ts";
import { tempWriterOf } from "./ledger-temps.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import { type LedgerContent, readLedger, residualOf } from "./read-ledger.ts";
import { type LockOptions, removeLocks, takeLock } from "./recovery-lock.ts";

export interface RecoverOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly executor: UndoExecutor;
  /** @default this process */
  readonly self?: ProcessIdentity;
  /** @default the kernel's word */
  readonly isRunning?: (identity: ProcessIdentity) => Promise<boolean>;
  /** @default the machine's own file system */
  readonly files?: LedgerFiles;
}

/** What a recovery found and did. */
export interface LedgerRecovery {
  /** Taken back now, in this order. */
  readonly undone: readonly LedgerEntry[];
  /** Could not be taken back; they stay for the next recovery. */
  readonly failed: readonly LedgerEntry[];
  /** Runs whose owner is at work, or whom another process recovers right now. */
  readonly left: readonly string[];
  /** Ledgers that cannot be read, in whole or in part: nobody knows what is in force there. */
  readonly damaged: readonly { readonly file: string; readonly problem: string }[];
}

const ledgersMax = 10_000;
/** Undoing takes seconds; a holder on another machine that is silent for so long is gone. */
const holdMs = 10 * 60_000;

/**
 * Takes back what runs left in force whose owner is gone or whose lease is over, last injected first.
 * Doing it twice, or in two processes at once, is doing it once.
 *
 * @throws E_LEDGER when the folder cannot be read or written.
 */
export async function recoverLedgers(options: RecoverOptions): Promise<LedgerRecovery> {
  const { folder, files = nodeLedgerFiles } = options;
  const self = options.self ?? (await ownIdentity());
  const all: LedgerRecovery[] = [];
  try {
    const found = await files.list(folder);
    for (const name of found.filter(isLedgerName).slice(0, ledgersMax)) {
      all.push(await recoverOne({ ...options, files, self, name }));
    }
    await removeTemps({ ...options, files, self }, found);
  } catch (error) {
    throw ledgerError(folder, error);
  }
  return {
    undone: all.flatMap(({ undone }) => undone),
    failed: all.flatMap(({ failed }) => failed),
    left: all.flatMap(({ left }) => left),
    damaged: all.flatMap(({ damaged }) => damaged),
  };
}

interface Work extends RecoverOptions {
  readonly files: LedgerFiles;
  readonly self: ProcessIdentity;
  /** Of the ledger's file. */
  readonly name: string;
}

/** What writers that are gone have left of files they never put in place. */
async function removeTemps(work: Omit<Work, "name">, names: readonly string[]): Promise<void> {
  const { files, folder, self, isRunning: runs = isRunning } = work;
  for (const name of names.slice(0, ledgersMax)) {
    const writer = tempWriterOf(name, self);
    if (writer !== undefined && !(await runs(writer))) await files.remove(join(folder, name));
  }
}

const nothing: LedgerRecovery = { undone: [], failed: [], left: [], damaged: [] };

async function recoverOne(work: Work): Promise<LedgerRecovery> {
  const { files, folder, name, clock, self } = work;
  const file = join(folder, name);
  const before = await contentOf(work);
  if (before === undefined) return nothing;
  if (before === "unreadable") return unreadable(file);
  const { head, leaseUntilMs } = before;
  if (!(await isGone(work, head.owner, leaseUntilMs))) return { ...nothing, left: [head.run] };
  const nowMs = () => clock.nowMs();
  const lockOptions: LockOptions = {
    files,
    folder,
    ledger: name,
    self,
    nowMs,
    holdMs,
    isGone: (holder, untilMs) => isHolderGone(work, holder, untilMs),
  };
  const lock = await takeLock(lockOptions);
  if (lock === undefined) return { ...nothing, left: [head.run] };
  try {
    // Another one may have been here between our look and our lock.
    const now = await contentOf(work);
    if (now === undefined || now === "unreadable") return nothing;
    const recovery = await undoAll(work, now);
    if (recovery.failed.length === 0 && recovery.damaged.length === 0) await files.remove(file);
    return recovery;
  } finally {
    if ((await files.read(file)) === undefined) await removeLocks(lockOptions);
    else await lock.release();
  }
}

async function undoAll(work: Work, content: LedgerContent): Promise<LedgerRecovery> {
  const { files, folder, name, executor } = work;
  const file = join(folder, name);
  const writer = new LedgerWriter(files, file, { isTorn: content.isTorn });
  const undone: LedgerEntry[] = [];
  const failed: LedgerEntry[] = [];
  for (const entry of residualOf(content.entries).toReversed()) {
    const { id } = entry;
    try {
      await executor(entry);
    } catch (error) {
      const problem = messageOf(error);
      failed.push({ ...entry, state: "failed", problem });
      await writer.write({ type: "failed", id, problem });
      continue;
    }
    await writer.write({ type: "reverted", id });
    undone.push({ ...entry, state: "reverted", problem: null });
  }
  const { damagedLines } = content;
  const problem = `${damagedLines} of its lines cannot be read`;
  return { undone, failed, left: [], damaged: damagedLines === 0 ? [] : [{ file, problem }] };
}

/** Undefined: there is none. */
async function contentOf(work: Work): Promise<LedgerContent | "unreadable" | undefined> {
  const text = await work.files.read(join(work.folder, work.name));
  return text === undefined ? undefined : (readLedger(text) ?? "unreadable");
}

function unreadable(file: string): LedgerRecovery {
  return { ...nothing, damaged: [{ file, problem: "it does not begin as a ledger does" }] };
}

/** The owner of faults is gone when it ended, or when it has not renewed its lease. */
async function isGone(work: Work, owner: ProcessIdentity, untilMs: number): Promise<boolean> {
  if (work.clock.nowMs() >= untilMs) return true;
  return isHolderGone(work, owner, untilMs);
}

/** Somebody of another machine or container we cannot look at: there only time tells. */
async function isHolderGone(work: Work, who: ProcessIdentity, untilMs: number): Promise<boolean> {
  const { self, clock, isRunning: runs = isRunning } = work;
  if (who.home !== self.home) return clock.nowMs() >= untilMs;
  return !(await runs(who));
}

/** All that is not taken back, over all ledgers of a folder, and ledgers that cannot be read. */
export async function residualIn(
  folder: string,
  files: LedgerFiles = nodeLedgerFiles,
): Promise<{ readonly entries: readonly LedgerEntry[]; readonly damaged: readonly string[] }> {
  const entries: LedgerEntry[] = [];
  const damaged: string[] = [];
  try {
    for (const name of (await files.list(folder)).filter(isLedgerName).slice(0, ledgersMax)) {
      const text = await files.read(join(folder, name));
      if (text === undefined) continue;
      const content = readLedger(text);
      if (content === undefined || content.damagedLines > 0) damaged.push(join(folder, name));
      entries.push(...residualOf(content?.entries ?? []));
    }
  } catch (error) {
    throw ledgerError(folder, error);
  }
  return { entries, damaged };
}
