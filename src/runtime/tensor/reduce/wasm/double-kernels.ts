import {
  defineKernels,
  type FunctionBuilder,
  f64,
  f64x2,
  i32,
  i64,
  i64x2,
  type Local,
  type ModuleBuilder,
  type V128,
  v128,
} from "../../kernels/index.ts";
import { judgedBitsAt } from "./judged.ts";

/** From the sums to the errors beside them, and from these to the marks of what was lost. */
export const runningPartBytes = 65_536 + 128;

/**
 * Adding doubles up with their errors: the kernels of `DoubleSummer`. Running sums are three buffers
 * one after the other: sums, errors, and lanes of ones where an error was lost. Counts are multiples
 * of 16.
 *
 * - `begin`: sums of nothing; `add`: doubles to running sums; `merge`: running sums to others;
 * - `settle`: results in place of the sums, and which elements have none.
 */
export const doubleKernels = defineKernels("reduce-double", (m) => {
  m.function("begin", { at: "i32", count: "i32" }, (f, p) => {
    forPairs(f, p.count, [p.at], () => {
      f.store(p.at, f64x2.const(-0, -0));
      f.store(p.at, f64x2.const(0, 0), { offsetBytes: runningPartBytes });
      f.store(p.at, f64x2.const(0, 0), { offsetBytes: 2 * runningPartBytes });
    });
  });
  m.function("add", { at: "i32", from: "i32", count: "i32" }, (f, p) => {
    const running = runningAt(f, p.at);
    forPairs(f, p.count, [p.at, p.from], () => {
      running.load();
      running.add(f.let(v128.load(p.from)));
      running.store();
    });
  });
  m.function("merge", { at: "i32", from: "i32", count: "i32" }, (f, p) => {
    const running = runningAt(f, p.at);
    forPairs(f, p.count, [p.at, p.from], () => {
      running.load();
      running.add(f.let(v128.load(p.from)));
      running.keep(f.let(v128.load(p.from, runningPartBytes)));
      running.lose(v128.load(p.from, 2 * runningPartBytes));
      running.store();
    });
  });
  addSettle(m);
});

/** Repeats for every two elements; the addresses move along. */
function forPairs(
  f: FunctionBuilder,
  count: Local<"i32">,
  addresses: readonly Local<"i32">[],
  body: () => void,
): void {
  const i = f.local("i32");
  f.countTo(i, { limit: count, step: 2 }, () => {
    body();
    for (const address of addresses) f.increase(address, 16);
  });
}

function runningAt(f: FunctionBuilder, at: Local<"i32">) {
  const sum = f.local("v128");
  const error = f.local("v128");
  const lost = f.local("v128");
  const zero = f.let(f64x2.const(0, 0));
  const keep = (value: V128) => {
    const before = f.let(error);
    f.set(error, f64x2.add(before, value));
    // Not 0 is also NaN, after Inf or an overflow.
    f.set(lost, v128.or(lost, f64x2.ne(errorOfSum(f, before, value, error), zero)));
  };
  return {
    load: () => {
      f.set(sum, v128.load(at));
      f.set(error, v128.load(at, runningPartBytes));
      f.set(lost, v128.load(at, 2 * runningPartBytes));
    },
    add: (value: V128) => {
      const before = f.let(sum);
      f.set(sum, f64x2.add(before, value));
      keep(f.let(errorOfSum(f, before, value, sum)));
    },
    keep,
    lose: (also: V128) => f.set(lost, v128.or(lost, also)),
    store: () => {
      f.store(at, sum);
      f.store(at, error, { offsetBytes: runningPartBytes });
      f.store(at, lost, { offsetBytes: 2 * runningPartBytes });
    },
  };
}

/** What `a + b = sum` lost by rounding, as in `DoubleSummer`. */
function errorOfSum(f: FunctionBuilder, a: V128, b: V128, sum: V128): V128 {
  const fromB = f.let(f64x2.sub(sum, a));
  return f64x2.add(f64x2.sub(a, f64x2.sub(sum, fromB)), f64x2.sub(b, fromB));
}

function addSettle(m: ModuleBuilder): void {
  const params = { at: "i32", count: "i32", divisor: "f64", judged: "i32" } as const;
  m.function("settle", params, (f, p) => {
    const divisor = f.let(f64x2.splat(p.divisor));
    const divides = f.let(
      i64x2.splat(i64.extendI32S(i32.sub(i32.const(0), f64.ne(p.divisor, f64.const(1))))),
    );
    const zero = f.let(f64x2.const(0, 0));
    const bits = f.local("i32");
    const open = f.local("i32");
    const to = f.let(i32.add(p.judged, i32.const(judgedBitsAt)));
    const i = f.local("i32");
    const end = f.let(i32.add(p.count, i32.const(7)));
    f.countTo(i, { limit: end, step: 8 }, () => {
      f.set(bits, i32.const(0));
      for (let pair = 0; pair < 4; pair++) {
        const offset = 16 * pair;
        const sum = f.let(v128.load(p.at, offset));
        const error = f.let(v128.load(p.at, offset + runningPartBytes));
        const lost = v128.load(p.at, offset + 2 * runningPartBytes);
        const isZero = f.let(f64x2.eq(error, zero));
        const result = v128.bitselect(f64x2.div(sum, divisor), f64x2.add(sum, error), isZero);
        f.store(p.at, result, { offsetBytes: offset });
        const mask = i64x2.bitmask(v128.or(lost, v128.andnot(divides, isZero)));
        f.set(bits, i32.or(bits, i32.shl(mask, i32.const(2 * pair))));
      }
      // Of the last step, only elements that were asked for.
      f.if(i32.ltS(i32.sub(p.count, i), i32.const(8)), () => {
        const asked = i32.sub(i32.shl(i32.const(1), i32.sub(p.count, i)), i32.const(1));
        f.set(bits, i32.and(bits, asked));
      });
      f.store(to, bits, { bits: 8 });
      f.set(open, i32.add(open, i32.popcnt(bits)));
      f.increase(to, 1);
      f.increase(p.at, 64);
    });
    f.store(p.judged, open);
  });
}
