import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { createScrubber } from "../../../../src/runtime/verify/scrub/index.ts";

const bytesFor = (size: number, seed = 1) => createRng(seed).stream("bytes").bytes(size);

function flip(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
}

describe("a scrubber", () => {
  it("finds nothing in memory that stays as it is", () => {
    const scrubber = createScrubber({ blockBytes: 64 });
    scrubber.register("one", bytesFor(1000));
    scrubber.register("none", new Uint8Array(0));
    const report = scrubber.scrub(1e9);
    expect(report).toEqual({ scannedBytes: 1000, passes: 1, findings: [], more: 0 });
    expect(scrubber).toMatchObject({ buffers: 2, watchedBytes: 1000 });
  });

  it("names buffer, block and bits of any changed word, once", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 700 }),
        fc.nat(),
        fc.integer({ min: 1, max: 2 ** 32 - 1 }),
        (size, where, xor) => {
          const scrubber = createScrubber({ blockBytes: 128 });
          const bytes = bytesFor(size);
          scrubber.register("weights", bytes);
          const word = where % Math.ceil(size / 4);
          let changed = 0;
          for (let byte = 0; byte < 4 && 4 * word + byte < size; byte++) {
            const by = (xor >>> (8 * byte)) & 0xff;
            bytes[4 * word + byte] = (bytes[4 * word + byte] as number) ^ by;
            changed += by * 2 ** (8 * byte);
          }
          const { findings } = scrubber.scrub(size);
          if (changed === 0) {
            expect(findings).toEqual([]);
            return;
          }
          const bits = Array.from({ length: 32 }, (_, bit) => bit).filter(
            (bit) => (changed / 2 ** bit) & 1,
          );
          const block = Math.floor((4 * word) / 128);
          expect(findings).toMatchObject([
            {
              buffer: "weights",
              block,
              offsetBytes: 128 * block,
              word: { offsetBytes: 4 * word, xor: changed, bits },
            },
          ]);
          expect(scrubber.scrub(size).findings).toEqual([]);
        },
      ),
    );
  });

  it("tells of several changed words without guessing which", () => {
    const scrubber = createScrubber({ blockBytes: 256 });
    const bytes = bytesFor(256);
    scrubber.register("x", bytes);
    for (const bit of [3, 67, 1025]) flip(bytes, bit);
    const { findings } = scrubber.scrub(256);
    expect(findings).toHaveLength(1);
    expect(findings[0]).not.toHaveProperty("word");
    // The same bit of two words cancels in the sum of all.
    for (const bit of [3, 35]) flip(bytes, bit);
    expect(scrubber.scrub(256).findings).toMatchObject([{ buffer: "x", block: 0 }]);
  });

  it("is not taken in by three changes that look like one of a fourth word", () => {
    const scrubber = createScrubber({ blockBytes: 256 });
    const bytes = bytesFor(256);
    scrubber.register("x", bytes);
    for (const word of [1, 2, 4]) flip(bytes, 32 * word + 9);
    const { findings } = scrubber.scrub(256);
    expect(findings).toHaveLength(1);
    expect(findings[0]).not.toHaveProperty("word");
  });

  it("keeps to its budget and comes round to everything", () => {
    const scrubber = createScrubber({ blockBytes: 64 });
    const buffers = [200, 64, 130].map((size, at) => bytesFor(size, at));
    for (const [at, bytes] of buffers.entries()) scrubber.register(`b${at}`, bytes);
    flip(buffers[2] as Uint8Array, 8 * 129);
    const found: string[] = [];
    let scanned = 0;
    for (let call = 0; call < 20 && found.length === 0; call++) {
      const report = scrubber.scrub(100);
      expect(report.scannedBytes).toBeLessThanOrEqual(100);
      scanned += report.scannedBytes;
      found.push(...report.findings.map(({ buffer, block }) => `${buffer} ${block}`));
    }
    expect(found).toEqual(["b2 2"]);
    expect(scanned).toBe(394);
  });

  it("takes changes on purpose with refresh, and forgets what is released", () => {
    const scrubber = createScrubber({ blockBytes: 64 });
    const [one, two] = [bytesFor(100), bytesFor(100, 2)];
    scrubber.register("one", one);
    scrubber.register("two", two);
    flip(one, 5);
    scrubber.refresh("one");
    expect(scrubber.scrub(200).findings).toEqual([]);
    flip(one, 5);
    expect(scrubber.release("one")).toBe(true);
    expect(scrubber.release("one")).toBe(false);
    expect(scrubber.scrub(200)).toMatchObject({ scannedBytes: 100, findings: [] });
    expect(() => scrubber.refresh("one")).toThrow("is watched");
    expect(scrubber.buffers).toBe(1);
  });

  it("lists so many findings and counts the rest", () => {
    const scrubber = createScrubber({ blockBytes: 64, findingsMax: 2 });
    const bytes = bytesFor(640);
    scrubber.register("x", bytes);
    for (let block = 0; block < 5; block++) flip(bytes, 8 * 64 * block);
    const report = scrubber.scrub(640);
    expect(report.findings).toHaveLength(2);
    expect(report.more).toBe(3);
  });
});
