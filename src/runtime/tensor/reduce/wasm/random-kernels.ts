import {
  defineKernels,
  emitPhilox,
  f64x2,
  i32,
  i32x4,
  i64,
  type ModuleBuilder,
  type RandomF32Kind,
  randomF32,
  randomF32Scale,
  type V128,
  v128,
} from "../../kernels/index.ts";

/**
 * So many sources may be added to whole numbers of 32 bits before these have to be emptied: each is
 * below 2^24.
 */
export const randomSourcesMax = 128;

/**
 * Sources that are made where they are needed. The first index of random values is a multiple of
 * 16, and so is their count.
 *
 * - `fill-KIND`: values as singles;
 * - `count-KIND`: adds the whole numbers that the values are multiples of to what is there;
 * - `splat`: eight bytes, in two halves, again and again;
 * - `zero`: clears so many bytes;
 * - `empty`: adds these sums, times `scale`, to sums in doubles, and sets them to 0.
 */
export const randomKernels = defineKernels("reduce-random", (m) => {
  for (const kind of ["uniform", "symmetric"] as const) {
    addFill(m, kind);
    addCount(m, kind);
  }
  m.function("zero", { at: "i32", sizeBytes: "i32" }, (f, p) => {
    f.fillMemory({ to: p.at, byte: i32.const(0), sizeBytes: p.sizeBytes });
  });
  addSplat(m);
  addEmpty(m);
});

const streamParams = {
  key0: "i32",
  key1: "i32",
  high0: "i32",
  high1: "i32",
  firstIndex: "f64",
  to: "i32",
  count: "i32",
} as const;

function addFill(m: ModuleBuilder, kind: RandomF32Kind): void {
  addStream(m, `fill-${kind}`, {
    setUp: () => randomF32Scale(kind),
    value: (words, scale) => randomF32(kind, { words, scale }),
  });
}

function addCount(m: ModuleBuilder, kind: RandomF32Kind): void {
  const shift = kind === "uniform" ? i32x4.shrU : i32x4.shrS;
  addStream(m, `count-${kind}`, {
    setUp: () => i32x4.splat(i32.const(0)),
    value: (words, _, there) => i32x4.add(there, shift(words, i32.const(8))),
  });
}

/** A kernel that makes words, and from these and what is in memory what will be there. */
function addStream(
  m: ModuleBuilder,
  name: string,
  o: {
    readonly setUp: () => V128;
    readonly value: (words: V128, constant: V128, there: V128) => V128;
  },
): void {
  m.function(name, streamParams, (f, p) => {
    const philox = emitPhilox(f, { key: [p.key0, p.key1], counterHigh: [p.high0, p.high1] });
    const constant = f.let(o.setUp());
    const block = f.let(i64.shrU(i64.truncSatF64U(p.firstIndex), i64.const(2n)));
    const done = f.local("i32");
    f.countTo(done, { limit: p.count, step: 16 }, () => {
      for (const [index, words] of philox.words(block).entries()) {
        const offsetBytes = 16 * index;
        f.store(p.to, o.value(words, constant, v128.load(p.to, offsetBytes)), { offsetBytes });
      }
      f.set(block, i64.add(block, i64.const(4n)));
      f.increase(p.to, 64);
    });
  });
}

function addSplat(m: ModuleBuilder): void {
  const params = { to: "i32", sizeBytes: "i32", low: "i32", high: "i32" } as const;
  m.function("splat", params, (f, p) => {
    const lows = f.let(i32x4.splat(p.low));
    const both = f.let(i32x4.replace(i32x4.replace(lows, 1, p.high), 3, p.high));
    const i = f.local("i32");
    f.countTo(i, { limit: p.sizeBytes, step: 16 }, () => {
      f.store(p.to, both);
      f.increase(p.to, 16);
    });
  });
}

function addEmpty(m: ModuleBuilder): void {
  const params = { from: "i32", count: "i32", sums: "i32", scale: "f64" } as const;
  m.function("empty", params, (f, p) => {
    const scale = f.let(f64x2.splat(p.scale));
    const zero = f.let(i32x4.splat(i32.const(0)));
    const words = f.local("v128");
    const i = f.local("i32");
    f.countTo(i, { limit: p.count, step: 4 }, () => {
      f.set(words, v128.load(p.from));
      const low = f64x2.mul(f64x2.convertLowI32x4S(words), scale);
      const upper = i32x4.shuffle(words, words, [2, 3, 2, 3]);
      const high = f64x2.mul(f64x2.convertLowI32x4S(upper), scale);
      f.store(p.sums, f64x2.add(v128.load(p.sums), low));
      f.store(p.sums, f64x2.add(v128.load(p.sums, 16), high), { offsetBytes: 16 });
      f.store(p.from, zero);
      f.increase(p.from, 16);
      f.increase(p.sums, 32);
    });
  });
}
