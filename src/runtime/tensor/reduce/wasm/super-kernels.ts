import {
  defineKernels,
  type FunctionBuilder,
  f32,
  f64,
  type I32,
  type I64,
  i32,
  i64,
  type Local,
  type ModuleBuilder,
} from "../../kernels/index.ts";

/**
 * Superaccumulators for singles: nine limbs of 64 bits, 32 apart, the lowest counting 2^-149. A
 * single has 24 bits, so that it fits into one limb wherever it starts, and 256 of them leave a limb
 * in range; `carry` brings limbs back below 2^32.
 */
export const superBytes = 9 * 8;
/** After so many values, carries must be propagated. */
export const superAddendsMax = 128;
/** What `finish` works with beside its operands: the quotient's limbs. */
export const superScratchBytes = 11 * 8;

/**
 * All work on the elements of a list, which begins with their number.
 *
 * - `list`: the list of the elements whose bit is set;
 * - `clear`, `add` (of singles, by the list's indices), `carry`, `merge` (which clears what it adds);
 * - `finish`: the accumulators' values, divided, as doubles rounded to odd;
 * - `scatterF32`, `scatterF64`: these into their places.
 */
export const superKernels = defineKernels("reduce-super", (m) => {
  addList(m);
  addClear(m);
  addAdd(m);
  addCarry(m);
  addMerge(m);
  addFinish(m);
  addScatter(m);
});

function addList(m: ModuleBuilder): void {
  m.function("list", { bits: "i32", count: "i32", list: "i32" }, (f, p) => {
    const i = f.local("i32");
    const to = f.let(i32.add(p.list, i32.const(4)));
    f.countTo(i, { limit: p.count }, () => {
      const byte = i32.load8U(i32.add(p.bits, i32.shrU(i, i32.const(3))));
      const bit = i32.and(i32.shrU(byte, i32.and(i, i32.const(7))), i32.const(1));
      // Written always, kept when the bit is set: no branch to mispredict.
      f.store(to, i);
      f.set(to, i32.add(to, i32.shl(bit, i32.const(2))));
    });
    const bytes = i32.sub(to, i32.add(p.list, i32.const(4)));
    f.store(p.list, i32.shrU(bytes, i32.const(2)));
  });
}

function addClear(m: ModuleBuilder): void {
  m.function("clear", { list: "i32", limbs: "i32" }, (f, p) => {
    const sizeBytes = i32.mul(i32.load(p.list), i32.const(superBytes));
    f.fillMemory({ to: p.limbs, byte: i32.const(0), sizeBytes });
  });
}

/** Repeats for every element of a list: `each` gets the address of its entry. */
function forEach(
  f: FunctionBuilder,
  list: Local<"i32">,
  each: (entry: Local<"i32">) => void,
): void {
  const count = f.let(i32.load(list));
  const entry = f.let(i32.add(list, i32.const(4)));
  const k = f.local("i32");
  f.countTo(k, { limit: count }, () => {
    each(entry);
    f.increase(entry, 4);
  });
}

function addAdd(m: ModuleBuilder): void {
  m.function("add", { list: "i32", from: "i32", limbs: "i32" }, (f, p) => {
    const bits = f.local("i32");
    const exponent = f.local("i32");
    const normal = f.local("i32");
    const sign = f.local("i64");
    const at = f.local("i32");
    forEach(f, p.list, (entry) => {
      f.set(bits, i32.load(i32.add(p.from, i32.shl(i32.load(entry), i32.const(2)))));
      f.set(exponent, i32.and(i32.shrU(bits, i32.const(23)), i32.const(0xff)));
      f.set(normal, i32.ne(exponent, i32.const(0)));
      // Subnormals lack the hidden bit and have the exponent of the smallest normal numbers.
      f.set(exponent, i32.sub(exponent, normal));
      const hidden = i32.shl(normal, i32.const(23));
      const mantissa = i32.or(i32.and(bits, i32.const(0x7fffff)), hidden);
      const shift = i64.extendI32U(i32.and(exponent, i32.const(31)));
      f.set(sign, i64.extendI32S(i32.shrS(bits, i32.const(31))));
      const value = i64.shl(i64.extendI32U(mantissa), shift);
      const signed = i64.sub(i64.xor(value, sign), sign);
      const limb = i32.shl(i32.shrU(exponent, i32.const(5)), i32.const(3));
      f.set(at, i32.add(p.limbs, limb));
      f.store(at, i64.add(i64.load(at), signed));
      f.increase(p.limbs, superBytes);
    });
  });
}

function addCarry(m: ModuleBuilder): void {
  m.function("carry", { list: "i32", limbs: "i32" }, (f, p) => {
    forEach(f, p.list, () => {
      emitCarry(f, p.limbs);
      f.increase(p.limbs, superBytes);
    });
  });
}

/** Brings all limbs but the top one into [0, 2^32); the top one keeps the sign. */
function emitCarry(f: FunctionBuilder, limbs: I32): void {
  const total = f.let(i64.load(limbs));
  for (let limb = 0; limb < 8; limb++) {
    f.store(limbs, low32(total), { offsetBytes: 8 * limb });
    const carry = i64.shrS(total, i64.const(32n));
    f.set(total, i64.add(i64.load(limbs, 8 * (limb + 1)), carry));
  }
  f.store(limbs, total, { offsetBytes: 64 });
}

function low32(value: I64): I64 {
  return i64.and(value, i64.const(0xffffffffn));
}

