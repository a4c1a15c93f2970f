import { describe, expect, it } from "vitest";
import { toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { distribute, Mesh } from "../../../../src/runtime/dist/index.ts";
import * as op from "../../../../src/runtime/op/index.ts";
import { zeros } from "../../../../src/runtime/tensor/index.ts";
import { allClose } from "../../../../src/runtime/verify/closeness/index.ts";
import { deterministic } from "../../../../src/runtime/verify/determinism/index.ts";
import { equal, report } from "../../../../src/runtime/verify/equality/index.ts";
import { redundancyOf, vote } from "../../../../src/runtime/verify/redundant/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { noFake, openFake } from "../../cuda/device/on-fake.ts";
import { hostWhole } from "../../cuda/tensor/on-fake-tensors.ts";

const A = hostWhole([6, 8]);
const B = hostWhole([8, 5], { seed: 2 });

describe.skipIf(noFake !== "")(`verify on tensors of a GPU${noFake}`, () => {
  it("compares on the GPU, and with the host and a mesh", () => {
    const device = openFake();
    using x = toDevice(A, device);
    using y = toDevice(A, device);
    using z = toDevice(hostWhole([6, 8], { seed: 3 }), device);
    expect(equal(x, y)).toBe(true);
    expect(equal(x, z)).toBe(false);
    expect(equal(x, A)).toBe(true);
    expect(equal(z, A)).toBe(false);
    const mesh = new Mesh({ axes: ["dp"], shape: [2], devices: 2 });
    expect(equal({ w: distribute(A, { mesh }) }, { w: x })).toBe(true);
    using empty = toDevice(zeros([0, 3]), device);
    expect(equal(empty, zeros([0, 3]))).toBe(true);
    using odd = toDevice(hostWhole([7, 11, 3]), device);
    using same = toDevice(hostWhole([7, 11, 3]), device);
    expect(equal(odd, same)).toBe(true);
    const found = report(x, z);
    expect(found.first).toMatchObject({ a: { value: A.at(...(found.first?.index ?? [])) } });
    expect(allClose(x, A).close).toBe(true);
    expect(allClose(x, z).close).toBe(false);
  });

  it("multiplies again on the same GPU where there is no other, and says so", () => {
    const device = openFake();
    using x = toDevice(A, device);
    using y = toDevice(B, device);
    using plain = op.matmul(x, y);
    using again = op.matmul(x, y, { redundant: true });
    expect(equal(plain, again)).toBe(true);
    expect(redundancyOf(again)).toMatchObject({
      independence: "same-device",
      computedBy: ["cuda:0"],
    });
    withFakeEnv({ FAKE_CUDA_FLIP: "0:gemm:1:23" });
    using wrong = op.matmul(x, y, { redundant: true });
    expect(report(plain, wrong)).toMatchObject({
      differing: 1,
      pattern: { pattern: "single-bit" },
    });
  });

  it("multiplies on another GPU where there is one: a fault that stays on one of them is seen", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "2" });
    const device = openFake("cuda:0");
    using x = toDevice(A, device);
    using y = toDevice(B, device);
    using plain = op.matmul(x, y);
    using other = op.matmul(x, y, { redundant: true });
    expect(equal(plain, other)).toBe(true);
    expect(redundancyOf(other)).toMatchObject({
      independence: "other-device",
      computedBy: ["cuda:1"],
    });
    expect(other.device).toBe(device);
    using sum = toDevice(hostWhole([6, 5], { seed: 5 }), device);
    using start = sum.clone();
    op.matmul(x, y, { out: sum, accumulate: true });
    op.matmul(x, y, { out: start, accumulate: true, redundant: true });
    expect(equal(sum, start)).toBe(true);
    withFakeEnv({ FAKE_CUDA_DEVICES: "2", FAKE_CUDA_FLIP: "0:gemm:*:23" });
    using sick = op.matmul(x, y);
    using healthy = op.matmul(x, y, { redundant: true });
    expect(equal(sick, healthy)).toBe(false);
    expect(equal(plain, healthy)).toBe(true);
  });

  it("votes among three GPUs, and by runs on one", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "3", FAKE_CUDA_FLIP: "1:gemm:*:23" });
    const device = openFake("cuda:0");
    using x = toDevice(A, device);
    using y = toDevice(B, device);
    const found = vote(x, y);
    expect(found).toMatchObject({ verdict: "outvoted", outvoted: [{ device: "cuda:1" }] });
    using value = found.value;
    expect(equal(value, op.matmul(A, B))).toBe(true);
    withFakeEnv({ FAKE_CUDA_DEVICES: "1", FAKE_CUDA_FLIP: "0:gemm:2:23" });
    const runs = vote(x, y);
    using kept = runs.value;
    expect(runs).toMatchObject({
      verdict: "outvoted",
      independence: "same-device",
      outvoted: [{ device: "cuda:0 run 1" }],
    });
    expect(equal(kept, op.matmul(A, B))).toBe(true);
    expect(device.memory.accounts().buffers).toBeLessThan(8);
  });

  it("sees a GPU that does not repeat itself", async () => {
    const device = openFake();
    using x = toDevice(A, device);
    using y = toDevice(B, device);
    const release = (made: { free(): void }) => made.free();
    const settings = { runs: 3, inputs: { x, y }, release };
    expect((await deterministic(() => op.matmul(x, y), settings)).deterministic).toBe(true);
    withFakeEnv({ FAKE_CUDA_FLIP: "0:gemm:3:5" });
    const found = await deterministic(() => op.matmul(x, y), settings);
    expect(found.different.map(({ run }) => run)).toEqual([2]);
  });
});
