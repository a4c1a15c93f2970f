import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf } from "./kernel-log-error.ts";
import { type KernelRecord, parseKmsgRecord } from "./kmsg-record.ts";

/** The kernel cuts records at less than this, escapes included. */
const recordBytesMax = 8192;
const batchMax = 256;

/** What is needed of an open device. */
export type RecordReader = Pick<FileHandle, "read" | "close">;

/** The kernel's own log: a read gives one record, or says that some were overwritten. */
export class DeviceRecords {
  readonly #file: RecordReader;
  readonly #onLost: (records: number) => void;
  readonly #buffer = Buffer.alloc(recordBytesMax);
  #lastSequence: number | undefined;

  constructor(file: RecordReader, onLost: (records: number) => void) {
    this.#file = file;
    this.#onLost = onLost;
  }

  static async open(path: string, onLost: (records: number) => void): Promise<DeviceRecords> {
    const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants;
    return new DeviceRecords(await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY), onLost);
  }

  async next(): Promise<readonly KernelRecord[]> {
    const records: KernelRecord[] = [];
    for (let reads = 0; reads < batchMax; reads++) {
      const text = await this.#read();
      if (text === "end") break;
      // What follows the first line are variables of the device the record is about.
      const record = text === "lost" ? undefined : parseKmsgRecord(text.split("\n", 1)[0] ?? "");
      if (record === undefined) continue;
      this.#count(record);
      records.push(record);
    }
    return records;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Numbers have no gaps of their own: what is missing was overwritten. */
  #count({ sequence }: KernelRecord): void {
    const last = this.#lastSequence;
    if (last !== undefined && sequence > last + 1) this.#onLost(sequence - last - 1);
    this.#lastSequence = sequence;
  }

  async #read(): Promise<string> {
    try {
      // Without a position: the device has none, and answers one record after the other.
      const { bytesRead } = await this.#file.read(this.#buffer, 0, recordBytesMax, null);
      return bytesRead === 0 ? "end" : this.#buffer.toString("utf8", 0, bytesRead);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EAGAIN") return "end";
      if (code === "EPIPE") return "lost";
      throw error;
    }
  }
}