function addMerge(m: ModuleBuilder): void {
  m.function("merge", { list: "i32", into: "i32", from: "i32" }, (f, p) => {
    const limbs = f.let(i32.mul(i32.load(p.list), i32.const(superBytes / 8)));
    const i = f.local("i32");
    f.countTo(i, { limit: limbs }, () => {
      f.store(p.into, i64.add(i64.load(p.into), i64.load(p.from)));
      f.store(p.from, i64.const(0n));
      f.increase(p.into, 8);
      f.increase(p.from, 8);
    });
  });
}

function addFinish(m: ModuleBuilder): void {
  const params = { list: "i32", limbs: "i32", divisor: "i32", scratch: "i32", to: "i32" } as const;
  m.function("finish", params, (f, p) => {
    const negative = f.local("i64");
    const value = f.local("f64");
    forEach(f, p.list, () => {
      emitCarry(f, p.limbs);
      f.set(negative, i64.shrS(i64.load(p.limbs, 64), i64.const(63n)));
      const rest = emitQuotient(f, { ...p, negative });
      f.set(value, emitToOdd(f, p.scratch, rest));
      f.store(p.to, f.select(i32.wrapI64(negative), f64.neg(value), value));
      f.increase(p.limbs, superBytes);
      f.increase(p.to, 8);
    });
  });
}

/**
 * The magnitude of a sum divided by a small number: eleven limbs in `scratch`, the lowest two below
 * 2^-149. Returns the remainder.
 */
function emitQuotient(
  f: FunctionBuilder,
  p: { readonly limbs: I32; readonly scratch: I32; readonly divisor: I32; readonly negative: I64 },
): Local<"i64"> {
  // Complement and one more, over limbs of 32 bits.
  const carry = f.let(i64.and(p.negative, i64.const(1n)));
  for (let limb = 0; limb < 9; limb++) {
    const flipped = low32(i64.xor(i64.load(p.limbs, 8 * limb), p.negative));
    const sum = f.let(i64.add(flipped, carry));
    f.store(p.scratch, low32(sum), { offsetBytes: 8 * (limb + 2) });
    f.set(carry, i64.shrU(sum, i64.const(32n)));
  }
  f.store(p.scratch, i64.const(0n));
  f.store(p.scratch, i64.const(0n), { offsetBytes: 8 });
  const remainder = f.let(i64.const(0n));
  f.if(i32.ne(p.divisor, i32.const(1)), () => {
    const divisor = f.let(i64.extendI32U(p.divisor));
    for (let limb = 10; limb >= 0; limb--) {
      const upper = i64.shl(remainder, i64.const(32n));
      const dividend = f.let(i64.or(upper, i64.load(p.scratch, 8 * limb)));
      const quotient = f.let(divideU(dividend, divisor));
      f.store(p.scratch, quotient, { offsetBytes: 8 * limb });
      f.set(remainder, i64.sub(dividend, i64.mul(quotient, divisor)));
    }
  });
  return remainder;
}

/** Unsigned division, which the assembler's table leaves out. */
function divideU(dividend: I64, divisor: I64): I64 {
  return { type: "i64", code: [...dividend.code, ...divisor.code, 0x80] };
}

/** The upper 53 bits or fewer of the limbs; the last bit is set when anything lies below them. */
function emitToOdd(f: FunctionBuilder, scratch: I32, rest: I64): Local<"f64"> {
  const value = f.local("f64");
  const top = f.let(i32.const(10));
  const limbAt = (index: I32) => i64.load(i32.add(scratch, i32.shl(index, i32.const(3))));
  f.loop((again) => {
    f.if(i32.and(i32.gtS(top, i32.const(1)), i64.eqz(limbAt(top))), () => {
      f.increase(top, -1);
      f.branch(again);
    });
  });
  const upper = i64.shl(limbAt(top), i64.const(32n));
  const kept = f.let(i64.or(upper, limbAt(i32.sub(top, i32.const(1)))));
  const below = f.let(rest);
  const lower = f.let(i32.sub(top, i32.const(2)));
  f.loop((again) => {
    f.if(i32.geS(lower, i32.const(0)), () => {
      f.set(below, i64.or(below, limbAt(lower)));
      f.increase(lower, -1);
      f.branch(again);
    });
  });
  const excess = f.let(i64.sub(i64.const(11n), i64.clz(kept)));
  const dropped = f.let(f.select(i64.gtS(excess, i64.const(0n)), excess, i64.const(0n)));
  const mask = i64.sub(i64.shl(i64.const(1n), dropped), i64.const(1n));
  f.set(below, i64.or(below, i64.and(kept, mask)));
  f.set(kept, i64.shrU(kept, dropped));
  f.set(kept, i64.or(kept, i64.extendI32U(i64.ne(below, i64.const(0n)))));
  // The unit of the lower of the two limbs, and what was dropped of it, as a power of two.
  const unit = i32.sub(i32.shl(i32.sub(top, i32.const(1)), i32.const(5)), i32.const(213));
  const exponent = i64.add(i64.extendI32S(i32.add(unit, i32.const(1023))), dropped);
  const power = f64.reinterpretI64(i64.shl(exponent, i64.const(52n)));
  f.set(value, f64.mul(f64.convertI64U(kept), power));
  return value;
}

function addScatter(m: ModuleBuilder): void {
  const params = { list: "i32", from: "i32", to: "i32" } as const;
  m.function("scatterF32", params, (f, p) => {
    forEach(f, p.list, (entry) => {
      const place = i32.add(p.to, i32.shl(i32.load(entry), i32.const(2)));
      f.store(place, f32.demoteF64(f64.load(p.from)));
      f.increase(p.from, 8);
    });
  });
  m.function("scatterF64", params, (f, p) => {
    forEach(f, p.list, (entry) => {
      const place = i32.add(p.to, i32.shl(i32.load(entry), i32.const(3)));
      f.store(place, f64.load(p.from));
      f.increase(p.from, 8);
    });
  });
}
