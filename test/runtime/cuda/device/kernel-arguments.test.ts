import { describe, expect, it } from "vitest";
import { ArgumentBlock } from "../../../../src/runtime/cuda/device/kernel-arguments.ts";
import type { DeviceBuffer, KernelArg } from "../../../../src/runtime/cuda/index.ts";
import { noStub, useStub } from "../ffi/stub-library.ts";

const buffer: DeviceBuffer = {
  address: 0x7f00_0000_1000n,
  bytes: 64,
  freed: false,
  free: () => {},
  [Symbol.dispose]: () => {},
};

describe.skipIf(noStub !== "")(`arguments of a kernel${noStub}`, () => {
  const stub = useStub();
  const launch = (block: ArgumentBlock, args: readonly KernelArg[]) => {
    const used: DeviceBuffer[] = [];
    block.set(args, (one) => {
      used.push(one);
      return one.address;
    });
    stub().library.func("int stubLaunch(void *arguments)")(block.address);
    const bytes = Buffer.alloc(128);
    stub().library.func("int stubLaunched(void *bytes)")(bytes);
    return { bytes, used };
  };

  it("arrive with their C types", () => {
    const block = new ArgumentBlock(stub().ffi);
    const { bytes, used } = launch(block, [
      { i32: -7 },
      { f32: 0.1 },
      { f64: 0.1 },
      { ptr: { buffer, offsetBytes: 16 } },
      { i64: -(2n ** 60n) },
      { u32: 4_000_000_000 },
    ]);
    expect(bytes.readInt32LE(0)).toBe(-7);
    expect(bytes.readFloatLE(8)).toBe(Math.fround(0.1));
    expect(bytes.readDoubleLE(16)).toBe(0.1);
    expect(bytes.readBigUInt64LE(24)).toBe(0x7f00_0000_1010n);
    expect(bytes.readBigInt64LE(32)).toBe(-(2n ** 60n));
    expect(bytes.readUInt32LE(40)).toBe(4_000_000_000);
    expect(used).toEqual([buffer]);
  });

  it("of the next launch take the place of the last one's", () => {
    const block = new ArgumentBlock(stub().ffi);
    const args = (value: number): KernelArg[] => [
      { u32: value },
      { f32: value },
      { f64: value },
      { ptr: buffer },
      { u64: value },
      { i32: value },
    ];
    launch(block, args(1));
    const { bytes } = launch(block, args(2));
    expect(bytes.readUInt32LE(0)).toBe(2);
    expect(bytes.readBigUInt64LE(24)).toBe(buffer.address);
    expect(bytes.readBigUInt64LE(32)).toBe(2n);
  });

  it.each<[string, KernelArg]>([
    ["an i32 that is too large", { i32: 2 ** 31 }],
    ["an i32 that is not whole", { i32: 0.5 }],
    ["a u32 below zero", { u32: -1 }],
    ["a place outside of its buffer", { ptr: { buffer, offsetBytes: 65 } }],
  ])("are refused when they would be wrapped: %s", (_, arg) => {
    const block = new ArgumentBlock(stub().ffi);
    expect(() => block.set([arg], ({ address }) => address)).toThrow(
      /kernel can take|outside of its buffer/,
    );
  });

  it("are limited in number", () => {
    const block = new ArgumentBlock(stub().ffi);
    const args = (count: number) => Array.from({ length: count }, (_, i32) => ({ i32 }));
    expect(() => block.set(args(64), ({ address }) => address)).not.toThrow();
    expect(() => block.set(args(65), ({ address }) => address)).toThrow(/at most 64/);
  });
});
