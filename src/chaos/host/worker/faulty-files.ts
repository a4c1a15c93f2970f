import { basename } from "node:path";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import type { CheckpointFiles, FileReader, FileWriter } from "../../../runtime/checkpoint/index.ts";
import type { Tripwires } from "./tripwires.ts";
import type { WorkerFaults } from "./worker-faults.ts";

export interface FaultyFilesOptions {
  readonly files: CheckpointFiles;
  readonly clock: Clock;
  readonly wires: Tripwires;
  readonly faults: WorkerFaults;
  readonly occasion: () => Occasion;
}

/** What is being saved or restored now; `name` is the same on all ranks. */
export interface Occasion {
  readonly kind: "save" | "restore" | "none";
  readonly name: string;
}

const shardPattern = /^shard-(\d{5})-of-\d{5}\.safetensors$/;
/** A slow store is slow for every operation, however short that is. */
const operationMsMin = 2;
const slowMsMax = 60_000;

/** Where checkpoints lie, as this worker's faults and tripwires leave it. */
export function faultyFiles(options: FaultyFilesOptions): CheckpointFiles {
  return new FaultyFiles(options);
}

class FaultyFiles implements CheckpointFiles {
  readonly #o: FaultyFilesOptions;
  readonly #files: CheckpointFiles;
  /** Bytes that a store without room still takes, by injection. */
  readonly #rooms = new Map<string, number>();

  constructor(options: FaultyFilesOptions) {
    this.#o = options;
    this.#files = options.files;
  }

  makeFolder(path: string): Promise<void> {
    return this.#slowed(() => this.#files.makeFolder(path));
  }

  ensureFolder(path: string): Promise<void> {
    return this.#files.ensureFolder(path);
  }

  async create(path: string): Promise<FileWriter> {
    this.#takeRoom(0);
    const writer = await this.#slowed(() => this.#files.create(path));
    const [, shard] = shardPattern.exec(basename(path)) ?? [];
    return shard === undefined ? this.#inRoom(writer) : this.#shardWriter(Number(shard), writer);
  }

  async open(path: string): Promise<FileReader> {
    const { wires, occasion } = this.#o;
    // A save reads shards, too.
    if (occasion().kind === "restore" && shardPattern.test(basename(path))) {
      await wires.pass({ kind: "restore", occasion: occasion().name });
    }
    const reader = await this.#slowed(() => this.#files.open(path));
    return {
      bytes: reader.bytes,
      read: (into, position) => this.#slowed(() => reader.read(into, position)),
      close: () => reader.close(),
    };
  }

  async rename(from: string, to: string): Promise<void> {
    const { wires, occasion } = this.#o;
    if (basename(to) === "COMMIT") {
      await wires.pass({ kind: "save", phase: "commit", occasion: occasion().name });
    }
    await this.#slowed(() => this.#files.rename(from, to));
  }

  syncFolder(path: string): Promise<void> {
    return this.#files.syncFolder(path);
  }

  list(path: string): ReturnType<CheckpointFiles["list"]> {
    return this.#files.list(path);
  }

  remove(path: string): Promise<void> {
    return this.#files.remove(path);
  }

  async #slowed<T>(work: () => Promise<T>): Promise<T> {
    const { clock, faults } = this.#o;
    const startMs = clock.monotonicMs();
    const value = await work();
    const tookMs = Math.max(operationMsMin, clock.monotonicMs() - startMs);
    for (const [injection, { factor }] of faults.of("slow-files")) {
      await sleep(clock, Math.min((factor - 1) * tookMs, slowMsMax));
      const slowMs = Math.round(clock.monotonicMs() - startMs);
      faults.seen(injection, `an operation of the store took ${slowMs} ms`);
    }
    return value;
  }

  #takeRoom(bytes: number): void {
    const { faults } = this.#o;
    for (const [injection, { freeBytes }] of faults.of("full-files")) {
      const left = (this.#rooms.get(injection) ?? freeBytes) - bytes;
      if (left >= 0) {
        this.#rooms.set(injection, left);
        continue;
      }
      faults.seen(injection, "a write was refused for want of room");
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    }
  }

  #inRoom(writer: FileWriter): FileWriter {
    return {
      write: (bytes, position) =>
        this.#slowed(async () => {
          this.#takeRoom(bytes.length);
          await writer.write(bytes, position);
        }),
      sync: () => writer.sync(),
      close: () => writer.close(),
    };
  }

  /** Halts between the head of a shard and its data: in the middle of the write. */
  #shardWriter(shard: number, writer: FileWriter): FileWriter {
    const { wires, occasion } = this.#o;
    const inner = this.#inRoom(writer);
    let hasHalted = false;
    let isTorn = false;
    return {
      ...inner,
      write: async (bytes, position) => {
        if (position > 0 && !hasHalted) {
          hasHalted = true;
          await wires.pass({ kind: "save", phase: "write", occasion: occasion().name });
          isTorn = this.#takeTear(shard);
        }
        await inner.write(isTorn ? bytes.subarray(0, bytes.length >> 1) : bytes, position);
      },
    };
  }

  /** Whether this shard is to be torn; each order tears so many. */
  #takeTear(shard: number): boolean {
    const { faults } = this.#o;
    for (const [injection, order] of faults.of("torn-file")) {
      if (order.shard !== shard) continue;
      if (order.count <= 1) faults.end(injection);
      else faults.begin(injection, { ...order, count: order.count - 1 });
      faults.seen(injection, `half of shard ${shard} was not written, and nobody was told`);
      return true;
    }
    return false;
  }
}
