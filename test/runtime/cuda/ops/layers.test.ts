import { describe, expect, it } from "vitest";
import * as onGpu from "../../../../src/runtime/cuda/ops/index.ts";
import {
  type DType,
  fromValues,
  nn,
  ops,
  type Tensor,
} from "../../../../src/runtime/tensor/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";
import { differenceOf, hostRandom, hostWhole, uploader } from "../tensor/on-fake-tensors.ts";

describe.skipIf(noFake !== "")(`attention on a GPU${noFake}`, () => {
  it.each<[DType, readonly number[], number]>([
    ["f32", [2, 70, 20], 1e-5],
    ["f64", [1, 2, 33, 16], 1e-12],
    ["bf16", [2, 40, 20], 2 ** -5],
  ])("is the host's in %s, forward and backward", (dtype, shape, tolerance) => {
    const up = uploader(openFake());
    const [q, k, v, g] = [1, 2, 3, 4].map((seed) => hostRandom(shape, { dtype, seed })) as [
      Tensor,
      Tensor,
      Tensor,
      Tensor,
    ];
    const host = ops.causalAttention({ q, k, v });
    const inputs = { q: up(q), k: up(k), v: up(v) };
    const found = onGpu.attention(inputs);
    expect(differenceOf(found.output, host.output)).toBeLessThan(tolerance);
    const slopes = onGpu.attentionBackward(up(g), { ...inputs, ...found });
    const expected = ops.causalAttentionBackward(g, { q, k, v, weights: host.weights });
    for (const name of ["q", "k", "v"] as const) {
      expect(differenceOf(slopes[name], expected[name]), name).toBeLessThan(4 * tolerance);
    }
    expect(onGpu.attention(inputs).output.digest()).toBe(found.output.digest());
  });

  it("sees everything when it is not causal", () => {
    const up = uploader(openFake());
    const [q, k, v] = [1, 2, 3].map((seed) => hostRandom([2, 30, 16], { seed })) as [
      Tensor,
      Tensor,
      Tensor,
    ];
    const scores = ops.scale(ops.matmul(q, k.transpose()), 0.5);
    const expected = ops.matmul(ops.softmax(scores), v);
    const options = { causal: false, scale: 0.5 };
    const { output } = onGpu.attention({ q: up(q), k: up(k), v: up(v) }, options);
    expect(differenceOf(output, expected)).toBeLessThan(1e-5);
  });

  it("refuses keys of another shape and widths that do not fit", () => {
    const up = uploader(openFake());
    const q = up(hostRandom([2, 4, 8]));
    const k = up(hostRandom([2, 5, 8]));
    expect(() => onGpu.attention({ q, k, v: q })).toThrow("the tensor of keys is [2, 5, 8]");
    const wide = up(hostRandom([1, 1, 300]));
    expect(() => onGpu.attention({ q: wide, k: wide, v: wide })).toThrow("width up to 256");
  });
});

describe.skipIf(noFake !== "")(`a table on a GPU${noFake}`, () => {
  const indices = fromValues(
    Array.from({ length: 600 }, (_, at) => (at * at) % 23),
    { dtype: "i32" },
  );

  it.each<DType>(["f32", "bf16"])(
    "is looked up and trained with the host's bits in %s",
    (dtype) => {
      const up = uploader(openFake());
      const table = hostRandom([23, 12], { dtype });
      const g = hostRandom([600, 12], { dtype, seed: 2 });
      const there = up(indices);
      expect(onGpu.embedding(up(table), there).digest()).toBe(
        ops.embedding(table, indices).digest(),
      );
      const slope = onGpu.embeddingBackward(up(g), { indices: there, rows: 23 });
      expect(slope.digest()).toBe(ops.embeddingBackward(g, { indices, rows: 23 }).digest());
    },
  );

  it("refuses an index that is not there", () => {
    const up = uploader(openFake());
    const small = up(hostRandom([18, 12]));
    expect(() => onGpu.embedding(small, up(indices))).toThrow("is outside 0 to 17");
    expect(() => onGpu.embedding(small, small)).toThrow("indices are i32, not f32");
  });
});

describe.skipIf(noFake !== "")(`an optimizer on a GPU${noFake}`, () => {
  it.each<DType>(["f32", "bf16"])("steps with the host's bits in %s", (dtype) => {
    const up = uploader(openFake());
    const start = hostRandom([5, 9], { dtype });
    const gradients = [1, 2, 3].map((seed) => hostRandom([5, 9], { dtype, seed: seed + 1 }));
    let adam: onGpu.CudaAdamWState = { values: up(start) };
    let sgd: onGpu.CudaSgdState = { values: up(start) };
    let host = { params: { x: start } as nn.Params, state: nn.adamWStart };
    let plain = { params: { x: start } as nn.Params, state: {} as nn.Params };
    const rates = { learningRate: 0.01, weightDecay: 0.1 };
    for (const [at, gradient] of gradients.entries()) {
      // The last step overwrites what it is given.
      const inPlace = at === 2;
      adam = onGpu.adamWStep(adam, up(gradient), { ...rates, step: at + 1, inPlace });
      sgd = onGpu.sgdStep(sgd, up(gradient), { ...rates, momentum: 0.9, inPlace });
      host = nn.adamWStep({ ...host, gradients: { x: gradient } }, rates);
      plain = nn.sgdStep({ ...plain, gradients: { x: gradient } }, { ...rates, momentum: 0.9 });
    }
    expect(adam.values.digest()).toBe(host.params["x"]?.digest());
    expect(adam.mean?.digest()).toBe(host.state.means["x"]?.digest());
    expect(adam.square?.digest()).toBe(host.state.squares["x"]?.digest());
    expect(sgd.values.digest()).toBe(plain.params["x"]?.digest());
    expect(sgd.velocity?.digest()).toBe(plain.state["x"]?.digest());
  });

  it("leaves what it was given alone, and refuses moments of another format", () => {
    const up = uploader(openFake());
    const values = up(hostWhole([4], { dtype: "bf16" }));
    const before = values.digest();
    const next = onGpu.adamWStep({ values }, values, { step: 1, learningRate: 0.1 });
    expect(values.digest()).toBe(before);
    expect(next.values.digest()).not.toBe(before);
    const state = { values, velocity: values };
    expect(() => onGpu.sgdStep(state, values, { learningRate: 1 })).toThrow(
      "sgdStep: moments are f32, not bf16.",
    );
  });
});

describe.skipIf(noFake !== "")(`a matrix that repeats a tile${noFake}`, () => {
  it("is told from one that does not, by the first wrong element", () => {
    const device = openFake();
    const up = uploader(device);
    const tile = hostWhole([3, 4]);
    const rows = ops.embedding(tile, fromValues([0, 1, 2, 0, 1], { dtype: "i32" }));
    const columns = fromValues([0, 1, 2, 3, 0, 1], { dtype: "i32" });
    const matrix = up(ops.embedding(rows.transpose(), columns).transpose().contiguous());
    expect(onGpu.compareWithTile(matrix, up(tile))).toBeUndefined();
    onGpu.flipBit(device, { buffer: matrix.buffer, bit: 32 * (4 * 6 + 5) + 31 });
    onGpu.flipBit(device, { buffer: matrix.buffer, bit: 32 * (3 * 6 + 4) + 31 });
    const expected = tile.at(0, 0);
    expect(onGpu.compareWithTile(matrix, up(tile))).toEqual({
      wrong: 2,
      first: { row: 3, column: 4, expected, found: -expected },
    });
  });
});
