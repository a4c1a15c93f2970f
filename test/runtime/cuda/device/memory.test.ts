import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DeviceBuffer } from "../../../../src/runtime/cuda/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { noFake, openFake } from "./on-fake.ts";

const mib = 2 ** 20;

describe.skipIf(noFake !== "")(`memory of a GPU${noFake}`, () => {
  it("is accounted for exactly: in use, kept, most ever", () => {
    const { memory } = openFake();
    const before = memory.available();
    expect(memory.accounts()).toEqual({
      inUseBytes: 0,
      pooledBytes: 0,
      peakBytes: 0,
      buffers: 0,
      pinnedBytes: 0,
    });
    const small = memory.allocate(1000);
    const large = memory.allocate(3 * mib);
    expect(small.bytes).toBe(1000);
    expect(memory.accounts()).toMatchObject({ inUseBytes: 1024 + 4 * mib, buffers: 2 });
    expect(before.freeBytes - memory.available().freeBytes).toBe(1024 + 4 * mib);
    large.free();
    expect(memory.accounts()).toMatchObject({
      inUseBytes: 1024,
      pooledBytes: 4 * mib,
      peakBytes: 1024 + 4 * mib,
      buffers: 1,
    });
    small.free();
    memory.trim();
    expect(memory.accounts()).toMatchObject({ inUseBytes: 0, pooledBytes: 0, buffers: 0 });
    expect(memory.available()).toEqual(before);
  });

  it("is used again by the next buffer of its size, and by no other", () => {
    const { memory } = openFake();
    const first = memory.allocate(5 * mib);
    const { address } = first;
    first.free();
    const smaller = memory.allocate(mib);
    const again = memory.allocate(5 * mib - 17);
    expect(smaller.address).not.toBe(address);
    expect(again.address).toBe(address);
  });

  it("is freed once, however often that is asked, and not read afterwards", () => {
    const { memory } = openFake();
    const buffer = memory.allocate(64);
    expect(buffer.freed).toBe(false);
    buffer.free();
    buffer[Symbol.dispose]();
    expect(buffer.freed).toBe(true);
    expect(() => buffer.address).toThrow(/was freed/);
    expect(memory.accounts()).toMatchObject({ buffers: 0, inUseBytes: 0, pooledBytes: 512 });
  });

  it("has buffers of no bytes with addresses of their own", () => {
    const { memory } = openFake();
    const [one, two] = [memory.allocate(0), memory.allocate(0)];
    expect(one.address).not.toBe(two.address);
    expect(() => memory.allocate(-1)).toThrow(/cannot have -1 bytes/);
  });

  it("that is kept goes back before the driver's shortage becomes an error", () => {
    withFakeEnv({ FAKE_CUDA_MEMORY_BYTES: String(64 * mib) });
    const { memory } = openFake();
    memory.allocate(12 * mib).free();
    expect(memory.accounts().pooledBytes).toBe(12 * mib);
    const large = memory.allocate(60 * mib);
    expect(memory.accounts()).toMatchObject({ inUseBytes: 60 * mib, pooledBytes: 0 });
    large.free();
  });

  it("that runs out is an error which says who holds it", () => {
    withFakeEnv({ FAKE_CUDA_MEMORY_BYTES: String(64 * mib) });
    const { memory } = openFake();
    memory.allocate(32 * mib, { purpose: "weights" });
    memory.allocate(4 * mib, { purpose: "activations" });
    expect(() => memory.allocate(40 * mib, { purpose: "gradients" })).toThrow(
      expect.objectContaining({
        code: "E_CUDA",
        message:
          "cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY (2). 40 MiB were asked for (gradients) on cuda:0; 2 buffers hold 36 MiB (weights 32 MiB, activations 4 MiB), and 28 MiB of 64 MiB are free for anybody. Other processes may hold the rest.",
        hint: expect.stringContaining("nvidia-smi"),
      }),
    );
    // The GPU is as good as before.
    expect(memory.allocate(20 * mib).freed).toBe(false);
  });

  it("is kept up to a quarter of the GPU, and no more", () => {
    withFakeEnv({ FAKE_CUDA_MEMORY_BYTES: String(64 * mib) });
    const { memory } = openFake();
    const buffers = [10, 6, 2].map((size) => memory.allocate(size * mib));
    for (const buffer of buffers) buffer.free();
    expect(memory.accounts()).toMatchObject({ inUseBytes: 0, pooledBytes: 16 * mib });
    expect(memory.available().freeBytes).toBe(48 * mib);
  });

  it("comes back from buffers that nobody holds any more", async () => {
    const { memory } = openFake();
    for (let index = 0; index < 10; index++) memory.allocate(1000);
    await collectGarbage(() => memory.accounts().buffers === 0);
    expect(memory.accounts()).toMatchObject({ inUseBytes: 0, pooledBytes: 10 * 1024 });
  });

  it("balances whatever is taken and freed in whatever order", () => {
    const { memory } = openFake();
    const before = memory.available();
    const step = fc.oneof(
      fc.record({ take: fc.integer({ min: 0, max: 4 * mib }) }),
      fc.record({ free: fc.nat(50) }),
      fc.constant({ trim: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const held: DeviceBuffer[] = [];
        for (const one of steps) {
          if ("take" in one) held.push(memory.allocate(one.take));
          else if ("free" in one) held.splice(one.free, 1)[0]?.free();
          else memory.trim();
          const accounts = memory.accounts();
          expect(accounts.buffers).toBe(held.length);
          expect(accounts.inUseBytes).toBeGreaterThanOrEqual(
            held.reduce((sum, { bytes }) => sum + bytes, 0),
          );
          expect(accounts.inUseBytes + accounts.pooledBytes).toBe(
            before.freeBytes - memory.available().freeBytes,
          );
          expect(new Set(held.map(({ address }) => address)).size).toBe(held.length);
        }
        for (const buffer of held) buffer.free();
        memory.trim();
        expect(memory.available()).toEqual(before);
      }),
      { numRuns: 50 },
    );
  });
});

describe.skipIf(noFake !== "")(`pinned memory${noFake}`, () => {
  it("is the GPU's and ours at once", () => {
    const device = openFake();
    const pinned = device.memory.allocatePinned(4096);
    const buffer = device.memory.allocate(4096);
    pinned.bytes.fill(7);
    device.stream.upload({ buffer }, pinned.bytes);
    device.stream.synchronize();
    pinned.bytes.fill(0);
    device.stream.download({ buffer }, pinned.bytes);
    expect(pinned.bytes.every((byte) => byte === 7)).toBe(true);
    expect(device.memory.accounts().pinnedBytes).toBe(4096);
  });

  it("is freed once, and not read afterwards", () => {
    const { memory } = openFake();
    const pinned = memory.allocatePinned(100);
    pinned.free();
    pinned.free();
    expect(memory.accounts().pinnedBytes).toBe(0);
    expect(() => pinned.bytes).toThrow(/was freed/);
    expect(() => memory.allocatePinned(0)).toThrow(/0 bytes cannot be pinned/);
  });

  it("goes after the work that reads it", () => {
    const device = openFake();
    const pinned = device.memory.allocatePinned(64);
    const buffer = device.memory.allocate(64);
    pinned.bytes.fill(9);
    device.stream.upload({ buffer }, pinned.bytes);
    pinned.free();
    const into = new Uint8Array(64);
    device.stream.download({ buffer }, into);
    expect(into[63]).toBe(9);
  });
});
