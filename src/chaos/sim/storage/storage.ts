import type { StateRef } from "../../numerics/index.ts";

/** Something that was done to the store, for undoing it. */
export type StorageHandle = number & { readonly storageHandle: unique symbol };

/** A write that is under way. */
export type WriteHandle = number & { readonly writeHandle: unique symbol };

export interface StorageProfile {
  /** One shard, alone, at full speed. */
  readonly writeUs: number;
  readonly readUs: number;
  /** Manifest, sync and rename. */
  readonly commitUs: number;
  /** Up to so much longer, as a share: 0.1 is 10 %. */
  readonly jitter: number;
  readonly capacityBytes: number;
}

/** What a reader that verifies finds out about a shard. */
export type ShardVerdict = "whole" | "missing" | "torn" | "corrupt" | "stale";

/** Knows the store from the inside: what a reader should have found. */
export interface CheckpointTruth {
  readonly tag: string;
  readonly step: number;
  readonly isCommitted: boolean;
  /** Every shard is there, is of this save, and has the bytes that were handed in. */
  readonly isWhole: boolean;
  /** What was saved, when all shards are of one state. */
  readonly state: StateRef | null;
  /** Shards that are not whole. */
  readonly damaged: readonly number[];
}

/** What lies in the place of a shard. */
export interface ShardContent {
  readonly state: StateRef;
  readonly verdict: ShardVerdict;
}

export type StorageEffect =
  /** Everything takes so many times longer. */
  | { readonly kind: "slow"; readonly factor: number }
  /** So many bytes fewer are free; all of them unless given. */
  | { readonly kind: "full"; readonly bytes?: number }
  /** Writes of these shards end short and say nothing; so many of them, then no more. */
  | { readonly kind: "tear"; readonly shards: readonly number[] | "any"; readonly count: number }
  /**
   * Wrong bits in a shard that lies there, of the newest committed checkpoint unless a tag is given. Where
   * nothing lies, nothing happens.
   */
  | { readonly kind: "corrupt"; readonly shard: number; readonly tag?: string };

export type WriteEnd = "written" | "full" | "gone";

/**
 * A store that all workers share, where checkpoints lie as shards and a manifest. A shard is written under a
 * name of its save; the manifest is renamed into place last, and only then does a reader see the checkpoint.
 */
export interface Storage {
  /**
   * Opens the folder of a save. One of that tag that was not committed is emptied; a committed one stays as
   * it is until this one takes its place.
   */
  open(tag: string, step: number, shards: number): void;
  /** Begins to write a shard; it takes `durationUs`. */
  startWrite(options: {
    readonly tag: string;
    readonly shard: number;
    readonly state: StateRef;
    readonly bytes: number;
    /** Who writes: what is under way is torn when it dies. */
    readonly slot: number;
    /** The step of what is written. @default that of the save */
    readonly step?: number;
  }): { readonly write: WriteHandle; readonly durationUs: number };
  /**
   * It is written and synced, as far as the writer can tell. `full`: a part of it is. `gone`: it was abandoned,
   * or its folder was emptied for another save.
   */
  finishWrite(write: WriteHandle): WriteEnd;
  /** The writer ended in the middle: half of a shard stays. */
  abandonWrite(write: WriteHandle): void;
  /** All writes of a slot that died, and the commit that it had begun. */
  abandonWritesOf(slot: number): void;
  /** Begins the commit: the manifest is written beside its place. */
  startCommit(tag: string, slot: number): { readonly durationUs: number };
  /** Renames it into place. False when a shard is missing, nothing was begun, or the beginner died. */
  finishCommit(tag: string): boolean;
  /** Committed checkpoints as a reader sees them, the newest first. */
  list(): readonly { readonly tag: string; readonly step: number }[];
  /** So long takes a read of one shard by this slot now. */
  readUs(slot: number): number;
  /** What a reader that verifies every byte finds. */
  verify(tag: string, shard: number): ShardVerdict;
  /** The same for all shards: the first thing that is wrong, or undefined. */
  refusalOf(tag: string): { readonly shard: number; readonly verdict: ShardVerdict } | undefined;
  /** What a reader gets that verifies nothing. */
  contentOf(tag: string): readonly ShardContent[];
  /** Takes a checkpoint away, as retention does. */
  remove(tag: string): void;
  truthOf(tag: string): CheckpointTruth | undefined;
  readonly freeBytes: number;
  apply(effect: StorageEffect): StorageHandle;
  /** False when it was undone before. Wrong bits are put right where the shard still lies. */
  undo(handle: StorageHandle): boolean;
  /** What the store is subjected to and what is spoilt by it, each in a few words; from its state. */
  lookForFaults(): readonly string[];
}
