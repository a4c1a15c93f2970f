import assert from "node:assert/strict";
import { streamKey } from "../../platform/rng/stream-key.ts";
import type { Chance } from "./chance.ts";
import { PhiloxRows } from "./rows.ts";
import { StreamSource } from "./source.ts";
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
  const inRows = new Set<string>();
  const named = new Map<string, Map<string, PhiloxChance>>();
  const pages = new WordPages();
  let streams = 0;
  const made = (source: StreamSource, entity: number): PhiloxChance => {
    if (++streams > streamsMax) assert.fail(`a run has at most ${streamsMax} random streams`);
    return new PhiloxChance(source, entity, pages);
  };
  const numberedStream = (purpose: string, entity: number): PhiloxChance => {
    let of = numbered.get(purpose);
    if (of === undefined) {
      assert(!inRows.has(purpose), "a purpose whose streams are in rows has no others");
      const source = new StreamSource(streamKey(seed, [domain, purpose]));
      of = { source, streams: new Map() };
      numbered.set(purpose, of);
    }
    let stream = of.streams.get(entity);
    if (stream === undefined) {
      assert(entity >>> 0 === entity, "a numbered entity is a whole number from 0 to 2^32 - 1");
      stream = made(of.source, entity);
      of.streams.set(entity, stream);
    }
    return stream;
  };
  const namedStream = (purpose: string, entity: string): PhiloxChance => {
    const of = named.get(purpose) ?? new Map<string, PhiloxChance>();
    named.set(purpose, of);
    const known = of.get(entity);
    if (known !== undefined) return known;
    const source = new StreamSource(streamKey(seed, [domain, purpose, entity]));
    const stream = made(source, 0);
    of.set(entity, stream);
    return stream;
  };
  const rows = (purpose: string, entities: number): PhiloxRows => {
    assert(!inRows.has(purpose) && !numbered.has(purpose), "rows are asked for once, and first");
    assert(entities >= 0 && entities <= streamsMax, `at most ${streamsMax} streams in rows`);
    inRows.add(purpose);
    return new PhiloxRows(new StreamSource(streamKey(seed, [domain, purpose])), entities);
  };
  return {
    rows,
    stream: (purpose, entity = 0) =>
      typeof entity === "number" ? numberedStream(purpose, entity) : namedStream(purpose, entity),
  };
}

interface Numbered {
  readonly source: StreamSource;
  readonly streams: Map<number, PhiloxChance>;
}
