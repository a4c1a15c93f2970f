import { type FileHandle, open, stat } from "node:fs/promises";
import { codeOf } from "./kernel-log-error.ts";
import { type KernelRecord, parseKmsgRecord } from "./kmsg-record.ts";

const chunkBytes = 65_536;
/** More without an end of line is no record, and must not fill the memory. */
const lineBytesMax = 16_384;
const newline = 10;

/** A plain file in the record format, followed through being cut short and being replaced. */
export class FileRecords {
  readonly #path: string;
  readonly #onLost: (records: number) => void;
  readonly #buffer = Buffer.alloc(chunkBytes);
  #file: FileHandle;
  #offset: number;
  /** The beginning of a record whose end has not been written yet. */
  #rest = Buffer.alloc(0);
  #skipping = false;

  private constructor(
    path: string,
    file: FileHandle,
    { offset, onLost }: { readonly offset: number; readonly onLost: (records: number) => void },
  ) {
    this.#path = path;
    this.#file = file;
    this.#offset = offset;
    this.#onLost = onLost;
  }

  static async open(
    path: string,
    options: { readonly from: "now" | "start"; readonly onLost: (records: number) => void },
  ): Promise<FileRecords> {
    const file = await open(path, "r");
    const offset = options.from === "now" ? (await file.stat()).size : 0;
    return new FileRecords(path, file, { offset, onLost: options.onLost });
  }

  async next(): Promise<readonly KernelRecord[]> {
    // A chunk may hold nothing but a part of a line: that is not the end of the file.
    for (;;) {
      const bytes = await this.#read();
      if (bytes === undefined) return [];
      const records = this.#lines(bytes).map(parseKmsgRecord);
      const whole = records.filter((record) => record !== undefined);
      if (whole.length > 0) return whole;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** More bytes of this file or of the one that took its name; undefined when there are none. */
  async #read(): Promise<Buffer | undefined> {
    const { size } = await this.#file.stat();
    if (size < this.#offset) this.#begin();
    const { bytesRead } = await this.#file.read(this.#buffer, 0, chunkBytes, this.#offset);
    this.#offset += bytesRead;
    if (bytesRead > 0) return this.#buffer.subarray(0, bytesRead);
    return (await this.#reopened()) ? this.#read() : undefined;
  }

  /** The old file was read to its end by then, so nothing is missed. */
  async #reopened(): Promise<boolean> {
    const [own, found] = await Promise.all([this.#file.stat(), statOrNothing(this.#path)]);
    if (found === undefined || (found.ino === own.ino && found.dev === own.dev)) return false;
    const next = await open(this.#path, "r");
    await this.#file.close();
    this.#file = next;
    this.#begin();
    return true;
  }

  #begin(): void {
    this.#offset = 0;
    this.#rest = Buffer.alloc(0);
    this.#skipping = false;
  }

  #lines(bytes: Buffer): string[] {
    const all = Buffer.concat([this.#rest, bytes]);
    const lines: string[] = [];
    let from = 0;
    for (let end = all.indexOf(newline); end !== -1; end = all.indexOf(newline, from)) {
      if (!this.#skipping) lines.push(all.toString("utf8", from, end));
      this.#skipping = false;
      from = end + 1;
    }
    this.#rest = Buffer.from(all.subarray(from));
    if (this.#rest.length > lineBytesMax) {
      if (!this.#skipping) this.#onLost(1);
      this.#skipping = true;
      this.#rest = Buffer.alloc(0);
    }
    return lines;
  }
}

async function statOrNothing(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
