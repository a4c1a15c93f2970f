import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageTap, type Stretch } from "../../../../src/chaos/host/proxy/message-tap.ts";
import { writeHead } from "../../../../src/runtime/ranks/transports/tcp/frame-head.ts";
import { encodeFrame } from "../../../../src/runtime/ranks/wire/frames.ts";

const handshake = Buffer.concat([encodeFrame({ hello: 1 }), encodeFrame({ welcome: "you" })]);

function stream(sizes: readonly number[]): Buffer {
  const messages = sizes.flatMap((sizeBytes, at) => [
    writeHead({ operation: at + 1, sizeBytes }),
    Buffer.alloc(sizeBytes, at + 1),
  ]);
  return Buffer.concat([handshake, ...messages]);
}

function pushAll(bytes: Buffer, cuts: readonly number[]): readonly Stretch[] {
  const tap = new MessageTap();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  const sorted = places.toSorted((a, b) => a - b);
  return sorted.slice(1).flatMap((end, at) => tap.push(bytes.subarray(sorted[at], end)));
}

describe("the tap", () => {
  it("hands on every byte in its order, however the stream is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (sizes, cuts) => {
          const bytes = stream(sizes);
          const out = Buffer.concat(pushAll(bytes, cuts).map((stretch) => stretch.bytes));
          expect(out.equals(bytes)).toBe(true);
        },
      ),
    );
  });

  it("knows which exchange each byte of data belongs to, and where in it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (sizes, cuts) => {
          const data = pushAll(stream(sizes), cuts).filter(
            ({ exchange, at }) => exchange !== null && at >= 0,
          );
          for (const { bytes, exchange, at, sizeBytes } of data) {
            expect(bytes.every((byte) => byte === exchange)).toBe(true);
            expect(sizeBytes).toBe(sizes[(exchange ?? 0) - 1]);
            expect(at + bytes.length).toBeLessThanOrEqual(sizeBytes);
          }
          const total = data.reduce((sum, { bytes }) => sum + bytes.length, 0);
          expect(total).toBe(sizes.reduce((sum, size) => sum + size, 0));
        },
      ),
    );
  });

  it("says that a stream it does not understand belongs to no exchange", () => {
    const strange = Buffer.concat([handshake, Buffer.alloc(64, 0x5a)]);
    const stretches = pushAll(strange, []);
    expect(stretches.every(({ exchange }) => exchange === null)).toBe(true);
    expect(Buffer.concat(stretches.map(({ bytes }) => bytes)).equals(strange)).toBe(true);
  });
});
