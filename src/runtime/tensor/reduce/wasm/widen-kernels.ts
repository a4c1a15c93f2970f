import {
  defineKernels,
  type FunctionBuilder,
  f32x4,
  i8x16,
  i32,
  i32x4,
  type ModuleBuilder,
  type V128,
  v128,
} from "../../kernels/index.ts";

/** Formats that are not stored as singles, though all of their values are. */
export type WidenedType = "f16" | "bf16" | "e4m3" | "e5m2";

/** `bf16`, `f16`, `e5m2`, `e4m3`: stored bits to singles, exactly, four at a time. */
export const widenKernels = defineKernels("reduce-widen", (m) => {
  addWiden(m, "bf16", 2, (_, bits) => i32x4.shl(bits, i32.const(16)));
  addWiden(m, "f16", 2, (f, bits) => widen(f, bits, halfFormat));
  // The eight bits are the upper half of an f16.
  addWiden(m, "e5m2", 1, (f, bits) => widen(f, f.let(i32x4.shl(bits, i32.const(8))), halfFormat));
  addWiden(m, "e4m3", 1, (f, bits) =>
    widen(f, bits, { width: 8, mantissaBits: 3, rebias: 2 ** 120, firstSpecial: 0x7f }),
  );
});

interface SmallFormat {
  readonly width: number;
  readonly mantissaBits: number;
  /** What the exponents of the two formats differ by, as a factor. */
  readonly rebias: number;
  /** Magnitudes from here on, as bits, are Inf or NaN. */
  readonly firstSpecial: number;
}

const halfFormat: SmallFormat = {
  width: 16,
  mantissaBits: 10,
  rebias: 2 ** 112,
  firstSpecial: 0x7c00,
};

/** Moves the fields into the places of a single's; the multiplication corrects the exponent. */
function widen(f: FunctionBuilder, bits: V128, format: SmallFormat): V128 {
  const { width, mantissaBits, rebias, firstSpecial } = format;
  const splat = (value: number) => i32x4.splat(i32.const(value));
  const magnitude = f.let(v128.and(bits, splat(2 ** (width - 1) - 1)));
  const placed = i32x4.shl(magnitude, i32.const(23 - mantissaBits));
  // Exact for subnormals too, which become normal numbers.
  const value = f32x4.mul(placed, f32x4.const(rebias, rebias, rebias, rebias));
  const special = i32x4.geU(magnitude, splat(firstSpecial));
  const exponent = v128.and(special, splat(0x7f800000));
  const sign = i32x4.shl(i32x4.shrU(bits, i32.const(width - 1)), i32.const(31));
  return v128.or(v128.or(value, exponent), sign);
}

function addWiden(
  m: ModuleBuilder,
  dtype: WidenedType,
  bytes: 1 | 2,
  convert: (f: FunctionBuilder, bits: V128) => V128,
): void {
  m.function(dtype, { from: "i32", to: "i32", count: "i32" }, (f, p) => {
    const zero = f.let(i32x4.splat(i32.const(0)));
    const i = f.local("i32");
    f.countTo(i, { limit: p.count, step: 4 }, () => {
      const stored =
        bytes === 2
          ? v128.load16x4U(p.from)
          : i8x16.shuffle(v128.load32Zero(p.from), zero, eachByteInItsLane);
      f.store(p.to, convert(f, f.let(stored)));
      f.increase(p.from, 4 * bytes);
      f.increase(p.to, 16);
    });
  });
}

const eachByteInItsLane = [0, 1, 2, 3].flatMap((byte) => [byte, 16, 16, 16]);
