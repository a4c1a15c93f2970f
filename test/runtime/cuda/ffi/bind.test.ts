import { describe, expect, it } from "vitest";
import { bindFunctions } from "../../../../src/runtime/cuda/ffi/bind.ts";
import { noStub, useStub } from "./stub-library.ts";

interface StubFunctions {
  stubOpen(handle: Uint8Array): number;
  stubSame(handle: bigint, other: bigint): number;
  stubSum(bytes: Uint8Array, count: number): number;
  stubFill(bytes: Uint8Array, count: number, value: number): number;
  stubName(code: number, text: Uint8Array): number;
  stubLength(text: string): number;
  stubLengths(count: number, texts: readonly string[]): number;
  stubMissing(): number;
}

const prototypes = {
  stubOpen: "int stubOpen(void *handle)",
  stubSame: "int stubSame(void *handle, uint64 other)",
  stubSum: "int stubSum(void *bytes, size_t count)",
  stubFill: "int stubFill(void *bytes, size_t count, int value)",
  stubName: "int stubName(int code, void *text)",
  stubLength: "int stubLength(const char *text)",
  stubLengths: "int stubLengths(int count, const char **texts)",
  stubMissing: "int stubMissing()",
};

describe.skipIf(noStub !== "")(`functions of a C library${noStub}`, () => {
  const stub = useStub();
  const bind = () =>
    bindFunctions<StubFunctions>({ library: stub().library, soname: "libstub.so.1" }, prototypes);

  it("give and take handles of 64 bits unchanged", () => {
    const functions = bind();
    const handle = Buffer.alloc(8);
    expect(functions.stubOpen(handle)).toBe(0);
    const value = handle.readBigUInt64LE();
    expect(value).toBeGreaterThan(0xfedcba9876540000n);
    expect(functions.stubSame(value, value)).toBe(1);
    expect(functions.stubSame(value, value + 1n)).toBe(0);
  });

  it.each([
    ["an array", () => new Uint8Array(64)],
    ["a part of an array", () => new Uint8Array(256).subarray(64, 128)],
    ["a part of a pooled buffer", () => Buffer.from("x".repeat(64))],
    ["memory shared by threads", () => new Uint8Array(new SharedArrayBuffer(128), 8, 64)],
  ])("read and write %s in place", (_, make) => {
    const { stubFill, stubSum } = bind();
    const bytes = make();
    stubFill(bytes, 64, 3);
    expect([...bytes]).toEqual(Array(64).fill(3));
    bytes[63] = 5;
    expect(stubSum(bytes, 64)).toBe(63 * 3 + 5);
  });

  it("take texts and lists of texts, and point to texts of their own", () => {
    const { stubLength, stubLengths, stubName } = bind();
    expect(stubLength("äb")).toBe(3);
    expect(stubLengths(3, ["a", "bcd", ""])).toBe(10300);
    const text = Buffer.alloc(8);
    expect(stubName(2, text)).toBe(0);
    expect(stub().ffi.decode.string(text.readBigUInt64LE())).toBe("STUB_SHORT");
  });

  it("are looked up once, at their first use", () => {
    const { library } = stub();
    const asked: string[] = [];
    const functions = bindFunctions<StubFunctions>(
      {
        soname: "libstub.so.1",
        library: {
          func: (prototype) => {
            asked.push(prototype);
            return library.func(prototype);
          },
        },
      },
      prototypes,
    );
    expect(asked).toEqual([]);
    functions.stubLength("a");
    functions.stubLength("b");
    expect(asked).toEqual([prototypes.stubLength]);
  });

  it("that the library lacks are named, and only when they are called", () => {
    const functions = bind();
    expect(() => functions.stubMissing()).toThrow(
      expect.objectContaining({
        code: "E_CUDA_UNAVAILABLE",
        message: expect.stringContaining("libstub.so.1 does not provide stubMissing"),
      }),
    );
  });
});
