import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import {
  add,
  addBackward,
  causalAttention,
  causalAttentionBackward,
  crossEntropy,
  crossEntropyBackward,
  div,
  divBackward,
  embedding,
  embeddingBackward,
  gelu,
  geluBackward,
  layerNorm,
  layerNormBackward,
  logSoftmax,
  logSoftmaxBackward,
  matmul,
  matmulBackward,
  mean,
  meanBackward,
  mul,
  mulBackward,
  relu,
  reluBackward,
  rmsNorm,
  rmsNormBackward,
  silu,
  siluBackward,
  softmax,
  softmaxBackward,
  sub,
  subBackward,
  sum,
  sumBackward,
} from "../../../../src/runtime/tensor/ops/index.ts";
import type { Tensor } from "../../../../src/runtime/tensor/tensor.ts";
import { differences, distance } from "./differences.ts";

const close = 1e-8;

function normal(shape: readonly number[], seed: number): Tensor {
  return randn(shape, { seed, dtype: "f64" });
}

describe("the backward pass of one input agrees with differences for", () => {
  const x = normal([2, 3, 5], 1);
  const g = normal([2, 3, 5], 2);
  const gain = normal([5], 3);
  const bias = normal([5], 4);

  it.each<[string, (x: Tensor) => Tensor, (g: Tensor, x: Tensor) => Tensor]>([
    ["relu", relu, reluBackward],
    ["gelu", gelu, geluBackward],
    ["silu", silu, siluBackward],
    ["softmax", (x) => softmax(x), (g, x) => softmaxBackward(g, softmax(x))],
    [
      "softmax along the middle",
      (x) => softmax(x, { dim: 1 }),
      (g, x) => softmaxBackward(g, softmax(x, { dim: 1 }), { dim: 1 }),
    ],
    ["logSoftmax", (x) => logSoftmax(x), (g, x) => logSoftmaxBackward(g, logSoftmax(x))],
    [
      "layerNorm",
      (x) => layerNorm(x, { gain, bias }),
      (g, x) => layerNormBackward(g, x, { gain, bias }).input,
    ],
    ["rmsNorm", (x) => rmsNorm(x, { gain }), (g, x) => rmsNormBackward(g, x, { gain }).input],
  ])("%s", (_, forward, backward) => {
    expect(distance(backward(g, x).toNumbers(), differences(forward, x, g))).toBeLessThan(close);
  });

  it.each<[string, number | number[]]>([
    ["all dimensions", [0, 1, 2]],
    ["the first", 0],
    ["two of them", [0, -1]],
  ])("sum and mean over %s", (_, dims) => {
    const weights = normal(sum(x, { dims }).shape, 5);
    for (const [forward, backward] of [
      [sum, sumBackward],
      [mean, meanBackward],
    ] as const) {
      const expected = differences((x) => forward(x, { dims }), x, weights);
      expect(distance(backward(weights, x, { dims }).toNumbers(), expected)).toBeLessThan(close);
    }
  });
});

describe("the gradients of a norm's parameters agree with differences", () => {
  const x = normal([4, 5], 1);
  const g = normal([4, 5], 2);
  const gain = normal([5], 3);

  it.each([
    ["layerNorm", layerNorm, layerNormBackward],
    ["rmsNorm", rmsNorm, rmsNormBackward],
  ] as const)("of %s", (_, forward, backward) => {
    const terms = backward(g, x, { gain }).gainTerms;
    const expected = differences((gain) => forward(x, { gain }), gain, g);
    expect(distance(sum(terms, { dims: 0 }).toNumbers(), expected)).toBeLessThan(close);
  });
});

describe("the backward pass of two operands agrees with differences for", () => {
  const shapes: [string, number[], number[]][] = [
    ["equal shapes", [2, 3], [2, 3]],
    ["a row for every row", [4, 3], [3]],
    ["a column and a row", [4, 1], [1, 3]],
    ["one number", [2, 2, 2], []],
  ];
  const operations = [
    ["add", add, addBackward],
    ["sub", sub, subBackward],
    ["mul", mul, mulBackward],
    ["div", div, divBackward],
  ] as const;

  it.each(shapes)("%s", (_, aShape, bShape) => {
    const a = normal(aShape, 1);
    // Away from zero, where a quotient is smooth enough for differences.
    const b = fromValues(
      normal(bShape, 2)
        .toNumbers()
        .map((value) => value + Math.sign(value)),
      { shape: bShape, dtype: "f64" },
    );
    for (const [, forward, backward] of operations) {
      const g = normal(forward(a, b).shape, 3);
      const gradients = backward(g, a, b);
      expect(gradients.a.shape).toEqual(aShape);
      expect(gradients.b.shape).toEqual(bShape);
      expect(
        distance(
          gradients.a.toNumbers(),
          differences((a) => forward(a, b), a, g),
        ),
      ).toBeLessThan(close);
      expect(
        distance(
          gradients.b.toNumbers(),
          differences((b) => forward(a, b), b, g),
        ),
      ).toBeLessThan(close);
    }
  });

  it.each<[string, number[], number[]]>([
    ["a matrix by a matrix", [3, 4], [4, 2]],
    ["a batch by one matrix", [2, 3, 4], [4, 2]],
    ["batches of both", [2, 3, 4], [2, 4, 2]],
    ["batches that repeat", [2, 1, 3, 4], [3, 4, 2]],
  ])("matmul of %s", (_, aShape, bShape) => {
    const a = normal(aShape, 1);
    const b = normal(bShape, 2);
    const g = normal(matmul(a, b).shape, 3);
    for (const accumulate of ["chain", "exact"] as const) {
      const gradients = matmulBackward(g, [a, b], { accumulate });
      const ofA = differences((a) => matmul(a, b), a, g);
      const ofB = differences((b) => matmul(a, b), b, g);
      expect(distance(gradients.a.toNumbers(), ofA)).toBeLessThan(close);
      expect(distance(gradients.b.toNumbers(), ofB)).toBeLessThan(close);
    }
  });
});

