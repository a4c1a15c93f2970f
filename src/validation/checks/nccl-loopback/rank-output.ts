import { join } from "node:path";
import { readTextFile } from "../../../platform/files/index.ts";
import type { NcclLogReader } from "../../nccl/index.ts";

/** The end of what the ranks wrote, shown when a run breaks off. */
const tailLinesMax = 100;
const warningsMax = 50;
const logBytesMax = 64 * 2 ** 20;

/** What the ranks print and what NCCL writes about them. */
export class RankOutput {
  readonly #folder: string;
  readonly #reader: NcclLogReader;
  readonly #log: (line: string) => void;
  readonly #tail: string[] = [];
  #warnings = 0;

  constructor(o: {
    /** Where NCCL's logs go, a file for each rank. */
    readonly folder: string;
    readonly reader: NcclLogReader;
    /** Gets NCCL's warnings. */
    readonly log: (line: string) => void;
  }) {
    this.#folder = o.folder;
    this.#reader = o.reader;
    this.#log = o.log;
  }

  /** The file for NCCL's log of a rank. */
  fileOf(rank: number): string {
    return join(this.#folder, `nccl-${rank}.log`);
  }

  /** Takes one line of a rank. */
  add(rank: number, line: string): void {
    this.#reader.add(line);
    this.#tail.push(`rank ${rank}: ${line}`);
    if (this.#tail.length > tailLinesMax) this.#tail.shift();
    if (line.includes("NCCL WARN") && this.#warnings++ < warningsMax) {
      this.#log(`rank ${rank}: ${line}`);
    }
  }

  /** Takes what NCCL wrote into the ranks' files; a rank without one has written nothing. */
  async readFiles(ranks: number): Promise<void> {
    for (let rank = 0; rank < ranks; rank++) {
      const options = { sizeBytesMax: logBytesMax };
      const text = await readTextFile(this.fileOf(rank), options).catch(() => "");
      for (const line of text.split("\n")) if (line !== "") this.add(rank, line);
    }
  }

  /** Hands the last lines to the run's log. */
  showTail(): void {
    for (const line of this.#tail) this.#log(line);
  }
}
