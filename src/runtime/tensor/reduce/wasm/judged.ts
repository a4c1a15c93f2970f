import type { Step } from "../../kernels/index.ts";
import type { Staging } from "./staging.ts";
import type { ChunkPlace, ChunkRun, Wave } from "./wave.ts";

/** Where the bits begin that a kernel judges by, after their number. */
export const judgedBitsAt = 16;

/** Which elements of a wave have no certain sum, as the jobs say: a bit each, and counts by chunk. */
export class Judged {
  readonly bits: Uint8Array;
  readonly counts: Int32Array;
  readonly #chunk: number;

  constructor(elementsMax: number, chunk: number) {
    const chunks = Math.ceil(elementsMax / chunk);
    this.#chunk = chunk;
    this.bits = new Uint8Array(new SharedArrayBuffer((chunks * chunk) / 8));
    this.counts = new Int32Array(new SharedArrayBuffer(4 * chunks));
  }

  /** Takes what a kernel judged about a chunk out of its memory. */
  copyOut(place: ChunkPlace, address: number, staging: Staging): readonly Step[] {
    return [
      {
        kind: "copyOut",
        buffer: staging.indexOf(this.bits.buffer),
        start: place.at(0, 1 / 8),
        address: address + judgedBitsAt,
        sizeBytes: Math.ceil(place.count / 8),
      },
      {
        kind: "copyOut",
        buffer: staging.indexOf(this.counts.buffer),
        start: place.at(0, 4 / this.#chunk),
        address,
        sizeBytes: 4,
      },
    ];
  }

  /** How many elements of the wave are open. */
  total(wave: Wave): number {
    const chunks = Math.ceil(wave.count / this.#chunk);
    return this.counts.subarray(0, chunks).reduce((total, count) => total + count, 0);
  }

  /** Runs, at most so long, of chunks of another size in which something is open. */
  openRuns(wave: Wave, chunk: number, runMax: number): readonly ChunkRun[] {
    const runs: { first: number; chunks: number }[] = [];
    for (let index = 0; index * chunk < wave.count; index++) {
      const bytes = this.bits.subarray((index * chunk) / 8, ((index + 1) * chunk) / 8);
      if (!bytes.some((byte) => byte !== 0)) continue;
      const last = runs.at(-1);
      if (last !== undefined && last.first + last.chunks === index && last.chunks < runMax) {
        last.chunks++;
      } else {
        runs.push({ first: index, chunks: 1 });
      }
    }
    return runs;
  }

  /** The open ones of so many elements, counted from the first of them, a multiple of 8. */
  openAmong(first: number, count: number): readonly number[] {
    const open: number[] = [];
    for (let index = 0; index < count; index++) {
      const byte = this.bits[(first + index) >>> 3] as number;
      if (((byte >>> (index & 7)) & 1) === 1) open.push(index);
    }
    return open;
  }
}
