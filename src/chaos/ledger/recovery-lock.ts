import { join } from "node:path";
import { z } from "zod";
import {
  type ProcessIdentity,
  processIdentitySchema,
} from "../../platform/process/process-identity.ts";
import type { LedgerFiles } from "./ledger-files.ts";
import { lockNameOf, lockNumbersOf } from "./ledger-names.ts";

const lockSchema = z.object({
  holder: processIdentitySchema,
  /** For those who cannot look at the holder: another machine, another container. */
  untilMs: z.number(),
  isReleased: z.boolean(),
});

export interface LockOptions {
  readonly files: LedgerFiles;
  readonly folder: string;
  /** Name of the ledger's file. */
  readonly ledger: string;
  readonly self: ProcessIdentity;
  readonly nowMs: () => number;
  readonly holdMs: number;
  /** Whether somebody who holds, by who and until when, is gone. */
  readonly isGone: (holder: ProcessIdentity, untilMs: number) => Promise<boolean>;
}

export interface HeldLock {
  release(): Promise<void>;
}

/**
 * The right to recover a ledger, for one process at a time. Each holder makes the file with the next
 * number, which exactly one can; a number counts only while it is the highest. So a lock that a dead
 * process left is passed by and never removed from under somebody who has just taken it.
 *
 * @returns undefined when another one has it.
 */
export async function takeLock(options: LockOptions): Promise<HeldLock | undefined> {
  const { files, folder, ledger, self: holder, nowMs, holdMs } = options;
  const highest = await highestOf(options);
  if (highest > 0 && !(await isFree(options, highest))) return undefined;
  const number = highest + 1;
  const path = join(folder, lockNameOf(ledger, number));
  const content = { holder, untilMs: nowMs() + holdMs, isReleased: false };
  if (!(await files.create(path, JSON.stringify(content)))) return undefined;
  const numbers = lockNumbersOf(await files.list(folder), ledger);
  if (numbers[0] !== number) {
    // Our list was old: others have come and gone since.
    await files.remove(path);
    return undefined;
  }
  for (const old of numbers.slice(1)) await files.remove(join(folder, lockNameOf(ledger, old)));
  return {
    release: () => files.replace(path, JSON.stringify({ ...content, isReleased: true })),
  };
}

/** For a ledger that is gone. */
export async function removeLocks({ files, folder, ledger }: LockOptions): Promise<void> {
  for (const number of lockNumbersOf(await files.list(folder), ledger)) {
    await files.remove(join(folder, lockNameOf(ledger, number)));
  }
}

async function highestOf({ files, folder, ledger }: LockOptions): Promise<number> {
  return lockNumbersOf(await files.list(folder), ledger)[0] ?? 0;
}

async function isFree(options: LockOptions, number: number): Promise<boolean> {
  const { files, folder, ledger, isGone } = options;
  const text = await files.read(join(folder, lockNameOf(ledger, number)));
  // Removed since we looked: whoever did that has the next one.
  if (text === undefined) return false;
  const { holder, untilMs, isReleased } = lockSchema.parse(JSON.parse(text));
  return isReleased || (await isGone(holder, untilMs));
}
