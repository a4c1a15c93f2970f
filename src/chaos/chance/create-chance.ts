import assert from "node:assert/strict";
import { type StreamKey, streamKey } from "../../platform/rng/stream-key.ts";
import type { Chance } from "./chance.ts";
import { PhiloxChance, WordPages } from "./stream.ts";

// Part of every key: a change here would change every simulated run there ever was.
const domain = "tessera sim 1";
const streamsMax = 2 ** 22;

/**
 * Chance from a seed. The key of a purpose is a SHA-256 of seed and purpose, so purposes are unrelated. A
 * numbered entity changes one word of the counter: Philox is a bijection of its counters, so streams of
 * one purpose never share a block, and making one costs no hash. A named entity has a key of its own.
 */
export function createChance(seed: string): Chance {
  const numbered = new Map<string, Numbered>();
  const named = new Map<string, Map<string, PhiloxChance>>();
  const pages = new WordPages();
  let streams = 0;
  const made = (key: StreamKey): PhiloxChance => {
    assert(++streams <= streamsMax, `a run has at most ${streamsMax} random streams`);
    return new PhiloxChance(key, pages);
  };
  const numberedStream = (purpose: string, entity: number): PhiloxChance => {
    let of = numbered.get(purpose);
    if (of === undefined) {
      of = { key: streamKey(seed, [domain, purpose]), streams: new Map() };
      numbered.set(purpose, of);
    }
    let stream = of.streams.get(entity);
    if (stream === undefined) {
      assert(entity >>> 0 === entity, "a numbered entity is a whole number from 0 to 2^32 - 1");
      stream = made(keyOf(of.key, entity));
      of.streams.set(entity, stream);
    }
    return stream;
  };
  const namedStream = (purpose: string, entity: string): PhiloxChance => {
    const of = named.get(purpose) ?? new Map<string, PhiloxChance>();
    named.set(purpose, of);
    const stream = of.get(entity) ?? made(streamKey(seed, [domain, purpose, entity]));
    of.set(entity, stream);
    return stream;
  };
  return {
    stream: (purpose, entity = 0) =>
      typeof entity === "number" ? numberedStream(purpose, entity) : namedStream(purpose, entity),
  };
}

interface Numbered {
  readonly key: StreamKey;
  readonly streams: Map<number, PhiloxChance>;
}

function keyOf({ key, counterHigh: [low, high] }: StreamKey, entity: number): StreamKey {
  return { key, counterHigh: [low, (high ^ entity) >>> 0] };
}
