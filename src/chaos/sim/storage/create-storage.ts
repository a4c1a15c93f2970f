import assert from "node:assert/strict";
import type { SimEngine } from "../engine/index.ts";
import { SaveFolder, type ShardFile } from "./save-folder.ts";
import type {
  CheckpointTruth,
  ShardContent,
  ShardVerdict,
  Storage,
  StorageEffect,
  StorageHandle,
  StorageProfile,
  WriteEnd,
  WriteHandle,
} from "./storage.ts";
import { StoreEffects } from "./store-effects.ts";

export interface StorageOptions {
  readonly engine: SimEngine;
  readonly profile: StorageProfile;
}

type WriteOptions = Parameters<Storage["startWrite"]>[0];

interface Write extends WriteOptions {
  readonly folder: SaveFolder;
  readonly startUs: number;
  readonly durationUs: number;
}

const foldersMax = 2 ** 12;
/** Saves that came to nothing stay until there are so many, as a janitor would have it. */
const leftoversMax = 64;
const writesMax = 2 ** 20;

/** An empty store. */
export function createStorage(options: StorageOptions): Storage {
  return new SharedStore(options);
}

class SharedStore implements Storage {
  readonly #engine: SimEngine;
  readonly #profile: StorageProfile;
  readonly #effects = new StoreEffects();
  readonly #unfinished = new Map<string, SaveFolder>();
  readonly #committed = new Map<string, SaveFolder>();
  readonly #writes = new Map<number, Write>();
  /** By handle: the shard that a fault has put wrong bits into. */
  readonly #corrupted = new Map<number, ShardFile | undefined>();
  readonly #handles = new Set<number>();
  #made = 0;

  constructor({ engine, profile }: StorageOptions) {
    this.#engine = engine;
    this.#profile = profile;
  }

