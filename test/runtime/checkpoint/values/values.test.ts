import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { State } from "../../../../src/runtime/checkpoint/state.ts";
import { flattenState, rebuildState } from "../../../../src/runtime/checkpoint/values/index.ts";
import * as tensor from "../../../../src/runtime/tensor/index.ts";

const key = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 4 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "$",
    "$$x",
    "$tensor",
    "a/b",
    "a~1b",
    "",
    "0",
    "toJSON",
  ),
);
const leaf = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, -0, Number.POSITIVE_INFINITY, 2 ** 53, 5e-324, 1e21),
  fc.bigInt(),
  fc.string({ unit: "grapheme" }),
  fc.boolean(),
  fc.constant(null),
  fc.nat(9).map((value) => tensor.fromValues([value])),
);
const node: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("node"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("node")), { maxLength: 4 }).map(recordOf),
  ),
})).node;

function recordOf(entries: readonly (readonly [string, unknown])[]): State {
  const record = {};
  for (const [name, value] of entries) {
    const plain = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(record, name, plain);
  }
  return record;
}

/** Through the text of a manifest and back. */
function throughText(state: State) {
  const { tensors, values } = flattenState(state);
  const text = JSON.stringify(values);
  return { tensors, text, rebuilt: rebuildState(JSON.parse(text), (name) => tensors.get(name)) };
}

describe("a state", () => {
  test("comes back exactly: every number, key and list", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, node), { maxLength: 5 }).map(recordOf), (state) => {
        const { rebuilt } = throughText(state);
        // It tells -0 from 0, knows NaN, and sees a key called __proto__.
        assert.deepStrictEqual(rebuilt, state);
        expect(Object.getPrototypeOf(rebuilt)).toBe(Object.prototype);
      }),
      { numRuns: 300 },
    );
  });

  test("gives every tensor a name of its own", () => {
    const [a, b, c, d] = [1, 2, 3, 4].map((value) => tensor.fromValues([value]));
    const state = { x: { "y/z": a, y: { z: b } }, "x/y": { z: c }, list: [[d]] } as State;
    const { tensors, values } = flattenState(state);
    expect([...tensors.keys()]).toEqual(["x/y~1z", "x/y/z", "x~1y/z", "list/0/0"]);
    expect(values).toMatchObject({ list: [[{ $tensor: "list/0/0" }]] });
  });

  test("shares nothing with what it was made of", () => {
    const state = { list: [1], record: { a: 1 } };
    const { values } = flattenState(state);
    state.list.push(2);
    state.record.a = 2;
    expect(values).toEqual({ list: [1], record: { a: 1 } });
  });

  test("does not reach the prototype of anything", () => {
    const { rebuilt } = throughText(JSON.parse('{"__proto__": {"polluted": true}}') as State);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.hasOwn(rebuilt, "__proto__")).toBe(true);
  });

  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce<unknown>((below) => ({ below }), 1) as State;
  const longKey = "k".repeat(32_769);
  const circle: Record<string, unknown> = {};
  circle["again"] = circle;
  test.each<[string, unknown, string]>([
    ["undefined", { a: { b: undefined } }, "a/b is undefined"],
    ["a function", { f: () => 1 }, "f is function"],
    ["a date", { at: new Date(0) }, "at is a Date"],
    ["a map", { m: new Map() }, "m is a Map"],
    ["a typed array", { m: new Float32Array(2) }, "m is a Float32Array"],
    ["a hole in a list", { l: new Array(2) }, "l/0 is undefined"],
    ["half a character", { s: "\ud800" }, "s is no Unicode text"],
    ["a key that is half a character", { "\udc00": 1 }, "a key that is no Unicode text"],
    ["a depth of 65", nested(65), "deeper than 64"],
    ["a bigint without end", { n: 10n ** 65_536n }, "n has more than 65536 digits"],
    ["a tensor whose name no manifest holds", { [longKey]: tensor.ones([1]) }, "kkk… has a name"],
    ["a circle", circle, "deeper than 64"],
    ["a list", [1], "the state is no record"],
    ["a tensor alone", tensor.ones([1]), "the state is no record"],
  ])("with %s is refused by name", (_, state, problem) => {
    expect(() => flattenState(state as State, { tag: "t" })).toThrow(problem);
  });

  test("what a state may hold is what values may hold: as deep, and bigints as long", () => {
    const deepest = { ...nested(64), n: 10n ** 65_535n, m: -(10n ** 65_534n) };
    assert.deepStrictEqual(throughText(deepest).rebuilt, deepest);
    const tooDeep = { below: flattenState(nested(64)).values };
    expect(() => rebuildState(tooDeep, () => 1)).toThrow("deeper than 64");
    const tooLong = { n: { $bigint: "9".repeat(65_537) } };
    expect(() => rebuildState(tooLong, () => 1)).toThrow("unknown mark $bigint");
  });
});

describe("values that nobody has written", () => {
  test.each<[string, unknown]>([
    ["an unknown mark", { a: { $date: "2026" } }],
    ["a mark beside a key", { a: { $number: "NaN", b: 1 } }],
    ["a number that needs no mark", { a: { $number: "1" } }],
    ["a bigint with a dot", { a: { $bigint: "1.5" } }],
    ["a bigint of -0", { a: { $bigint: "-0" } }],
    ["a tensor in another's place", { a: { $tensor: "b" } }],
    ["a tensor without a name", { a: { $tensor: 1 } }],
    ["a list at the top", [1]],
    ["a mark at the top", { $tensor: "a" }],
  ])("are refused: %s", (_, values) => {
    expect(() => rebuildState(values, () => 1)).toThrow();
  });

  test("lack what is not asked for: a key goes, a list keeps its length", () => {
    const { values } = flattenState({ a: tensor.ones([1]), l: [tensor.ones([1]), 2] });
    expect(rebuildState(values, () => undefined)).toEqual({ l: [null, 2] });
  });
});
