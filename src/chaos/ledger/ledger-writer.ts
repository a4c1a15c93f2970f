import { ledgerError, ledgerProblem } from "./ledger-error.ts";
import type { LedgerFiles } from "./ledger-files.ts";
import { type LedgerRecord, lineOf } from "./records.ts";

/** More is a loop that renews or injects without end. */
const bytesMax = 48 * 2 ** 20;
const recordBytesMax = 2 ** 20;

/** Appends records to a ledger, one after the other. */
export class LedgerWriter {
  readonly file: string;
  readonly #files: LedgerFiles;
  #isTorn: boolean;
  #bytes = 0;
  #queue: Promise<unknown> = Promise.resolve();

  /** @param options.isTorn the last line has no end, because its writer died. */
  constructor(files: LedgerFiles, file: string, options: { readonly isTorn: boolean }) {
    this.#files = files;
    this.file = file;
    this.#isTorn = options.isTorn;
  }

  /** Settles when the record is on the disk. @throws E_LEDGER; it may be there in part then. */
  write(record: LedgerRecord): Promise<void> {
    const written = this.#queue.then(() => this.#append(lineOf(record)));
    this.#queue = written.catch(() => {});
    return written;
  }

  async #append(line: string): Promise<void> {
    const text = this.#isTorn ? `\n${lineOf({ type: "torn" })}${line}` : line;
    if (line.length > recordBytesMax || this.#bytes + text.length > bytesMax) {
      throw ledgerProblem(this.file, "it would be larger than a ledger may be");
    }
    // Until the disk says otherwise, a part of it may be there.
    this.#isTorn = true;
    try {
      await this.#files.append(this.file, text);
    } catch (error) {
      throw ledgerError(this.file, error);
    }
    this.#isTorn = false;
    this.#bytes += text.length;
  }
}
