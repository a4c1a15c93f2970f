import { describe, expect, it } from "vitest";
import { blasOf } from "../../../../src/runtime/cuda/blas/index.ts";
import {
  matmul,
  matmulAlgorithm,
  matmulLibraryVersion,
} from "../../../../src/runtime/cuda/ops/index.ts";
import { CudaTensor, fromBytes, toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { type DType, ops } from "../../../../src/runtime/tensor/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import { differenceOf, hostRandom, hostWhole } from "../tensor/on-fake-tensors.ts";

describe.skipIf(noFake !== "")(`a product on a GPU${noFake}`, () => {
  it.each<DType>(["f64", "f32", "f16", "bf16"])(
    "of whole numbers in %s has the host's bits, however the factors lie",
    (dtype) => {
      const device = openFake();
      const a = hostWhole([6, 10], { dtype });
      const b = hostWhole([10, 4], { dtype, seed: 2 });
      const expected = ops.matmul(a, b).digest();
      const [there, other] = [toDevice(a, device), toDevice(b, device)];
      expect(matmul(there, other).digest()).toBe(expected);
      expect(
        matmul(there.transpose(), other.transpose(), {
          transposeA: true,
          transposeB: true,
        }).digest(),
      ).toBe(expected);
    },
  );

  it("multiplies fp8 into f32 or bf16, and both formats with each other", () => {
    const device = openFake();
    const a = hostWhole([16, 32], { dtype: "e4m3" });
    const b = hostWhole([32, 16], { dtype: "e4m3", seed: 2 });
    const exact = ops.matmul(a.to("f32"), b.to("f32"));
    const [there, other] = [toDevice(a, device), toDevice(b, device)];
    expect(matmul(there, other).digest()).toBe(exact.digest());
    expect(matmul(there, other, { outDtype: "bf16" }).digest()).toBe(exact.to("bf16").digest());
    const e5m2 = toDevice(hostWhole([32, 16], { dtype: "e5m2", seed: 2, range: 2 }), device);
    const expected = ops.matmul(a.to("f32"), e5m2.toHost().to("f32"));
    expect(matmul(there, e5m2).digest()).toBe(expected.digest());
    expect(() => matmul(e5m2.transpose(), e5m2)).toThrow("not by e5m2");
    const odd = toDevice(hostWhole([4, 32], { dtype: "e4m3" }), device);
    expect(() => matmul(odd, other)).toThrow(
      "matmul: products of e4m3 are of multiples of 16, not of 4, 32 and 16.",
    );
  });

  it("multiplies i8 into i32", () => {
    const device = openFake();
    const [a, b] = [1, 2].map((seed) => hostWhole([16, 16], { seed, range: 127 }));
    if (a === undefined || b === undefined) return;
    const i8 = (values: Float64Array) =>
      fromBytes(new Uint8Array(Int8Array.from(values).buffer), {
        dtype: "i8",
        shape: [16, 16],
        device,
      });
    const product = matmul(i8(a.toNumbers()), i8(b.toNumbers()));
    expect(product.toHost().toArray()).toEqual(ops.matmul(a, b).toArray());
  });

  it("takes batches of both factors, or one second factor for all", () => {
    const device = openFake();
    const a = hostRandom([2, 3, 5, 8]);
    const b = hostRandom([2, 3, 8, 6], { seed: 2 });
    const shared = hostRandom([8, 6], { seed: 3 });
    const there = toDevice(a, device);
    expect(differenceOf(matmul(there, toDevice(b, device)), ops.matmul(a, b))).toBeLessThan(1e-5);
    const flat = matmul(there, toDevice(shared, device));
    expect(differenceOf(flat, ops.matmul(a, shared))).toBeLessThan(1e-5);
    const turned = matmul(there.transpose(), toDevice(shared, device), { transposeA: true });
    expect(turned.digest()).toBe(flat.digest());
  });

  it("scales, adds to what is there, and writes where it is told", () => {
    const device = openFake();
    const a = hostWhole([4, 8]);
    const b = hostWhole([8, 4], { seed: 2 });
    const [there, other] = [toDevice(a, device), toDevice(b, device)];
    const out = CudaTensor.allocate(device, { dtype: "f32", shape: [4, 4] });
    expect(matmul(there, other, { out, alpha: 2, tune: true })).toBe(out);
    matmul(there, other, { out, accumulate: true });
    expect(out.digest()).toBe(ops.scale(ops.matmul(a, b), 3).digest());
    const small = CudaTensor.allocate(device, { dtype: "f32", shape: [2, 4] });
    expect(() => matmul(there, other, { out: small })).toThrow("out is [2, 4]");
  });

  it("plans a kind of product once, by a name that stays", () => {
    const device = openFake();
    const a = toDevice(hostRandom([4, 8]), device);
    const b = toDevice(hostRandom([8, 4]), device);
    expect(matmulAlgorithm(a, b)).toMatch(/^algo \d+ tile \d+ splitk 1 /);
    expect(matmulLibraryVersion(device)).toMatch(/^\d+\.\d+\.\d+$/);
    const spec = { m: 4, n: 4, k: 8, batches: 1, transposeA: false, transposeB: false } as const;
    const formats = { aDtype: "f32", bDtype: "f32", outDtype: "f32" } as const;
    const rest = { sharedB: false, tf32: false, fastAccumulate: false, smCountTarget: 0 };
    const engine = blasOf(device);
    const plan = engine.plan({ ...spec, ...formats, ...rest });
    expect(engine.plan({ ...spec, ...formats, ...rest })).toBe(plan);
    expect(engine.plan({ ...spec, ...formats, ...rest, smCountTarget: 128 })).not.toBe(plan);
  });

  it("passes over an advised algorithm that the library then refuses, when it tunes", () => {
    const device = openFake();
    const a = hostWhole([4, 8]);
    const b = hostWhole([8, 4], { seed: 2 });
    const [there, other] = [toDevice(a, device), toDevice(b, device)];
    withFakeEnv({ FAKE_CUDA_FAIL: "cublasLtMatmul:1:15" });
    const product = matmul(there, other, { tune: true });
    expect(product.digest()).toBe(ops.matmul(a, b).digest());
    // Without a choice, the refusal is told.
    withFakeEnv({ FAKE_CUDA_FAIL: "cublasLtMatmul:*:14" });
    expect(() => matmul(there, other)).toThrow("CUBLAS_STATUS_INTERNAL_ERROR (14)");
  });

  it("refuses factors that do not meet, and gives its memory back", () => {
    const device = openFake();
    const a = toDevice(hostRandom([4, 8]), device);
    expect(() => matmul(a, a)).toThrow("matmul: 8 columns of [4, 8] meet 4 rows of [4, 8].");
    expect(() => matmul(a.reshape([32]), a)).toThrow("[32] is no matrix");
    const before = device.memory.accounts().buffers;
    withFakeEnv({ FAKE_CUDA_FAIL: "cublasLtMatmulAlgoGetHeuristic:*:15" });
    expect(() => matmul(a, a.transpose())).toThrow(
      "cublasLtMatmulAlgoGetHeuristic failed: CUBLAS_STATUS_NOT_SUPPORTED (15). It was about f32 [4, 8] by f32 [8, 4] to f32.",
    );
    expect(device.memory.accounts().buffers).toBe(before + 1);
  });
});
