import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValues, type Range, type Tensor } from "../../../src/runtime/tensor/index.ts";
import {
  allOf,
  counting,
  indices,
  type NaiveTensor,
  permuted,
  picked,
  repeated,
  reshaped,
  taken,
} from "./naive-tensor.ts";

interface Both {
  readonly real: Tensor;
  readonly naive: NaiveTensor;
}

/** Numbers in [0, 1) that decide what a step does to whatever the tensor has become by then. */
type Step = readonly [kind: number, a: number, b: number, c: number];

const part = fc.integer({ min: 0, max: 999 }).map((value) => value / 1000);
const steps: fc.Arbitrary<Step[]> = fc.array(fc.tuple(part, part, part, part), { maxLength: 5 });
const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });

function start(shape: readonly number[]): Both {
  const naive = counting(shape);
  return { naive, real: fromValues(Float64Array.from(allOf(naive)), { shape, dtype: "f64" }) };
}

function permute({ real, naive }: Both, [, a]: Step): Both {
  const order = [...naive.shape.keys()];
  const shift = Math.floor(a * order.length);
  const turned = [...order.slice(shift), ...order.slice(0, shift)].toReversed();
  return { real: real.permute(turned), naive: permuted(naive, turned) };
}

function slice({ real, naive }: Both, [, a, b, c]: Step): Both {
  const dim = Math.floor(a * naive.shape.length);
  const length = naive.shape[dim];
  if (length === undefined) return { real, naive };
  const step = Math.floor(c * 7) - 3 || 1;
  const range: Range = { start: Math.floor(b * 2 * length) - length, step };
  const all = Array.from({ length }, (_, index) => index);
  const from = range.start ?? 0;
  const first = from < 0 ? from + length : from;
  const kept = all.filter((index) =>
    step > 0
      ? index >= first && (index - first) % step === 0
      : index <= first && (first - index) % -step === 0,
  );
  const ranges = [...Array.from({ length: dim }, () => null), range];
  const ordered = step > 0 ? kept : kept.toReversed();
  return { real: real.slice(ranges), naive: taken(naive, dim, ordered) };
}

function pick({ real, naive }: Both, [, a, b]: Step): Both {
  const dim = Math.floor(a * naive.shape.length);
  const length = naive.shape[dim] ?? 0;
  if (length === 0) return { real, naive };
  const place = Math.floor(b * length);
  const ranges = [...Array.from({ length: dim }, () => null), b > 0.5 ? place - length : place];
  return { real: real.slice(ranges), naive: picked(naive, dim, place) };
}

function expand({ real, naive }: Both, [, a]: Step): Both {
  const times = Math.floor(a * 3);
  return { real: real.expand([times, ...naive.shape]), naive: repeated(naive, times) };
}

function reshape({ real, naive }: Both, [, a]: Step): Both {
  const [first = 1, ...rest] = naive.shape;
  const shapes = [[...naive.shape, 1], [real.size], [...rest, first], [1, ...naive.shape]];
  const shape = shapes[Math.floor(a * shapes.length)] ?? [];
  return { real: real.reshape(shape), naive: reshaped(naive, shape) };
}

const actions = [permute, slice, pick, expand, reshape];

describe("views", () => {
  it("show what a naive index map shows, whatever views they are made of", () => {
    fc.assert(
      fc.property(shapes, steps, (shape, plan) => {
        let both = start(shape);
        for (const step of plan) {
          const action = actions[Math.floor(step[0] * actions.length)] ?? permute;
          if (both.real.size * 3 < 2000) both = action(both, step);
        }
        const { real, naive } = both;
        expect(real.shape).toEqual(naive.shape);
        expect(Array.from(real.toNumbers())).toEqual(allOf(naive));
        expect(indices(real.shape).map((index) => real.at(...index))).toEqual(allOf(naive));
        expect(Array.from(real.toRaw())).toEqual(allOf(naive));
        expect(real.contiguous().isContiguous).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it("copy only into storage of their dtype, and only what they have", () => {
    const view = start([2, 3]).real;
    const copy = (out: Float64Array | Float32Array, count: number) => () =>
      view.copyTo(out, { start: 1, count });
    expect(copy(new Float64Array(6), 5)).not.toThrow();
    expect(copy(new Float32Array(6), 5)).toThrow("storage of their dtype");
    expect(copy(new Float64Array(6), 6)).toThrow("copyTo: 6 elements from 1 on do not fit.");
  });

  it("copy any stretch of their elements", () => {
    fc.assert(
      fc.property(shapes, fc.nat(), fc.nat(), (shape, from, length) => {
        const view = start(shape).real.permute([...shape.keys()].toReversed());
        const first = from % (view.size + 1);
        const count = length % (view.size - first + 1);
        const out = new Float64Array(count + 2).fill(-1);
        view.copyTo(out, { start: first, count, outStart: 1 });
        const expected = view.toNumbers().subarray(first, first + count);
        expect(Array.from(out)).toEqual([-1, ...expected, -1]);
      }),
    );
  });
});
