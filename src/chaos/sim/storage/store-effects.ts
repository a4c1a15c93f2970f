import assert from "node:assert/strict";
import type { StorageEffect } from "./storage.ts";

type Tear = Extract<StorageEffect, { readonly kind: "tear" }>;

const effectsMax = 2 ** 12;

/** What is done to the store now. */
export class StoreEffects {
  readonly #factors = new Map<number, number>();
  /** Bytes that are taken; undefined: all. */
  readonly #taken = new Map<number, number | undefined>();
  readonly #tears = new Map<number, { readonly of: Tear; left: number }>();

  add(handle: number, effect: Exclude<StorageEffect, { readonly kind: "corrupt" }>): void {
    const count = this.#factors.size + this.#taken.size + this.#tears.size;
    assert(count < effectsMax, `at most ${effectsMax} faults of the store are in force`);
    switch (effect.kind) {
      case "slow":
        assert(effect.factor >= 1 && effect.factor < Infinity, "a slow store is no faster");
        this.#factors.set(handle, effect.factor);
        return;
      case "full":
        assert((effect.bytes ?? 0) >= 0, "what is taken is no less than nothing");
        this.#taken.set(handle, effect.bytes);
        return;
      case "tear":
        assert(effect.count >= 1, "a fault that tears writes tears one");
        this.#tears.set(handle, { of: effect, left: effect.count });
        return;
    }
  }

  delete(handle: number): void {
    this.#factors.delete(handle);
    this.#taken.delete(handle);
    this.#tears.delete(handle);
  }

  get slowFactor(): number {
    return [...this.#factors.values()].reduce((all, factor) => all * factor, 1);
  }

  /** What is left of so many free bytes. */
  leftOf(freeBytes: number): number {
    return [...this.#taken.values()].reduce<number>(
      (left, bytes) => Math.max(0, left - (bytes ?? left)),
      freeBytes,
    );
  }

  /** Whether a write of this shard ends short; counts it. */
  tears(shard: number): boolean {
    for (const tear of this.#tears.values()) {
      const isMeant = tear.of.shards === "any" || tear.of.shards.includes(shard);
      if (!isMeant || tear.left === 0) continue;
      tear.left--;
      return true;
    }
    return false;
  }

  describe(): readonly string[] {
    const tears = [...this.#tears.values()].filter(({ left }) => left > 0);
    return [
      ...[...this.#factors.values()].map((factor) => `storage is ${factor} times slower`),
      ...[...this.#taken.values()].map((bytes) =>
        bytes === undefined ? "storage is full" : `${bytes} bytes of storage are taken`,
      ),
      ...tears.map(({ left }) => `the next ${left} writes of storage would be torn`),
    ];
  }
}
