import { describe, expect, it } from "vitest";
import * as onGpu from "../../../../src/runtime/cuda/ops/index.ts";
import { type DType, fromValues, ops } from "../../../../src/runtime/tensor/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import {
  differenceOf,
  gpuOps,
  hostOps,
  hostRandom,
  hostWhole,
  uploader,
} from "../tensor/on-fake-tensors.ts";

const kinds = ["sum", "max", "min"] as const;

describe.skipIf(noFake !== "")(`reductions on a GPU${noFake}`, () => {
  it.each<DType>(["f32", "bf16", "i32"])("of whole numbers have the host's bits in %s", (dtype) => {
    const up = uploader(openFake());
    const x = hostWhole([6, 70, 5], { dtype });
    for (const dims of [undefined, 0, 1, 2, [0, 1], [1, 2], [0, 2], [0, 1, 2]]) {
      const options = dims === undefined ? {} : { dims };
      for (const kind of kinds) {
        const what = `${kind} ${String(dims)}`;
        expect(gpuOps[kind](up(x), options).digest(), what).toBe(
          hostOps[kind](x, options).digest(),
        );
      }
    }
    const kept = { dims: 1, keepDims: true };
    expect(onGpu.sum(up(x), kept).digest()).toBe(ops.sum(x, kept).digest());
  });

  it("are right over more elements than a block takes", () => {
    const up = uploader(openFake());
    const x = hostWhole([3, 9001]);
    expect(onGpu.sum(up(x)).digest()).toBe(ops.sum(x).digest());
    expect(onGpu.sum(up(x), { dims: 1 }).digest()).toBe(ops.sum(x, { dims: 1 }).digest());
    const tall = hostRandom([700, 40]);
    const found = onGpu.mean(up(tall), { dims: 0 });
    expect(differenceOf(found, ops.mean(tall, { dims: 0 }))).toBeLessThan(1e-6);
  });

  it("choose between NaN and zeros as the host does", () => {
    const up = uploader(openFake());
    const rows = [
      [0, -0, -0],
      [-0, -0, 0],
      [1, NaN, 2],
      [-Infinity, 3, Infinity],
    ];
    const x = fromValues(rows);
    for (const kind of ["max", "min"] as const) {
      expect(gpuOps[kind](up(x), { dims: 1 }).digest()).toBe(
        hostOps[kind](x, { dims: 1 }).digest(),
      );
    }
  });

  it("of nothing are zero, or refused", () => {
    const up = uploader(openFake());
    const nothing = fromValues([[], []]);
    expect(onGpu.sum(up(nothing), { dims: 1 }).toHost().toArray()).toEqual([0, 0]);
    expect(() => onGpu.max(up(nothing), { dims: 1 })).toThrow("no element to choose from");
    expect(() => onGpu.mean(up(hostWhole([2], { dtype: "i32" })))).toThrow("works on floats");
  });
});