describe("the backward pass agrees with differences for", () => {
  it("causal attention", () => {
    const inputs = { q: normal([2, 4, 3], 1), k: normal([2, 4, 3], 2), v: normal([2, 4, 3], 3) };
    const g = normal([2, 4, 3], 4);
    const { weights } = causalAttention(inputs);
    const gradients = causalAttentionBackward(g, { ...inputs, weights });
    for (const name of ["q", "k", "v"] as const) {
      const forward = (x: Tensor): Tensor => causalAttention({ ...inputs, [name]: x }).output;
      const expected = differences(forward, inputs[name], g);
      expect(distance(gradients[name].toNumbers(), expected)).toBeLessThan(close);
    }
  });

  it("the cross-entropy", () => {
    const logits = normal([2, 3, 4], 1);
    const targets = fromValues(
      [
        [0, 3, 1],
        [1, 1, 2],
      ],
      { dtype: "i32" },
    );
    const one = fromValues(1, { dtype: "f64" });
    for (const options of [{}, { normalizer: 24 }]) {
      const forward = (x: Tensor): Tensor =>
        fromValues(crossEntropy(x, targets, options).loss, { dtype: "f64" });
      const gradient = crossEntropyBackward(logits, targets, options);
      const expected = differences(forward, logits, one);
      expect(distance(gradient.toNumbers(), expected)).toBeLessThan(close);
    }
  });

  it("a lookup, whose uses add up", () => {
    const table = normal([5, 3], 1);
    const indices = fromValues(
      [
        [4, 0, 4],
        [1, 4, 0],
      ],
      { dtype: "i32" },
    );
    const g = normal([2, 3, 3], 2);
    const gradient = embeddingBackward(g, { indices, rows: 5 });
    const expected = differences((table) => embedding(table, indices), table, g);
    expect(distance(gradient.toNumbers(), expected)).toBeLessThan(close);
    expect([...gradient.slice([2]).toNumbers()]).toEqual([0, 0, 0]);
  });
});

describe("identities of backward passes", () => {
  const x = normal([6, 7], 1);
  const g = normal([6, 7], 2);

  it.each<[string, Tensor]>([
    ["softmax", softmaxBackward(g, softmax(x))],
    [
      "layer norm",
      layerNormBackward(g, x, { gain: fromValues(new Array(7).fill(1), { dtype: "f64" }) }).input,
    ],
    ["cross-entropy", crossEntropyBackward(x, fromValues([0, 1, 2, 3, 4, 5], { dtype: "i32" }))],
  ])(
    "a shift of a row changes nothing, so the gradient of %s sums to 0 in each row",
    (_, gradient) => {
      for (const total of sum(gradient, { dims: 1 }).toNumbers()) {
        expect(Math.abs(total)).toBeLessThan(1e-14);
      }
    },
  );

  it("a larger row changes nothing in an RMS norm, so its gradient is orthogonal to the row", () => {
    const gain = normal([7], 3);
    const { input } = rmsNormBackward(g, x, { gain, epsilon: 0 });
    for (const dot of sum(mul(input, x), { dims: 1 }).toNumbers()) {
      expect(Math.abs(dot)).toBeLessThan(1e-14);
    }
  });

  it("the gradients of a product turn with it: those of (AB)ᵀ are those of BᵀAᵀ", () => {
    const a = normal([3, 4], 1);
    const b = normal([4, 2], 2);
    const g = normal([3, 2], 3);
    const plain = matmulBackward(g, [a, b]);
    const turned = matmulBackward(g.transpose(), [b.transpose(), a.transpose()]);
    expect(turned.b.transpose().digest()).toBe(plain.a.digest());
    expect(turned.a.transpose().digest()).toBe(plain.b.digest());
  });
});
