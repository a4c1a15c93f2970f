import { describe, expect, it } from "vitest";
import {
  f32,
  f64,
  i32,
  i64,
  type Value,
  type ValueType,
} from "../../../../../../src/runtime/tensor/kernels/index.ts";
import { instantiate } from "../../run-kernel.ts";

const namespaces = { i32, i64, f32, f64 };
const noValue = /^(const|load.*)$/;

/** Each operation on operands that tell it from its neighbours, and what it gives. */
const cases: readonly (readonly [string, Value, number | bigint])[] = [
  ...named("i32", binaryCases(i32, [i32.const(-7), i32.const(3)]), {
    eq: 0,
    ne: 1,
    ltS: 1,
    ltU: 0,
    gtS: 0,
    gtU: 1,
    leS: 1,
    leU: 0,
    geS: 0,
    geU: 1,
    add: -4,
    sub: -10,
    mul: -21,
    divS: -2,
    divU: 0x55555553,
    remS: -1,
    remU: 0,
    and: 1,
    or: -5,
    xor: -6,
    shl: -56,
    shrS: -1,
    shrU: 0x1fffffff,
    rotl: -49,
  }),
  ...named("i32", unaryCases(i32, i32.const(12)), { eqz: 0, clz: 28, ctz: 2, popcnt: 2 }),
  ...named("i64", binaryCases(i64, [i64.const(-7n), i64.const(3n)]), {
    eq: 0,
    ne: 1,
    ltS: 1,
    ltU: 0,
    gtS: 0,
    gtU: 1,
    leS: 1,
    leU: 0,
    geS: 0,
    geU: 1,
    add: -4n,
    sub: -10n,
    mul: -21n,
    divS: -2n,
    divU: 0x5555555555555553n,
    remS: -1n,
    remU: 0n,
    and: 1n,
    or: -5n,
    xor: -6n,
    shl: -56n,
    shrS: -1n,
    shrU: 0x1fffffffffffffffn,
    rotl: -49n,
  }),
  ...named("i64", unaryCases(i64, i64.const(12n)), { eqz: 0, clz: 60n, ctz: 2n, popcnt: 2n }),
  ...named("f32", binaryCases(f32, [f32.const(0.1), f32.const(-0.3)]), {
    eq: 0,
    ne: 1,
    lt: 0,
    gt: 1,
    le: 0,
    ge: 1,
    min: Math.fround(-0.3),
    max: Math.fround(0.1),
    copysign: -Math.fround(0.1),
    add: Math.fround(Math.fround(0.1) - Math.fround(0.3)),
    sub: Math.fround(Math.fround(0.1) + Math.fround(0.3)),
    mul: Math.fround(Math.fround(0.1) * -Math.fround(0.3)),
    div: Math.fround(Math.fround(0.1) / -Math.fround(0.3)),
  }),
  ...named("f32", unaryCases(f32, f32.const(-2)), { abs: 2, neg: 2, sqrt: Number.NaN }),
  ...named("f64", binaryCases(f64, [f64.const(0.1), f64.const(-0.3)]), {
    eq: 0,
    ne: 1,
    lt: 0,
    gt: 1,
    le: 0,
    ge: 1,
    min: -0.3,
    max: 0.1,
    copysign: -0.1,
    add: 0.1 - 0.3,
    sub: 0.1 + 0.3,
    mul: 0.1 * -0.3,
    div: 0.1 / -0.3,
  }),
  ...named("f64", unaryCases(f64, f64.const(-2.5)), {
    abs: 2.5,
    neg: 2.5,
    sqrt: Number.NaN,
    floor: -3,
    trunc: -2,
  }),
  ["i32.wrapI64", i32.wrapI64(i64.const(2n ** 32n + 5n)), 5],
  ["i32.truncSatF64S", i32.truncSatF64S(f64.const(-1.5)), -1],
  ["i32.truncSatF64U", i32.truncSatF64U(f64.const(3e9)), 3e9 | 0],
  ["i32.reinterpretF32", i32.reinterpretF32(f32.const(1)), 0x3f800000],
  ["i64.extendI32S", i64.extendI32S(i32.const(-1)), -1n],
  ["i64.extendI32U", i64.extendI32U(i32.const(-1)), 2n ** 32n - 1n],
  ["i64.truncSatF64S", i64.truncSatF64S(f64.const(-(2 ** 52) - 0.5)), -(2n ** 52n)],
  ["i64.truncSatF64U", i64.truncSatF64U(f64.const(2 ** 52 + 1)), 2n ** 52n + 1n],
  ["i64.reinterpretF64", i64.reinterpretF64(f64.const(1)), 0x3ff0000000000000n],
  ["f32.convertI32S", f32.convertI32S(i32.const(-16_777_217)), -16_777_216],
  ["f32.convertI32U", f32.convertI32U(i32.const(-1)), 2 ** 32],
  ["f32.demoteF64", f32.demoteF64(f64.const(1 / 3)), Math.fround(1 / 3)],
  ["f32.reinterpretI32", f32.reinterpretI32(i32.const(0x40000000)), 2],
  ["f64.convertI32S", f64.convertI32S(i32.const(-1)), -1],
  ["f64.convertI32U", f64.convertI32U(i32.const(-1)), 2 ** 32 - 1],
  ["f64.convertI64S", f64.convertI64S(i64.const(-(2n ** 40n))), -(2 ** 40)],
  ["f64.convertI64U", f64.convertI64U(i64.const(-1n)), 2 ** 64],
  ["f64.promoteF32", f64.promoteF32(f32.const(0.1)), Math.fround(0.1)],
  ["f64.reinterpretI64", f64.reinterpretI64(i64.const(0x4000000000000000n)), 2],
];

