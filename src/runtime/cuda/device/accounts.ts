import { formatBytes } from "../../../platform/units/bytes.ts";
import type { MemoryAccounts } from "./device.ts";

const purposesNamedMax = 6;

/** What is held of one GPU's memory, and for what. */
export class Accounts {
  pooledBytes = 0;
  pinnedBytes = 0;
  #inUseBytes = 0;
  #peakBytes = 0;
  #buffers = 0;
  readonly #byPurpose = new Map<string, number>();

  take(bytes: number, purpose: string): void {
    this.#inUseBytes += bytes;
    this.#buffers += 1;
    this.#peakBytes = Math.max(this.#peakBytes, this.#inUseBytes);
    this.#byPurpose.set(purpose, (this.#byPurpose.get(purpose) ?? 0) + bytes);
  }

  giveBack(bytes: number, purpose: string): void {
    this.#inUseBytes -= bytes;
    this.#buffers -= 1;
    const left = (this.#byPurpose.get(purpose) ?? 0) - bytes;
    if (left > 0) this.#byPurpose.set(purpose, left);
    else this.#byPurpose.delete(purpose);
  }

  read(): MemoryAccounts {
    return {
      inUseBytes: this.#inUseBytes,
      pooledBytes: this.pooledBytes,
      peakBytes: this.#peakBytes,
      buffers: this.#buffers,
      pinnedBytes: this.pinnedBytes,
    };
  }

  /** "3 buffers hold 12 GiB (weights 8 GiB, activations 4 GiB)". */
  describe(): string {
    const largest = [...this.#byPurpose].toSorted(([, a], [, b]) => b - a);
    const named = largest
      .slice(0, purposesNamedMax)
      .map(([purpose, bytes]) => `${purpose} ${formatBytes(bytes)}`);
    if (largest.length > named.length) named.push("others");
    const list = named.length === 0 ? "" : ` (${named.join(", ")})`;
    return `${this.#buffers} buffer${this.#buffers === 1 ? " holds" : "s hold"} ${formatBytes(this.#inUseBytes)}${list}`;
  }
}
