import assert from "node:assert/strict";
import { createHash } from "node:crypto";

/** What a stream is for: words and numbers, such as `("jitter", 3)`. */
export type Purpose = readonly (string | number)[];

/** The identity of a stream: the key of the generator and the upper half of its counter. */
export interface StreamKey {
  readonly key: readonly [number, number];
  readonly counterHigh: readonly [number, number];
}

// Part of every key: a change here would change every seeded run there ever was.
const domain = "tessera rng 1";

/** The key for a seed and a purpose. Different purposes give unrelated keys. */
export function streamKey(seed: string, purpose: Purpose): StreamKey {
  const hash = createHash("sha256");
  for (const part of [domain, seed, ...purpose]) hash.update(encodePart(part));
  const digest = hash.digest();
  return {
    key: [digest.readUInt32LE(0), digest.readUInt32LE(4)],
    counterHigh: [digest.readUInt32LE(8), digest.readUInt32LE(12)],
  };
}

/** A tag and a length before the content: no two lists of parts have the same bytes. */
function encodePart(part: string | number): Buffer {
  assert(
    typeof part === "string" || Number.isFinite(part),
    "a purpose is made of texts and finite numbers",
  );
  // Adding 0 turns -0 into 0: equal numbers name the same stream.
  const content = typeof part === "string" ? Buffer.from(part, "utf8") : doubleBytes(part + 0);
  const header = Buffer.alloc(5);
  header.write(typeof part === "string" ? "s" : "n", "latin1");
  header.writeUInt32LE(content.length, 1);
  return Buffer.concat([header, content]);
}

function doubleBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
