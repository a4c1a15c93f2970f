import {
  defineKernels,
  f32x4,
  f64x2,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  v128,
} from "../../kernels/index.ts";
import { judgedBitsAt } from "./judged.ts";
import { slotStrideBytes, slotsMax } from "./memory.ts";

const address = "i32";
const number = "i32";

/**
 * Adding singles up in doubles while their exponents are watched: the kernels of `NarrowSummer`.
 * Counts are multiples of 16; buffers have room for that.
 *
 * - `begin`: sums to -0, largest and smallest magnitudes to their start; `clear`: sums to -0;
 * - `add1`, `add2` and so on: add so many slots, as one partial sum, to the sums; `set1` and so on
 *   put it in their place;
 * - `merge`: adds one buffer of sums to another;
 * - `judge`: which elements are not certified, one bit each, preceded by how many;
 * - `divide`: sums by a number;
 * - `round`: sums to singles.
 */
export const sumKernels = defineKernels("reduce-sum", (m) => {
  addBegin(m);
  for (let sources = 1; sources <= slotsMax; sources++) {
    addAdd(m, "add", sources);
    addAdd(m, "set", sources);
  }
  addClear(m);
  addMerge(m);
  addDivide(m);
  addJudge(m);
  addRound(m);
});

function addBegin(m: ModuleBuilder): void {
  const params = {
    count: number,
    sums: address,
    largest: address,
    smallest: address,
    largestStart: number,
    smallestStart: number,
  } as const;
  m.function("begin", params, (f, p) => {
    const i = f.local("i32");
    const zero = f.let(f64x2.const(-0, -0));
    const largest = f.let(i32x4.splat(p.largestStart));
    const smallest = f.let(i32x4.splat(p.smallestStart));
    f.countTo(i, { limit: p.count, step: 4 }, () => {
      f.store(p.sums, zero);
      f.store(p.sums, zero, { offsetBytes: 16 });
      f.store(p.largest, largest);
      f.store(p.smallest, smallest);
      f.increase(p.sums, 32);
      f.increase(p.largest, 16);
      f.increase(p.smallest, 16);
    });
  });
}

/** Fixed numbers of sources at fixed distances: no loop over them, no arithmetic on addresses. */
function addAdd(m: ModuleBuilder, name: "add" | "set", sources: number): void {
  const params = {
    from: address,
    count: number,
    sums: address,
    largest: address,
    smallest: address,
  } as const;
  m.function(`${name}${sources}`, params, (f, p) => {
    const magnitudeMask = f.let(i32x4.splat(i32.const(0x7fffffff)));
    const minusOne = f.let(i32x4.splat(i32.const(-1)));
    const low = f.local("v128");
    const high = f.local("v128");
    const largest = f.local("v128");
    const smallest = f.local("v128");
    const value = f.local("v128");
    const i = f.local("i32");
    f.countTo(i, { limit: p.count, step: 4 }, () => {
      f.set(low, f64x2.const(-0, -0));
      f.set(high, f64x2.const(-0, -0));
      f.set(largest, v128.load(p.largest));
      f.set(smallest, v128.load(p.smallest));
      for (let source = 0; source < sources; source++) {
        f.set(value, v128.load(p.from, source * slotStrideBytes));
        f.set(low, f64x2.add(low, f64x2.promoteLowF32x4(value)));
        const upper = i32x4.shuffle(value, value, [2, 3, 2, 3]);
        f.set(high, f64x2.add(high, f64x2.promoteLowF32x4(upper)));
        f.set(value, v128.and(value, magnitudeMask));
        f.set(largest, i32x4.maxU(largest, value));
        f.set(smallest, i32x4.minU(smallest, i32x4.add(value, minusOne)));
      }
      const isFresh = name === "set";
      f.store(p.sums, isFresh ? low : f64x2.add(low, v128.load(p.sums)));
      const upper = isFresh ? high : f64x2.add(high, v128.load(p.sums, 16));
      f.store(p.sums, upper, { offsetBytes: 16 });
      f.store(p.largest, largest);
      f.store(p.smallest, smallest);
      f.increase(p.from, 16);
      f.increase(p.sums, 32);
      f.increase(p.largest, 16);
      f.increase(p.smallest, 16);
    });
  });
}

