import type { Injection, LedgerEntry, UndoExecutor } from "./ledger-entry.ts";

/**
 * The write-ahead ledger of one run. Every method that writes settles when the disk has it, and not before:
 * call `plan`, await it, then break something.
 *
 * @throws E_LEDGER from every writing method when the disk does not take it; nothing is injected then.
 */
export interface Ledger {
  readonly run: string;
  readonly file: string;
  /** Writes down what is about to be broken, with a lease of `leaseMs`, and gives its id. */
  plan(injection: Injection): Promise<string>;
  /** It is in force. */
  activate(id: string): Promise<void>;
  /**
   * Takes it back and writes that down. Once reverted it is not done again. When the executor throws, the
   * entry is `failed`, stays residual, and the error goes on.
   */
  revert(id: string, executor: UndoExecutor): Promise<void>;
  /**
   * Takes back everything that is left, last injected first. One that fails does not keep the others
   * from it. @returns what is still left.
   */
  revertAll(executor: UndoExecutor): Promise<readonly LedgerEntry[]>;
  /** Makes all leases of this run last `leaseMs` from now. */
  renew(): Promise<void>;
  /** In the order in which they were planned. */
  entries(): readonly LedgerEntry[];
  /** All that was not taken back: what is planned counts, for nobody knows. */
  residual(): readonly LedgerEntry[];
  /** Closes it. The file is removed when nothing is left, and stays for a recovery otherwise. */
  close(): Promise<void>;
}
