import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashBuffer, hashBytes, hashTensor } from "../../../../src/runtime/cuda/ops/index.ts";
import { toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import { hostRandom } from "../tensor/on-fake-tensors.ts";

describe("the hash of bytes", () => {
  it("is what it has always been", () => {
    expect(hashBytes(new Uint8Array())).toBe(0n);
    expect(hashBytes(Uint8Array.of(1, 2, 3))).toBe(17889165698150295956n);
    expect(hashBytes(Uint8Array.from({ length: 40 }, (_, at) => at))).toBe(1354117259342916977n);
  });

  it("changes with every bit, with the order of words and with the length", () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(bytes, fc.nat(), (given, place) => {
        const flipped = given.slice();
        const bit = place % (8 * given.length);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit % 8));
        expect(hashBytes(flipped)).not.toBe(hashBytes(given));
        expect(hashBytes(Uint8Array.of(...given, 0))).not.toBe(hashBytes(given));
      }),
    );
    const words = Uint8Array.from({ length: 16 }, (_, at) => at);
    const swapped = Uint8Array.of(...words.subarray(8), ...words.subarray(0, 8));
    expect(hashBytes(swapped)).not.toBe(hashBytes(words));
  });
});

describe.skipIf(noFake !== "")(`the hash of memory on a GPU${noFake}`, () => {
  it("is that of the same bytes on the host, at every length", () => {
    const device = openFake();
    const bytes = Uint8Array.from({ length: 5000 }, (_, at) => (at * 89) % 251);
    using buffer = device.memory.allocate(bytes.length);
    device.stream.upload({ buffer }, bytes);
    for (const length of [1, 8, 15, 16, 24, 4096, 4999, 5000]) {
      expect(hashBuffer(device, { buffer, bytes: length })).toBe(
        hashBytes(bytes.subarray(0, length)),
      );
    }
    const part = { buffer, offsetBytes: 1024, bytes: 500 };
    expect(hashBuffer(device, part)).toBe(hashBytes(bytes.subarray(1024, 1524)));
  });

  it("is that of a tensor's elements", () => {
    const device = openFake();
    const host = hostRandom([33, 3], { dtype: "bf16" });
    const raw = host.toRaw();
    const bytes = new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength);
    expect(hashTensor(toDevice(host, device))).toBe(hashBytes(bytes));
  });
});