  get freeBytes(): number {
    const folders = [...this.#unfinished.values(), ...this.#committed.values()];
    const used = folders.reduce((bytes, folder) => bytes + folder.usedBytes, 0);
    return this.#effects.leftOf(Math.max(0, this.#profile.capacityBytes - used));
  }

  open(tag: string, step: number, shards: number): void {
    const count = this.#unfinished.size + this.#committed.size;
    assert(count < foldersMax, `a store has at most ${foldersMax} checkpoints`);
    assert(Number.isSafeInteger(shards) && shards >= 1, "a save has shards");
    this.#unfinished.delete(tag);
    const [oldest] = this.#unfinished.keys();
    if (this.#unfinished.size === leftoversMax && oldest !== undefined) {
      this.#unfinished.delete(oldest);
    }
    this.#unfinished.set(tag, new SaveFolder(tag, step, shards));
    this.#engine.note("storage.open", step, shards);
  }

  startWrite(options: WriteOptions): { readonly write: WriteHandle; readonly durationUs: number } {
    const folder = this.#unfinished.get(options.tag);
    assert(folder !== undefined, "a shard is written to an open save");
    assert(options.shard >= 0 && options.shard < folder.shards.length, "a shard of the save");
    assert(this.#writes.size < writesMax, `at most ${writesMax} writes are under way`);
    const write = ++this.#made as WriteHandle;
    const durationUs = this.#durationUs(this.#profile.writeUs, "storage.write", options.slot);
    this.#writes.set(write, { ...options, folder, startUs: this.#engine.nowUs, durationUs });
    return { write, durationUs };
  }

  finishWrite(handle: WriteHandle): WriteEnd {
    const write = this.#writes.get(handle);
    this.#writes.delete(handle);
    if (write === undefined || this.#unfinished.get(write.tag) !== write.folder) return "gone";
    // Another file of that name makes room first.
    write.folder.put(write.shard, undefined);
    const freeBytes = this.freeBytes;
    if (freeBytes < write.bytes) {
      this.#put(write, { bytes: freeBytes, isReported: false });
      return "full";
    }
    const isTorn = this.#effects.tears(write.shard);
    this.#put(write, {
      bytes: isTorn ? Math.floor(write.bytes / 2) : write.bytes,
      isReported: true,
    });
    return "written";
  }

  abandonWrite(handle: WriteHandle): void {
    const write = this.#writes.get(handle);
    this.#writes.delete(handle);
    if (write === undefined || this.#unfinished.get(write.tag) !== write.folder) return;
    const share = (this.#engine.nowUs - write.startUs) / Math.max(1, write.durationUs);
    const bytes = Math.min(write.bytes - 1, Math.floor(share * write.bytes), this.freeBytes);
    this.#put(write, { bytes: Math.max(0, bytes), isReported: false });
  }

  abandonWritesOf(slot: number): void {
    for (const [handle, write] of this.#writes) {
      if (write.slot === slot) this.abandonWrite(handle as WriteHandle);
    }
    for (const folder of this.#unfinished.values()) {
      if (folder.committer === slot) folder.committer = undefined;
    }
  }

  startCommit(tag: string, slot: number): { readonly durationUs: number } {
    const folder = this.#unfinished.get(tag);
    if (folder !== undefined) folder.committer = slot;
    return { durationUs: this.#durationUs(this.#profile.commitUs, "storage.commit", slot) };
  }

  finishCommit(tag: string): boolean {
    const folder = this.#unfinished.get(tag);
    if (folder?.committer === undefined || !folder.isReported) return false;
    this.#unfinished.delete(tag);
    this.#committed.set(tag, folder);
    this.#engine.note("storage.commit", folder.step, folder.shards.length);
    return true;
  }

  list(): readonly { readonly tag: string; readonly step: number }[] {
    const folders = [...this.#committed.values()].map(({ tag, step }) => ({ tag, step }));
    return folders.toSorted((one, other) => other.step - one.step);
  }

  readUs(slot: number): number {
    return this.#durationUs(this.#profile.readUs, "storage.read", slot);
  }

  verify(tag: string, shard: number): ShardVerdict {
    return this.#committed.get(tag)?.verdictOf(shard) ?? "missing";
  }

  refusalOf(tag: string): { readonly shard: number; readonly verdict: ShardVerdict } | undefined {
    const folder = this.#committed.get(tag);
    if (folder === undefined) return { shard: 0, verdict: "missing" };
    const shard = [...folder.shards.keys()].find((index) => folder.verdictOf(index) !== "whole");
    return shard === undefined ? undefined : { shard, verdict: folder.verdictOf(shard) };
  }

  contentOf(tag: string): readonly ShardContent[] {
    return this.#committed.get(tag)?.contents() ?? [];
  }

  remove(tag: string): void {
    const folder = this.#committed.get(tag);
    if (folder === undefined) return;
    this.#committed.delete(tag);
    this.#engine.note("storage.remove", folder.step);
  }

  truthOf(tag: string): CheckpointTruth | undefined {
    const committed = this.#committed.get(tag);
    return committed?.truth(true) ?? this.#unfinished.get(tag)?.truth(false);
  }

  apply(effect: StorageEffect): StorageHandle {
    const handle = ++this.#made as StorageHandle;
    if (effect.kind === "corrupt") this.#corrupt(handle, effect.shard, effect.tag);
    else this.#effects.add(handle, effect);
    this.#handles.add(handle);
    this.#engine.note(`storage.${effect.kind}`, handle);
    return handle;
  }

  undo(handle: StorageHandle): boolean {
    if (!this.#handles.delete(handle)) return false;
    this.#effects.delete(handle);
    this.#corrupted.get(handle)?.corruptedBy.delete(handle);
    this.#corrupted.delete(handle);
    this.#engine.note("storage.undo", handle);
    return true;
  }

  lookForFaults(): readonly string[] {
    const corrupt = [...this.#committed.values()].flatMap((folder) =>
      [...folder.shards.entries()]
        .filter(([, shard]) => (shard?.corruptedBy.size ?? 0) > 0)
        .map(([index]) => `shard ${index} of ${folder.tag} has wrong bits`),
    );
    return [...this.#effects.describe(), ...corrupt];
  }

  #corrupt(handle: number, index: number, tag = this.list()[0]?.tag): void {
    const shard = tag === undefined ? undefined : this.#committed.get(tag)?.shards[index];
    shard?.corruptedBy.add(handle);
    this.#corrupted.set(handle, shard);
  }

  #put(write: Write, end: { readonly bytes: number; readonly isReported: boolean }): void {
    write.folder.put(write.shard, {
      state: write.state,
      step: write.step ?? write.folder.step,
      bytes: end.bytes,
      isReported: end.isReported,
      isShort: end.bytes < write.bytes,
      corruptedBy: new Set(),
    });
    this.#engine.note("storage.shard", write.shard, end.isReported ? 1 : 0);
  }

  #durationUs(usualUs: number, purpose: string, slot: number): number {
    const { jitter } = this.#profile;
    const more = jitter > 0 ? jitter * this.#engine.chance.stream(purpose, slot).float() : 0;
    return Math.round(usualUs * this.#effects.slowFactor * (1 + more));
  }
}
