import type { StateRef } from "../../numerics/index.ts";
import type { CheckpointTruth, ShardContent, ShardVerdict } from "./storage.ts";

/** A shard's file. */
export interface ShardFile {
  readonly state: StateRef;
  readonly step: number;
  /** What lies on the disk of it. */
  readonly bytes: number;
  /** The writer said that it is done. */
  readonly isReported: boolean;
  /** There is less than was handed in. */
  readonly isShort: boolean;
  /** Faults that have put wrong bits into it. */
  readonly corruptedBy: Set<number>;
}

/** One save: its shards, and whether its manifest is in place. */
export class SaveFolder {
  readonly tag: string;
  readonly step: number;
  readonly #shards: (ShardFile | undefined)[];
  #usedBytes = 0;
  /** The slot that writes the manifest now. */
  committer: number | undefined;

  constructor(tag: string, step: number, shards: number) {
    this.tag = tag;
    this.step = step;
    this.#shards = Array.from({ length: shards });
  }

  get shards(): readonly (ShardFile | undefined)[] {
    return this.#shards;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Puts a file in the place of a shard, or takes it away. */
  put(index: number, shard: ShardFile | undefined): void {
    this.#usedBytes += (shard?.bytes ?? 0) - (this.#shards[index]?.bytes ?? 0);
    this.#shards[index] = shard;
  }

  /** Every writer said that it is done: all that a committer can know. */
  get isReported(): boolean {
    return this.#shards.every((shard) => shard?.isReported === true);
  }

  verdictOf(index: number): ShardVerdict {
    const shard = this.#shards[index];
    if (shard === undefined) return "missing";
    if (shard.isShort) return "torn";
    if (shard.corruptedBy.size > 0) return "corrupt";
    return shard.step === this.step ? "whole" : "stale";
  }

  contents(): readonly ShardContent[] {
    return this.#shards.flatMap((shard, index) =>
      shard === undefined ? [] : [{ state: shard.state, verdict: this.verdictOf(index) }],
    );
  }

  truth(isCommitted: boolean): CheckpointTruth {
    const damaged = [...this.#shards.keys()].filter((index) => this.verdictOf(index) !== "whole");
    const states = new Set(this.#shards.map((shard) => shard?.state));
    const [state] = states;
    return {
      tag: this.tag,
      step: this.step,
      isCommitted,
      isWhole: damaged.length === 0,
      state: states.size === 1 && state !== undefined ? state : null,
      damaged,
    };
  }
}
