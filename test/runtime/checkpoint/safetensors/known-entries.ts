import { safetensorsBits } from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import { fileOf } from "./file-of.ts";
import { empty, entry, good, type KnownCase, no, ok, one } from "./known-case.ts";

function pair(first: string, second: string, dataBytes = 8): Uint8Array {
  const offsets = (data_offsets: string) => entry({ data_offsets });
  return fileOf(`{"a":${offsets(first)},"b":${offsets(second)}}`, dataBytes);
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

const entries: readonly KnownCase[] = [
  ok("unknown fields", one({ x: '{"y":[1,-2.5e3,null,true,false,"z",{}]}' })),
  ok("an unknown field twice", fileOf(`{"a":{"x":1,"x":2,${good.slice(1)}}`, 4)),
  ok("127 levels", one({ x: nested(125) })),
  no("json-depth", "128 levels", one({ x: nested(126) })),
  no("json-depth", "a million levels", one({ x: "[".repeat(1_000_000) })),
  no("json-depth", "as many levels of objects", one({ x: '{"x":'.repeat(1000) })),
  no("json", "true with a wrong letter", one({ x: "trux" })),
  no("json", "null cut short", one({ x: "nul" })),
  ok("a list of dtype, shape and offsets", fileOf('{"a":["F32",[1],[0,4]]}', 4)),
  no("entry", "a list of four", fileOf('{"a":["F32",[1],[0,4],0]}', 4)),
  no("missing-field", "a list of two", fileOf('{"a":["F32",[1]]}', 4)),
  no("entry", "null as a tensor", fileOf('{"a":null}')),
  no("entry", "a number as a tensor", fileOf('{"a":1}')),
  no("missing-field", "no dtype", fileOf('{"a":{"shape":[1],"data_offsets":[0,4]}}', 4)),
  no("missing-field", "no shape", fileOf('{"a":{"dtype":"F32","data_offsets":[0,4]}}', 4)),
  no("missing-field", "no offsets", fileOf('{"a":{"dtype":"F32","shape":[1]}}', 4)),
  ok("a dtype as the key of null", one({ dtype: '{"F32":null}' })),
  no("dtype", "a dtype as the key of an object", one({ dtype: '{"F32":{}}' })),
  no("dtype", "two dtypes as keys", one({ dtype: '{"F32":null,"F32":null}' })),
  no("dtype", "an empty object as dtype", one({ dtype: "{}" })),
  no("dtype", "a dtype in a list", one({ dtype: '["F32"]' })),
  no("dtype", "a dtype in small letters", one({ dtype: '"f32"' })),
  no("dtype", "a dtype that objects have", one({ dtype: '"toString"' })),
  no("dtype", "null as dtype", one({ dtype: "null" })),
  no("shape", "a shape that is a number", one({ shape: "1" })),
  no("shape", "a shape that is null", one({ shape: "null" })),
  no("shape", "a shape that is an object", one({ shape: "{}" })),
  no("data-offsets", "three offsets", one({ data_offsets: "[0,4,4]" })),
  no("data-offsets", "one offset", one({ data_offsets: "[0]" })),
  no("data-offsets", "offsets in an object", one({ data_offsets: '{"0":0,"1":4}' })),
  no("data-offsets", "an offset with a point", one({ data_offsets: "[0,4.0]" })),
  no("duplicate-key", "dtype twice", fileOf(`{"a":{"dtype":"F32",${good.slice(1)}}`, 4)),
  no("duplicate-key", "shape twice", fileOf(`{"a":{"shape":[1],${good.slice(1)}}`, 4)),
  no("duplicate-key", "offsets twice", fileOf(`{"a":{"data_offsets":[0,4],${good.slice(1)}}`, 4)),
  ok(
    "a tensor twice, the last one right",
    fileOf(`{"a":${entry({ shape: "[9]" })},"a":${good}}`, 4),
  ),
  ok(
    "the first of them out of every range",
    fileOf(`{"a":${entry({ data_offsets: "[18446744073709551615,0]" })},"a":${good}}`, 4),
  ),
  no(
    "duplicate-key",
    "a tensor twice, each with bytes",
    fileOf(`{"a":${good},"a":${entry({ data_offsets: "[4,8]" })}}`, 8),
  ),
  no("missing-field", "a tensor twice, the first one broken", fileOf(`{"a":{},"a":${good}}`, 4)),
];

const metadata: readonly KnownCase[] = [
  ok("metadata", fileOf('{"__metadata__":{"format":"pt","":"","__proto__":"x"}}')),
  ok("metadata after a tensor", fileOf(`{"a":${good},"__metadata__":{"format":"pt"}}`, 4)),
  ok("no metadata: null", fileOf('{"__metadata__":null}')),
  ok("a key of metadata twice", fileOf('{"__metadata__":{"a":"b","a":"c"}}')),
  ok("the name of metadata in escapes", fileOf('{"__metadata\\u005f_":{"a":"b"}}')),
  no("metadata", "a number in metadata", fileOf('{"__metadata__":{"a":1}}')),
  no("metadata", "null in metadata", fileOf('{"__metadata__":{"a":null}}')),
  no("metadata", "an object in metadata", fileOf('{"__metadata__":{"a":{}}}')),
  no("metadata", "a list as metadata", fileOf('{"__metadata__":[]}')),
  no("metadata", "a string as metadata", fileOf('{"__metadata__":""}')),
  no("metadata", "a tensor of that name", fileOf(`{"__metadata__":${good}}`, 4)),
  no("duplicate-key", "metadata twice", fileOf('{"__metadata__":{},"__metadata__":{}}')),
  no(
    "duplicate-key",
    "metadata twice, null first",
    fileOf('{"__metadata__":null,"__metadata__":null}'),
  ),
];

const layouts: readonly KnownCase[] = [
  ok("two tensors", pair("[0,4]", "[4,8]")),
  ok("two tensors, the last one first", pair("[4,8]", "[0,4]")),
  no("overlap", "two tensors in one place", pair("[0,4]", "[0,4]", 4)),
  no("overlap", "two tensors that share bytes", pair("[0,4]", "[2,6]", 6)),
  no("hole", "a hole between tensors", pair("[0,4]", "[5,9]", 9)),
  no("hole", "a hole at the start", one({ data_offsets: "[1,5]" }, 5)),
  no("trailing-bytes", "a byte after the last tensor", one({}, 5)),
  no("trailing-bytes", "a byte and no tensor", fileOf("{}", 1)),
  no("outside-file", "a byte less than the tensor has", one({}, 3)),
  no("outside-file", "no data at all", one({}, 0)),
  no("outside-file", "an offset of 2^64 - 1", one({ data_offsets: "[0,18446744073709551615]" })),
  no(
    "outside-file",
    "an offset above 2^53",
    one({ shape: "[2251799813685249]", data_offsets: "[0,9007199254740996]" }),
  ),
  no("offsets-reversed", "an end before the beginning", one({ data_offsets: "[4,0]" })),
  no("shape-bytes", "fewer elements than bytes", one({ shape: "[]", dtype: '"F16"' })),
  no("shape-bytes", "more elements than bytes", one({ shape: "[2]" })),
  no("shape-bytes", "no elements and four bytes", one({ shape: "[0]" })),
  no("shape-overflow", "2^64 elements, and then none", empty("[4294967296,4294967296,0]")),
  ok("none, and then 2^64 elements", empty("[0,4294967296,4294967296]")),
  no("shape-overflow", "2^64 - 1 elements of 32 bits", one({ shape: "[18446744073709551615]" })),
  no(
    "shape-overflow",
    "2^61 elements of one byte",
    one({ shape: "[2305843009213693952]", dtype: '"U8"' }),
  ),
  no(
    "shape-bytes",
    "2^61 - 1 elements of one byte",
    one({ shape: "[2305843009213693951]", dtype: '"U8"' }),
  ),
  ok("2^64 - 1 elements, and then none", empty("[4294967295,4294967297,0]", '"BOOL"')),
  no("shape-overflow", "that by two, and then none", empty("[4294967295,4294967297,2,0]")),
  ok(
    "empty tensors in one place",
    fileOf(
      `{"b":${entry({ shape: "[0]", data_offsets: "[0,0]" })},"a":${entry({ shape: "[0,3]", data_offsets: "[0,0]" })},"c":${good}}`,
      4,
    ),
  ),
  ok(
    "an empty tensor at the end",
    fileOf(`{"a":${good},"b":${entry({ shape: "[0]", data_offsets: "[4,4]" })}}`, 4),
  ),
  no(
    "overlap",
    "an empty tensor within another",
    fileOf(`{"a":${good},"b":${entry({ shape: "[0]", data_offsets: "[2,2]" })}}`, 4),
  ),
  ok("100,000 dimensions of one", one({ shape: `[${"1,".repeat(99_999)}1]` })),
  ok("two halves of a byte", one({ dtype: '"F4"', shape: "[2]", data_offsets: "[0,1]" }, 1)),
  no(
    "partial-byte",
    "three halves of a byte",
    one({ dtype: '"F4"', shape: "[3]", data_offsets: "[0,1]" }, 1),
  ),
  ok("four of six bits", one({ dtype: '"F6_E2M3"', shape: "[2,2]", data_offsets: "[0,3]" }, 3)),
  no(
    "partial-byte",
    "one of six bits",
    one({ dtype: '"F6_E3M2"', shape: "[]", data_offsets: "[0,1]" }, 1),
  ),
];

const dtypes: readonly KnownCase[] = Object.entries(safetensorsBits).flatMap(([dtype, bits]) => {
  const of = (bytes: number) =>
    one({ dtype: `"${dtype}"`, shape: "[4]", data_offsets: `[0,${bytes}]` }, bytes);
  const bytes = (bits * 4) / 8;
  return [
    ok(`four of ${dtype}`, of(bytes)),
    no("shape-bytes", `four of ${dtype}, a byte more`, of(bytes + 1)),
  ];
});

/** What tensors and metadata may be. */
export const knownEntries: readonly KnownCase[] = [...entries, ...metadata, ...layouts, ...dtypes];
