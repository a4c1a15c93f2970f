import { describe, expect, it } from "vitest";
import { type CudaTensor, toDevice } from "../../../src/runtime/cuda/tensor/index.ts";
import { distribute, Mesh } from "../../../src/runtime/dist/index.ts";
import * as op from "../../../src/runtime/op/index.ts";
import { session } from "../../../src/runtime/profile/index.ts";
import { fromValues, ops } from "../../../src/runtime/tensor/index.ts";
import { noFake, openFake } from "../cuda/device/on-fake.ts";
import { differenceOf, hostOps, hostRandom, hostWhole } from "../cuda/tensor/on-fake-tensors.ts";

const byName = { ...op };

describe.skipIf(noFake !== "")(`op on tensors of a GPU${noFake}`, () => {
  it("has the names of the host, and its results", () => {
    const device = openFake();
    const a = hostWhole([6, 8]);
    const b = hostWhole([6, 8], { seed: 2 });
    const [x, y] = [toDevice(a, device), toDevice(b, device)];
    for (const name of ["add", "sub", "mul", "reluBackward"] as const) {
      const found: CudaTensor = byName[name](x, y);
      expect(found.digest(), name).toBe(hostOps[name](a, b).digest());
    }
    for (const name of ["sum", "max", "min"] as const) {
      expect(byName[name](x, { dims: 0 }).digest(), name).toBe(
        hostOps[name](a, { dims: 0 }).digest(),
      );
    }
    expect(op.neg(x).digest()).toBe(ops.neg(a).digest());
    expect(op.scale(x, 0.1).digest()).toBe(ops.scale(a, 0.1).digest());
    expect(op.transpose(x).digest()).toBe(a.transpose().digest());
    expect(op.matmul(x, op.transpose(y)).digest()).toBe(ops.matmul(a, b.transpose()).digest());
    for (const name of ["gelu", "silu", "softmax", "logSoftmax", "mean"] as const) {
      expect(differenceOf(byName[name](x), hostOps[name](a)), name).toBeLessThan(1e-5);
    }
    const gain = hostRandom([8]);
    const normed = op.layerNorm(x, { gain: toDevice(gain, device) });
    expect(differenceOf(normed, ops.layerNorm(a, { gain }))).toBeLessThan(1e-5);
  });

  it("looks up rows and computes losses", () => {
    const device = openFake();
    const table = hostRandom([5, 4]);
    const indices = fromValues([4, 0, 2], { dtype: "i32" });
    const [x, at] = [toDevice(table, device), toDevice(indices, device)];
    expect(op.embedding(x, at).digest()).toBe(ops.embedding(table, indices).digest());
    const logits = hostRandom([3, 5]);
    const { loss } = op.crossEntropy(toDevice(logits, device), at);
    expect(loss).toBeCloseTo(ops.crossEntropy(logits, indices).loss, 6);
  });

  it("moves nothing between host, GPU and mesh by itself", () => {
    const device = openFake();
    const host = hostWhole([2, 2]);
    const x = toDevice(host, device);
    const add = op.add as (a: unknown, b: unknown) => unknown;
    expect(() => add(x, host)).toThrow("one operand is on cuda:0, another on this host");
    const mesh = new Mesh({ axes: ["dp"], shape: [2], devices: 2 });
    expect(() => add(x, distribute(host, { mesh }))).toThrow(
      expect.objectContaining({ code: "E_LAYOUT_OP" }),
    );
    expect(() => op.sum(x, { accumulate: "exact" })).toThrow("a GPU does not sum exactly");
  });

  it("is waited for and measured while a profile is open", () => {
    const device = openFake();
    const x = toDevice(hostWhole([4, 8]), device);
    const y = toDevice(hostWhole([8, 4]), device);
    using open = session();
    op.matmul(x, y);
    const [record] = open.records();
    expect(record).toMatchObject({ op: "matmul", source: "measured", flops: 256, bytes: 320 });
  });
});