function addClear(m: ModuleBuilder): void {
  m.function("clear", { at: address, count: number }, (f, p) => {
    const zero = f.let(f64x2.const(-0, -0));
    const i = f.local("i32");
    f.countTo(i, { limit: p.count, step: 2 }, () => {
      f.store(p.at, zero);
      f.increase(p.at, 16);
    });
  });
}

function addMerge(m: ModuleBuilder): void {
  const params = { into: address, from: address, count: number } as const;
  m.function("merge", params, (f, p) => {
    const i = f.local("i32");
    f.countTo(i, { limit: p.count, step: 2 }, () => {
      f.store(p.into, f64x2.add(v128.load(p.into), v128.load(p.from)));
      f.increase(p.into, 16);
      f.increase(p.from, 16);
    });
  });
}

function addDivide(m: ModuleBuilder): void {
  m.function("divide", { at: address, count: number, divisor: "f64" }, (f, p) => {
    const divisor = f.let(f64x2.splat(p.divisor));
    const i = f.local("i32");
    f.countTo(i, { limit: p.count, step: 2 }, () => {
      f.store(p.at, f64x2.div(v128.load(p.at), divisor));
      f.increase(p.at, 16);
    });
  });
}

function addJudge(m: ModuleBuilder): void {
  const params = {
    largest: address,
    smallest: address,
    count: number,
    spreadMax: number,
    judged: address,
  } as const;
  m.function("judge", params, (f, p) => {
    const infinity = f.let(i32x4.splat(i32.const(0x7f800000)));
    const limit = f.let(i32x4.splat(p.spreadMax));
    const count = f.let(i32x4.splat(p.count));
    const index = f.let(i32x4.const(0, 1, 2, 3));
    const one = f.let(i32x4.splat(i32.const(1)));
    const four = f.let(i32x4.splat(i32.const(4)));
    const largest = f.local("v128");
    const smallest = f.local("v128");
    const bits = f.local("i32");
    const open = f.local("i32");
    const i = f.local("i32");
    const to = f.let(i32.add(p.judged, i32.const(judgedBitsAt)));
    const end = f.let(i32.add(p.count, i32.const(7)));
    // The last step may reach beyond the count: elements from there on are never open.
    f.countTo(i, { limit: end, step: 8 }, () => {
      f.set(bits, i32.const(0));
      for (const quad of [0, 1]) {
        f.set(largest, v128.load(p.largest, 16 * quad));
        f.set(smallest, i32x4.add(v128.load(p.smallest, 16 * quad), one));
        const exponent = (of: Local<"v128">) => i32x4.shrU(of, i32.const(23));
        const apart = i32x4.gtS(i32x4.sub(exponent(largest), exponent(smallest)), limit);
        const finite = i32x4.ltU(largest, infinity);
        const asked = i32x4.ltU(index, count);
        const mask = i32x4.bitmask(v128.and(v128.and(apart, finite), asked));
        f.set(bits, i32.or(bits, i32.shl(mask, i32.const(4 * quad))));
        f.set(index, i32x4.add(index, four));
      }
      f.store(to, bits, { bits: 8 });
      f.set(open, i32.add(open, i32.popcnt(bits)));
      f.increase(to, 1);
      f.increase(p.largest, 32);
      f.increase(p.smallest, 32);
    });
    f.store(p.judged, open);
  });
}

function addRound(m: ModuleBuilder): void {
  const params = { sums: address, count: number, to: address } as const;
  m.function("round", params, (f, p) => {
    const nan = f.let(i32x4.splat(i32.const(0x7fc00000)));
    const rounded = f.local("v128");
    const i = f.local("i32");
    f.countTo(i, { limit: p.count, step: 4 }, () => {
      const low = f32x4.demoteF64x2Zero(v128.load(p.sums));
      const high = f32x4.demoteF64x2Zero(v128.load(p.sums, 16));
      f.set(rounded, i32x4.shuffle(low, high, [0, 1, 4, 5]));
      f.store(p.to, v128.bitselect(rounded, nan, f32x4.eq(rounded, rounded)));
      f.increase(p.sums, 32);
      f.increase(p.to, 16);
    });
  });
}
