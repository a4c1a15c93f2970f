import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type EntryToWrite,
  headerFor,
  parseHeader,
  type SafetensorsDType,
  safetensorsBits,
} from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import { refusedBy } from "./verdict.ts";

function textOf(header: Uint8Array): string {
  return Buffer.from(header.subarray(8)).toString();
}

function ruleOf(
  tensors: readonly EntryToWrite[],
  metadata?: Readonly<Record<string, string>>,
): string {
  try {
    headerFor(tensors, metadata);
    return "written";
  } catch (error) {
    return refusedBy(error).rule;
  }
}

const byte = (name: string): EntryToWrite => ({ name, dtype: "U8", shape: [1], bytes: 1 });

/** Shapes whose bytes are whole, whatever the dtype. */
const tensor = fc
  .record({
    name: fc.string({ unit: "binary" }).filter((name) => name !== "__metadata__"),
    dtype: fc.constantFrom(...(Object.keys(safetensorsBits) as SafetensorsDType[])),
    shape: fc.array(fc.nat(5), { maxLength: 4 }).map((shape) => [...shape, 4]),
  })
  .map(({ name, dtype, shape }) => {
    const bits = shape.reduce((product, length) => product * length, safetensorsBits[dtype]);
    return { name, dtype, shape, bytes: bits / 8 };
  });

describe("a header to write", () => {
  test("says the same when it is read again, whatever the tensors", () => {
    const metadata = fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }));
    const tensors = fc.uniqueArray(tensor, { selector: ({ name }) => name, maxLength: 12 });
    fc.assert(
      fc.property(tensors, fc.option(metadata, { nil: undefined }), (given, about) => {
        const { header, places, entries, dataBytes } = headerFor(given, about);
        const fileBytes = header.length + dataBytes;
        const read = parseHeader(header, { file: "x", fileBytes });
        // Tensors without bytes share a place, where their order means nothing.
        const sorted = (list: typeof entries) =>
          list.toSorted((one, other) => (one.name < other.name ? -1 : 1));
        expect(sorted(read.entries)).toEqual(sorted(entries));
        expect(new Map(Object.entries(read.metadata))).toEqual(
          new Map(Object.entries(about ?? {})),
        );
        expect(read.dataStart).toBe(header.length);
        expect(header.length % 8).toBe(0);
        for (const { name, begin } of read.entries) expect(places.get(name)).toBe(begin);
      }),
    );
  });

  test("has the widest dtypes first, then goes by the bytes of names", () => {
    const names = ["\u{10000}", "\uffee", "b", "B"];
    const given: EntryToWrite[] = [
      ...names.map(byte),
      { name: "f32", dtype: "F32", shape: [], bytes: 4 },
      { name: "u64", dtype: "U64", shape: [], bytes: 8 },
    ];
    const order = headerFor(given).entries.map(({ name }) => name);
    expect(order).toEqual(["u64", "f32", "B", "b", "\uffee", "\u{10000}"]);
  });

  test("is padded with spaces, and not at all when it fits", () => {
    const lengths = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => {
      const text = textOf(headerFor([byte("n".repeat(count))]).header);
      return text.length - text.trimEnd().length;
    });
    expect(lengths.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test("has metadata first when it is given, even when it is empty", () => {
    expect(textOf(headerFor([], { b: "2", a: "1" }).header).trimEnd()).toBe(
      '{"__metadata__":{"a":"1","b":"2"}}',
    );
    expect(textOf(headerFor([], {}).header).trimEnd()).toBe('{"__metadata__":{}}');
    expect(textOf(headerFor([]).header).trimEnd()).toBe("{}");
  });

  test("is refused for names that no reader could tell apart or read", () => {
    expect(ruleOf([byte("a"), byte("a")])).toBe("duplicate-key");
    expect(ruleOf([byte("__metadata__")])).toBe("name");
    expect(ruleOf([byte("\ud800")])).toBe("name");
    expect(ruleOf([byte("a"), byte("A"), byte("__metadata"), byte("\u{10000}")])).toBe("written");
  });

  test("is refused for bytes that are not those of the shape", () => {
    const entry = { name: "a", dtype: "F32", shape: [2, 2], bytes: 16 } as const;
    expect(ruleOf([entry])).toBe("written");
    expect(ruleOf([{ ...entry, bytes: 15 }])).toBe("shape-bytes");
    expect(ruleOf([{ ...entry, shape: [2, -2] }])).toBe("shape");
    expect(ruleOf([{ ...entry, shape: [1.5] }])).toBe("shape");
    expect(ruleOf([{ ...entry, shape: [2 ** 52, 2 ** 52] }])).toBe("shape-overflow");
    expect(ruleOf([{ ...entry, dtype: "F4", shape: [3], bytes: 1.5 }])).toBe("partial-byte");
  });

  test("is refused for metadata that is no text", () => {
    expect(ruleOf([], { a: 1 as unknown as string })).toBe("metadata");
    expect(ruleOf([], { a: "\udfff" })).toBe("metadata");
    expect(ruleOf([], { a: "\u{10000}" })).toBe("written");
  });

  test("is refused when no reader would take so long a one", () => {
    const long = "x".repeat(99_999_900);
    expect(ruleOf([], { a: long })).toBe("written");
    expect(ruleOf([], { a: `${long}${"x".repeat(100)}` })).toBe("header-too-long");
  });
});
