import { fileOf } from "./file-of.ts";
import { empty, good, type KnownCase, no, ok, one } from "./known-case.ts";

function withLength(length: bigint, restBytes: number): Uint8Array {
  const file = Buffer.alloc(8 + restBytes, " ");
  file.writeBigUInt64LE(length);
  return file;
}

const frames: readonly KnownCase[] = [
  no("prefix-missing", "no bytes at all", new Uint8Array()),
  no("prefix-missing", "seven bytes", new Uint8Array(7)),
  no("json", "a header of no bytes", new Uint8Array(8)),
  no("header-too-long", "a header of 100,000,001 bytes", withLength(100_000_001n, 2)),
  no("header-too-long", "a header of 2^64 - 1 bytes", withLength(2n ** 64n - 1n, 2)),
  no(
    "header-truncated",
    "a header of 100,000,000 bytes that is not there",
    withLength(10n ** 8n, 2),
  ),
  no("header-truncated", "a header of one byte more than there is", withLength(3n, 2)),
  ok("no tensors", fileOf("{}")),
  ok("white space around the object", fileOf(` \t\r\n{"a":${good}} \n\r\t`, 4)),
  ok(
    "white space within it",
    fileOf('{ "a" : {\n"dtype"\t:"U8" , "shape":[ ],"data_offsets":[ 0 , 1 ]} }', 1),
  ),
  no("json", "a byte order mark", fileOf("\ufeff{}")),
  no("json", "zeros as padding", fileOf("{}\0\0")),
  no("json", "a form feed as padding", fileOf("{}\f")),
  no("json", "a second object", fileOf("{}{}")),
  no("json", "a list", fileOf("[]")),
  no("json", "null", fileOf("null")),
  no("json", "an object that does not end", fileOf(`{"a":${good}`, 4)),
  no("json", "a comma before the end", fileOf(`{"a":${good},}`, 4)),
  no("json", "a comma before the first key", fileOf(`{,"a":${good}}`, 4)),
  no("json", "no comma between members", fileOf(`{"a":${good} "b":${good}}`, 4)),
  no("json", "no colon", fileOf(`{"a" ${good}}`, 4)),
  no("json", "a key that is no string", fileOf(`{a:${good}}`, 4)),
  no("json", "a comment", fileOf(`{/**/"a":${good}}`, 4)),
  no("utf-8", "a byte that UTF-8 does not have", fileOf(Buffer.from("7b22ff223a7b7d7d", "hex"))),
  no("utf-8", "a surrogate in UTF-8", fileOf(Buffer.from("7b22eda080223a7b7d7d", "hex"))),
  no("utf-8", "an overlong slash", fileOf(Buffer.from("7b22c0af223a7b7d7d", "hex"))),
];

const numbers: readonly KnownCase[] = [
  no("shape", "a length with a point", one({ shape: "[1.0]" })),
  no("shape", "a length with an exponent", one({ shape: "[1e0]" })),
  no("shape", "a negative length", one({ shape: "[-1]" })),
  no("shape", "minus zero", empty("[-0]")),
  no("shape", "a length of 2^64", empty("[0,18446744073709551616]")),
  ok("a length of 2^64 - 1 and no elements", empty("[0,18446744073709551615]")),
  ok("a length of 2^53 + 1 and no elements", empty("[0,9007199254740993]")),
  no("shape", "a length that is a string", one({ shape: '["1"]' })),
  no("shape", "a length that is null", one({ shape: "[null]" })),
  no("json-number", "a leading zero", one({ shape: "[01]" })),
  no("json-number", "a lonely minus", one({ shape: "[-]" })),
  no("shape", "a plus", one({ shape: "[+1]" })),
  no("json-number", "a point without digits", one({ x: "1." })),
  no("json-number", "an exponent without digits", one({ x: "1e" })),
  no("json-number", "an exponent of a sign alone", one({ x: "1e+" })),
  no("json", "a point without a digit before it", one({ x: ".5" })),
  no("json", "NaN", one({ x: "NaN" })),
  no("json", "Infinity", one({ x: "Infinity" })),
  no("json-number", "a number no double holds", one({ x: "1e309" })),
  no("json-number", "a number just above the largest double", one({ x: "1.7976931348623159e308" })),
  ok("the largest double", one({ x: "17976931348623157e292" })),
  no(
    "json-number",
    "the largest double, rounded by the reference",
    one({ x: "18446744073709551615e289" }),
  ),
  ok("many digits", one({ x: "1".repeat(300) })),
  no("json-number", "too many digits", one({ x: "1".repeat(400) })),
  ok("zero with a huge exponent", one({ x: "0e99999999999999999999" })),
  no("json-number", "one with a huge exponent", one({ x: "1e99999999999999999999" })),
  ok("one with a huge negative exponent", one({ x: "-1E-99999999999999999999" })),
  ok("a digit that fits after one that did not", one({ x: "18446744073709551616.5" })),
  ok("digits after those that fit", one({ x: "1.00000000000000000000000000000001e308" })),
];

const strings: readonly KnownCase[] = [
  ok("an empty name", fileOf(`{"":${good}}`, 4)),
  ok(
    "a name with every escape",
    fileOf(`{"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00":${good}}`, 4),
  ),
  ok("a name with a zero", fileOf(`{"a\\u0000":${good}}`, 4)),
  ok("a name of many scripts", fileOf(`{"żółw/乌龟/😀":${good}}`, 4)),
  ok("a name that objects have", fileOf(`{"__proto__":${good}}`, 4)),
  ok(
    "fields and dtype in escapes",
    fileOf(`{"a":{"\\u0064type":"F\\u00332","shape":[1],"data_offsets":[0,4]}}`, 4),
  ),
  no("json-string", "half a surrogate pair, the first", fileOf(`{"\\ud800":${good}}`, 4)),
  no("json-string", "half a surrogate pair, the second", fileOf(`{"\\udc00":${good}}`, 4)),
  no("json-string", "two first halves", fileOf(`{"\\ud800\\ud800":${good}}`, 4)),
  no("json-string", "a first half and a letter", fileOf(`{"\\ud800\\n":${good}}`, 4)),
  no("json-string", "half a pair in a field nobody knows", one({ x: '"\\ud800"' })),
  no("json-string", "a new line in a string", fileOf(`{"a\n":${good}}`, 4)),
  no("json-string", "an unknown escape", fileOf(`{"\\x41":${good}}`, 4)),
  no("json-string", "three hex digits", fileOf(`{"\\u00e":${good}}`, 4)),
  no("json-string", "a string that does not end", fileOf('{"a')),
  no("json-string", "a string that ends in a backslash", fileOf('{"a\\')),
];

/** What the text of a header may be. */
export const knownTexts: readonly KnownCase[] = [...frames, ...numbers, ...strings];
