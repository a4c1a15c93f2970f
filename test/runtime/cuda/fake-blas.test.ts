import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CudaDevice } from "../../../src/runtime/cuda/index.ts";
import { withFakeEnv } from "../../support/fake-cuda/index.ts";
import { fakeFolder, noFake, openFake } from "./device/on-fake.ts";

const types = { f32: 0, f64: 1, f16: 2, i8: 3, i32: 10, bf16: 14, e4m3: 28 } as const;
const computes = { f32: 68, f64: 70, i32: 72, tf32: 77 } as const;
const notSupported = 15;

interface Call {
  readonly type: keyof typeof types;
  readonly outType: keyof typeof types;
  readonly compute: keyof typeof computes;
  readonly a: ArrayBufferView;
  readonly b: ArrayBufferView;
  readonly out: ArrayBufferView;
  readonly size: number;
  readonly transposeA?: boolean;
}

/** A product of two square matrices, columns one after the other; answers cuBLAS's status. */
function gemm(device: CudaDevice, call: Call): number {
  const blas = device.libraries.ffi.load(join(fakeFolder, "libcublas.so.13"));
  const handle = Buffer.alloc(8);
  blas.func("int cublasCreate_v2(void *handle)")(handle);
  blas.func("int cublasSetStream_v2(void *handle, void *stream)")(
    handle.readBigUInt64LE(),
    device.stream.handle,
  );
  const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer);
  const [a, b, out] = [call.a, call.b, call.out].map((matrix) => {
    const buffer = device.memory.allocate(matrix.byteLength);
    device.stream.upload({ buffer }, bytesOf(matrix));
    return buffer;
  });
  if (a === undefined || b === undefined || out === undefined) throw new Error("three matrices");
  const { size, compute } = call;
  const scalar = (value: number) => {
    if (compute === "f64") return Float64Array.of(value);
    return compute === "i32" ? Int32Array.of(value) : Float32Array.of(value);
  };
  const prototype =
    "int cublasGemmEx(void *h, int ta, int tb, int m, int n, int k, void *alpha, void *a, int at, int lda, void *b, int bt, int ldb, void *beta, void *c, int ct, int ldc, int compute, int algo)";
  const [type, outType] = [types[call.type], types[call.outType]];
  const transpose = call.transposeA === true ? 1 : 0;
  const matrices = [scalar(1), a.address, type, size, b.address, type, size, scalar(0)];
  const status = blas.func(prototype)(
    ...[handle.readBigUInt64LE(), transpose, 0, size, size, size, ...matrices],
    ...[out.address, outType, size, computes[compute], -1],
  );
  device.stream.download({ buffer: out }, bytesOf(call.out));
  for (const buffer of [a, b, out]) buffer.free();
  blas.func("int cublasDestroy_v2(void *handle)")(handle.readBigUInt64LE());
  return Number(status);
}

// [1 3; 2 4] and [5 7; 6 8] by columns; their product is [23 31; 34 46].
const a = [1, 2, 3, 4];
const b = [5, 6, 7, 8];
const product = [23, 34, 31, 46];
// [1 2; 3 4] times the second.
const transposed = [17, 39, 23, 53];

describe.skipIf(noFake !== "")(`products on the fake GPU${noFake}`, () => {
  it("in single precision, also of a transposed matrix", () => {
    const device = openFake();
    const out = new Float32Array(4);
    const call = { type: "f32", outType: "f32", compute: "f32", size: 2, out } as const;
    const given = { a: Float32Array.from(a), b: Float32Array.from(b) };
    expect(gemm(device, { ...call, ...given })).toBe(0);
    expect([...out]).toEqual(product);
    gemm(device, { ...call, ...given, transposeA: true });
    expect([...out]).toEqual(transposed);
  });

  it("in double precision", () => {
    const out = new Float64Array(4);
    const given = { a: Float64Array.from(a), b: Float64Array.from(b) };
    const types = { type: "f64", outType: "f64", compute: "f64" } as const;
    expect(gemm(openFake(), { ...types, ...given, size: 2, out })).toBe(0);
    expect([...out]).toEqual(product);
  });

  it("TF32 keeps ten bits of the mantissa, and single precision keeps all", () => {
    const device = openFake();
    const given = { a: Float32Array.of(1 + 2 ** -12), b: Float32Array.of(1) };
    const results = (["f32", "tf32"] as const).map((compute) => {
      const out = new Float32Array(1);
      gemm(device, { type: "f32", outType: "f32", compute, size: 1, out, ...given });
      return out[0];
    });
    expect(results).toEqual([1 + 2 ** -12, 1]);
  });

  it("bf16 is added up in single precision and rounded once, to the nearest, ties to even", () => {
    const out = new Uint16Array(1);
    // 1.0078125 squared is 1.01568…, between 1.015625 and 1.0234375.
    const given = { a: Uint16Array.of(0x3f81), b: Uint16Array.of(0x3f81) };
    gemm(openFake(), { type: "bf16", outType: "bf16", compute: "f32", size: 1, out, ...given });
    expect(out[0]).toBe(0x3f82);
  });

  it("integers add up exactly", () => {
    const out = new Int32Array(16);
    const given = { a: new Int8Array(16).fill(-128), b: new Int8Array(16).fill(127) };
    gemm(openFake(), { type: "i8", outType: "i32", compute: "i32", size: 4, out, ...given });
    expect(new Set(out)).toEqual(new Set([-128 * 127 * 4]));
  });

  it("what the real library does not do is refused", () => {
    const device = openFake();
    const bytes = new Uint8Array(4);
    const fp8 = {
      type: "e4m3",
      outType: "f32",
      compute: "f32",
      size: 2,
      a: bytes,
      b: bytes,
    } as const;
    expect(gemm(device, { ...fp8, out: new Float32Array(4) })).toBe(notSupported);
    const odd = {
      type: "i8",
      outType: "i32",
      compute: "i32",
      size: 2,
      a: bytes,
      b: bytes,
    } as const;
    expect(gemm(device, { ...odd, out: new Int32Array(4) })).toBe(notSupported);
  });

  it("one bit of the nth product is flipped", () => {
    withFakeEnv({ FAKE_CUDA_FLIP: "0:gemm:2:63" });
    const device = openFake();
    const given = { a: Float32Array.from(a), b: Float32Array.from(b) };
    const results = [1, 2].map(() => {
      const out = new Float32Array(4);
      gemm(device, { type: "f32", outType: "f32", compute: "f32", size: 2, out, ...given });
      return [...out];
    });
    expect(results).toEqual([product, [23, -34, 31, 46]]);
  });
});
