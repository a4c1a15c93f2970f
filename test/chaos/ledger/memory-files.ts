import type { LedgerFiles } from "../../../src/chaos/ledger/index.ts";

/** A machine that loses power: what it has written stays, and nothing is written after that. */
export class PowerCut extends Error {}

/**
 * Files in memory that end after so many bytes, in the middle of whatever is written then; atomic writes
 * happen or do not.
 */
export class MemoryFiles implements LedgerFiles {
  readonly files = new Map<string, string>();
  /** Bytes that may still be written. */
  left = Number.POSITIVE_INFINITY;
  /** Called before every access, to let others run in between. */
  before: () => Promise<void> = async () => {};

  async ensureFolder(): Promise<void> {
    await this.before();
  }

  async list(folder: string): Promise<readonly string[]> {
    await this.before();
    const prefix = `${folder}/`;
    const names = [...this.files.keys()].filter((path) => path.startsWith(prefix));
    return names.map((path) => path.slice(prefix.length)).toSorted();
  }

  async read(path: string): Promise<string | undefined> {
    await this.before();
    return this.files.get(path);
  }

  async create(path: string, text: string): Promise<boolean> {
    await this.before();
    this.#spend(text.length);
    if (this.files.has(path)) return false;
    this.files.set(path, text);
    return true;
  }

  async append(path: string, text: string): Promise<void> {
    await this.before();
    const old = this.files.get(path);
    if (old === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    const fits = Math.max(0, Math.min(text.length, this.left));
    this.files.set(path, old + text.slice(0, fits));
    this.#spend(text.length);
  }

  async replace(path: string, text: string): Promise<void> {
    await this.before();
    this.#spend(text.length);
    this.files.set(path, text);
  }

  async remove(path: string): Promise<void> {
    await this.before();
    this.#spend(1);
    this.files.delete(path);
  }

  #spend(bytes: number): void {
    this.left -= bytes;
    if (this.left >= 0) return;
    this.left = 0;
    throw new PowerCut("the power is cut");
  }
}
