import fc from "fast-check";

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  -1e308,
  "",
  " ",
  "\u0000",
  "\u{1F9E9}\u202E\uFEFF",
  "\uD800",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "%00%ff",
  "'; drop table tokens; --",
  "$(reboot)",
  "x".repeat(20_000),
  [],
  [[[[]]]],
  {},
  { constructor: { prototype: {} } },
  JSON.parse('{"__proto__":{"role":"admin"}}'),
  JSON.parse('{"toString":1,"hasOwnProperty":null}'),
];

/** Values that programs trip over. */
export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...odd),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Texts that programs trip over, as a path or a query may carry them. */
export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...odd.filter((value) => typeof value === "string").map((text) => text.slice(0, 3000)),
  ),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("NaN", "Infinity", "-0", "1e999", "0x10", "null", "[object Object]", "1,2"),
);

/** A value with one part replaced by something odd. */
export function spoiled(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(values, oddValues, fc.nat())
    .map(([value, other, at]) => replaced(value, other, at));
}

function replaced(value: unknown, other: unknown, at: number): unknown {
  if (typeof value !== "object" || value === null) return other;
  const keys = Object.keys(value);
  if (keys.length === 0) return other;
  const key = keys[at % keys.length] ?? "";
  const inside: unknown = Reflect.get(value, key);
  const next = at % 3 === 0 ? other : replaced(inside, other, Math.floor(at / 3));
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? next : item));
  return { ...value, [key]: next };
}

/** Bodies that are not even JSON, or more of it than anybody needs. */
export const brokenBodies: readonly (string | Buffer)[] = [
  "",
  "{",
  '{"a":',
  "undefined",
  "NaN",
  "\uFEFF{}",
  '{"a":1}{"b":2}',
  "[".repeat(20_000),
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  '{"a":1e999}',
  '{"__proto__":{"x":1}}',
  "x".repeat(70_000),
  Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
  Buffer.alloc(200),
];

/** Headers that a request may carry without meaning anything by it. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    "content-type": fc.constantFrom(
      "application/json",
      "text/plain",
      "application/json; charset=utf-16",
      ";",
      "a/b/c",
    ),
    "content-encoding": fc.constantFrom("gzip", "identity", "nonsense"),
    accept: fc.constantFrom("*/*", "text/html", "", "x".repeat(2000)),
    "accept-encoding": fc.constantFrom("gzip", "br;q=0, gzip;q=0.001", "*;q=-1", ",,,"),
    "if-none-match": fc.constantFrom("*", '"', 'W/"x", "y"', ",".repeat(3000)),
    "last-event-id": fc.constantFrom("x", "zzz-999999999999999", "-1", "x".repeat(5000)),
    "x-request-id": fc.constantFrom("a", "x".repeat(5000), "../../log", "good-id-12345"),
    "x-forwarded-for": fc.constantFrom("127.0.0.1", "::1, evil"),
    range: fc.constantFrom("bytes=0-1", "bytes=-999999999999"),
    cookie: fc.constantFrom("token=admin"),
    "sec-fetch-site": fc.constantFrom("same-origin", "cross-site", "none", "?"),
    origin: fc.constantFrom("null", "http://127.0.0.1", "javascript:alert(1)"),
  },
  { requiredKeys: [] },
);
