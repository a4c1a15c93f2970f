import {
  type FunctionBuilder,
  type I32,
  type I64,
  i32,
  i32x4,
  i64,
  i64x2,
  type Local,
  type V128,
  v128,
} from "../wasm/assembler/index.ts";

/** Sixteen words of a stream in their order, four to a vector. */
export type SixteenWords = readonly [Local<"v128">, Local<"v128">, Local<"v128">, Local<"v128">];

export interface PhiloxEmitter {
  /**
   * Emits code that makes the words of four blocks: words `4 * firstBlock` to `4 * firstBlock + 15`
   * of the stream. `firstBlock` must be a multiple of 4, so that no carry runs through the middle.
   * The next call overwrites the variables it gives.
   */
  words(firstBlock: I64): SixteenWords;
}

const multipliers = [0xd2511f53, 0xcd9e8d57] as const;
const weyl = [0x9e3779b9, 0xbb67ae85] as const;
const rounds = 10;

/**
 * Emits Philox4x32-10, four blocks side by side, into any kernel: call this before the loop, where
 * it keeps the constants in variables, and `words` inside. The words are those of the stream with
 * this key in platform/rng.
 */
export function emitPhilox(
  f: FunctionBuilder,
  stream: { readonly key: readonly [I32, I32]; readonly counterHigh: readonly [I32, I32] },
): PhiloxEmitter {
  const splat = (value: I32) => f.let(i32x4.splat(value));
  const constants = {
    m0: splat(i32.const(multipliers[0])),
    m1: splat(i32.const(multipliers[1])),
    w0: splat(i32.const(weyl[0])),
    w1: splat(i32.const(weyl[1])),
  };
  const firstKeys = [splat(stream.key[0]), splat(stream.key[1])] as const;
  const high = [splat(stream.counterHigh[0]), splat(stream.counterHigh[1])] as const;
  const state = createState(f);
  const lanes = f.let(i32x4.const(0, 1, 2, 3));

  return {
    words: (firstBlock) => {
      f.set(state.c0, i32x4.add(i32x4.splat(i32.wrapI64(firstBlock)), lanes));
      const upper = i64.shrU(firstBlock, i64.const(32n));
      f.set(state.c1, i32x4.splat(i32.wrapI64(upper)));
      f.set(state.c2, high[0]);
      f.set(state.c3, high[1]);
      f.set(state.k0, firstKeys[0]);
      f.set(state.k1, firstKeys[1]);
      for (let round = 0; round < rounds; round++) {
        if (round > 0) {
          f.set(state.k0, i32x4.add(state.k0, constants.w0));
          f.set(state.k1, i32x4.add(state.k1, constants.w1));
        }
        emitRound(f, state, constants);
      }
      return emitTranspose(f, state);
    },
  };
}

type State = Readonly<
  Record<"c0" | "c1" | "c2" | "c3" | "k0" | "k1" | "a" | "b" | "c" | "d", Local<"v128">>
>;

function createState(f: FunctionBuilder): State {
  const next = () => f.local("v128");
  return {
    c0: next(),
    c1: next(),
    c2: next(),
    c3: next(),
    k0: next(),
    k1: next(),
    a: next(),
    b: next(),
    c: next(),
    d: next(),
  };
}

function emitRound(
  f: FunctionBuilder,
  s: State,
  { m0, m1 }: { readonly m0: V128; readonly m1: V128 },
): void {
  // Products of 64 bits, two to a vector: blocks 0 and 1, then 2 and 3.
  f.set(s.a, i64x2.extmulLowI32x4U(s.c0, m0));
  f.set(s.b, i64x2.extmulHighI32x4U(s.c0, m0));
  f.set(s.c, i64x2.extmulLowI32x4U(s.c2, m1));
  f.set(s.d, i64x2.extmulHighI32x4U(s.c2, m1));
  f.set(s.c0, v128.xor(v128.xor(upperHalves(s.c, s.d), s.c1), s.k0));
  f.set(s.c1, lowerHalves(s.c, s.d));
  f.set(s.c2, v128.xor(v128.xor(upperHalves(s.a, s.b), s.c3), s.k1));
  f.set(s.c3, lowerHalves(s.a, s.b));
}

function upperHalves(one: V128, other: V128): V128 {
  return i32x4.shuffle(one, other, [1, 3, 5, 7]);
}

function lowerHalves(one: V128, other: V128): V128 {
  return i32x4.shuffle(one, other, [0, 2, 4, 6]);
}

/** From one vector per word of a block to one vector per block. */
function emitTranspose(f: FunctionBuilder, s: State): SixteenWords {
  f.set(s.a, i32x4.shuffle(s.c0, s.c1, [0, 4, 1, 5]));
  f.set(s.b, i32x4.shuffle(s.c2, s.c3, [0, 4, 1, 5]));
  f.set(s.c, i32x4.shuffle(s.c0, s.c1, [2, 6, 3, 7]));
  f.set(s.d, i32x4.shuffle(s.c2, s.c3, [2, 6, 3, 7]));
  f.set(s.c0, i64x2.shuffle(s.a, s.b, [0, 2]));
  f.set(s.c1, i64x2.shuffle(s.a, s.b, [1, 3]));
  f.set(s.c2, i64x2.shuffle(s.c, s.d, [0, 2]));
  f.set(s.c3, i64x2.shuffle(s.c, s.d, [1, 3]));
  return [s.c0, s.c1, s.c2, s.c3];
}
