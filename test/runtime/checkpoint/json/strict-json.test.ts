import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstDifference, parseStrictJson } from "../../../../src/runtime/checkpoint/json/index.ts";

function ruleOf(text: string | Uint8Array): unknown {
  try {
    parseStrictJson(Buffer.from(text));
    return undefined;
  } catch (error) {
    return (error as { rule?: unknown }).rule ?? error;
  }
}

describe("strict JSON", () => {
  test("is read as JSON.parse reads it", () => {
    const texts = [
      '{"a":[1,-2.5,1e+21,5e-324,true,false,null,"\\u00e9\\n"],"":{}}',
      "[]",
      '"x"',
      " 0 ",
      '{"total_size": 13476835328.0}',
      "9007199254740992",
      "-9007199254740993.5",
    ];
    for (const text of texts) expect(parseStrictJson(Buffer.from(text))).toEqual(JSON.parse(text));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(parseStrictJson(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("has __proto__ as a key like any other", () => {
    const proto = parseStrictJson(Buffer.from('{"__proto__":{"x":1}}')) as object;
    expect(Object.hasOwn(proto, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(proto)).toBe(Object.prototype);
  });

  test("may be one long text, and needs no stack for it", () => {
    const long = "x".repeat(10_000_000);
    expect(parseStrictJson(Buffer.from(JSON.stringify(long)))).toBe(long);
  });

  test.each([
    ["nothing", "", "json"],
    ["an open record", "{", "json"],
    ["a comma too many", "[1,]", "json"],
    ["two values", "1 2", "json"],
    ["half a word", "tru", "json"],
    ["other quotes", "'a'", "json"],
    ["NaN", "NaN", "json"],
    ["a byte order mark", "\ufeff1", "json"],
    ["a zero before", "01", "json-number"],
    ["no digit after the point", "1.", "json-number"],
    ["an infinite number", "1e999", "json-number"],
    ["a whole number that doubles do not have", "9007199254740993", "json-number"],
    ["-0, which is a 0 for some", "-0", "json-number"],
    ["-0 as a fraction", "-0.0", "json-number"],
    ["an escape that JSON has not", '"\\x"', "json-string"],
    ["a line feed in a text", '"\n"', "json-string"],
    ["a text that does not end", '"a', "json-string"],
    ["half a surrogate pair", '"\\ud800"', "json-string"],
    ["a key twice", '{"a":1,"a":1}', "duplicate-key"],
    ["a key twice, once by escape", '{"a":1,"\\u0061":1}', "duplicate-key"],
    ["__proto__ twice", '{"__proto__":1,"__proto__":1}', "duplicate-key"],
    ["101 levels", `${"[".repeat(101)}${"]".repeat(101)}`, "json-depth"],
    ["levels without end", "[".repeat(1_000_000), "json-depth"],
  ])("refuses %s", (_, text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });

  test("goes 100 levels deep", () => {
    expect(ruleOf(`${"[".repeat(100)}${"]".repeat(100)}`)).toBeUndefined();
  });

  test("is UTF-8, and says at which byte it is broken", () => {
    expect(ruleOf(Uint8Array.of(0x22, 0xff, 0x22))).toBe("utf-8");
    expect(() => parseStrictJson(Buffer.from('["é", x]'))).toThrow("at byte 7");
  });
});

describe("a text as we write it", () => {
  const written = (value: unknown, indent: number) =>
    Buffer.from(`${JSON.stringify(value, null, indent)}\n`);

  test("has no difference from what JSON.stringify gives", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(firstDifference(written(parsed, indent), parsed, { indent })).toBeUndefined();
      }),
    );
  });

  test("differs from the first byte on that is another", () => {
    const value = { a: ["é\n", 1, {}], "😀": [] };
    fc.assert(
      fc.property(fc.nat(), fc.nat(255), fc.constantFrom(0, 2), (place, byte, indent) => {
        const bytes = written(value, indent);
        const at = place % bytes.length;
        fc.pre(bytes[at] !== byte);
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        expect(firstDifference(changed, value, { indent })).toBe(at);
        expect(firstDifference(bytes.subarray(0, at), value, { indent })).toBe(at);
      }),
    );
    const more = Buffer.concat([written(value, 2), Buffer.from(" ")]);
    expect(firstDifference(more, value, { indent: 2 })).toBe(more.length - 1);
  });

  test("is compared no further than to its first difference: indented, little becomes much", () => {
    const unseen = () => expect.unreachable("what follows the first difference is looked at");
    const value = [0, Object.defineProperty({}, "x", { get: unseen, enumerable: true })];
    expect(firstDifference(Buffer.from("[0,{}]\n"), value, { indent: 2 })).toBe(1);
    expect(() => firstDifference(Buffer.from("[0,{}]\n"), value, { indent: 0 })).toThrow("looked");
  });
});