describe("operations on numbers", () => {
  it.each(cases)("%s", (_, value, want) => {
    const { call, memory } = instantiate((m) => {
      m.function("go", {}, (f) => f.store(i32.const(0), value));
    });
    call("go");
    expect(readAs(memory, value.type)).toBe(want);
  });

  it("are all in the table above", () => {
    const tested = new Set(cases.map(([name]) => name));
    const names = Object.entries(namespaces).flatMap(([space, members]) =>
      Object.keys(members)
        .filter((name) => !noValue.test(name))
        .map((name) => `${space}.${name}`),
    );
    expect(names.filter((name) => !tested.has(name))).toEqual([]);
  });

  it("load integers of every width with and without sign, and floats", () => {
    const at = i32.const(0);
    const loads: readonly (readonly [Value, number | bigint])[] = [
      [i32.load(at), -2],
      [i32.load8S(at), -2],
      [i32.load8U(at), 254],
      [i32.load16S(at), -2],
      [i32.load16U(at), 65_534],
      [i64.load(at), -2n],
      [i64.load32S(at), -2n],
      [i64.load32U(at), 2n ** 32n - 2n],
      [f32.load(at, 8), 1.5],
      [f64.load(at, 16), -0.1],
    ];
    for (const [value, want] of loads) {
      const { call, memory } = instantiate((m) => {
        m.function("go", {}, (f) => f.store(i32.const(32), value));
      });
      new BigInt64Array(memory)[0] = -2n;
      new Float32Array(memory)[2] = 1.5;
      new Float64Array(memory)[2] = -0.1;
      call("go");
      expect(readAs(memory.slice(32, 48), value.type)).toBe(want);
    }
  });
});

type Members = Readonly<Record<string, (...args: never[]) => Value>>;

function binaryCases(members: Members, [one, other]: readonly [Value, Value]) {
  return (name: string) => members[name]?.(one as never, other as never);
}

function unaryCases(members: Members, value: Value) {
  return (name: string) => members[name]?.(value as never);
}

function named(
  space: string,
  build: (name: string) => Value | undefined,
  wanted: Readonly<Record<string, number | bigint>>,
): [string, Value, number | bigint][] {
  return Object.entries(wanted).map(([name, want]) => {
    const value = build(name);
    if (value === undefined) throw new Error(`there is no ${space}.${name}`);
    return [`${space}.${name}`, value, want];
  });
}

function readAs(memory: ArrayBuffer, type: ValueType): number | bigint | undefined {
  if (type === "i64") return new BigInt64Array(memory)[0];
  if (type === "f32") return new Float32Array(memory)[0];
  if (type === "f64") return new Float64Array(memory)[0];
  return new Int32Array(memory)[0];
}
