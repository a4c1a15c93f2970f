import { describe, expect, test } from "vitest";
import {
  formatManifest,
  type Manifest,
  parseManifest,
  planHashOf,
} from "../../../../src/runtime/checkpoint/manifest/index.ts";
import { example } from "./example.ts";
import { problemOf, ruleOf, where } from "./rule-of.ts";

const { manifest: bytes } = await example();
const manifest = parseManifest(bytes, where);

interface Loose {
  [name: string]: Loose;
}

/** A change of the document, with a plan hash that fits it: so that only the rule in question is broken. */
function changed(change: (document: Loose) => void): Uint8Array {
  const document = JSON.parse(Buffer.from(bytes).toString()) as Loose;
  change(document);
  try {
    const { tensors } = document as unknown as Manifest;
    const boxed = tensors.map(({ chunks, ...tensor }) => ({
      ...tensor,
      boxes: chunks.map(({ box }) => box),
    }));
    (document as Record<string, unknown>)["planHash"] = planHashOf(boxed);
  } catch {
    // It is broken in such a way that it has none.
  }
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
}

describe("a manifest", () => {
  test("is written in one way, and read back whole", () => {
    expect(Buffer.compare(formatManifest(manifest), bytes)).toBe(0);
    expect(manifest.tensors.map(({ name }) => name)).toEqual([
      "model/b",
      "model/c",
      "model/empty",
      "model/w",
    ]);
    expect(
      ruleOf(() =>
        parseManifest(
          changed(() => {}),
          where,
        ),
      ),
    ).toBeUndefined();
    const text = Buffer.from(bytes).toString();
    expect(text).toMatch(/^\{\n {2}"format": "tessera-checkpoint",\n {2}"version": 1,\n/);
    expect(text.endsWith("}\n")).toBe(true);
  });

  const w = (document: Loose) => document["tensors"]?.[3] as Loose;
  const chunk = (document: Loose, at: number) => w(document)["chunks"]?.[at] as Loose;
  const set = (target: Loose | undefined, name: string, value: unknown) => {
    (target as Record<string, unknown>)[name] = value;
  };
  const cases: readonly (readonly [string, string, (document: Loose) => void])[] = [
    ["another format", "format", (d) => set(d, "format", "pickle")],
    ["another version", "format", (d) => set(d, "version", 2)],
    ["a tag that leads out", "tag", (d) => set(d, "tag", "../x")],
    ["a generation of 0", "range", (d) => set(d, "generation", 0)],
    ["a step below 0", "range", (d) => set(d, "step", -1)],
    ["a step of text", "type", (d) => set(d, "step", "3")],
    ["a date that is none", "date", (d) => set(d, "createdAt", "2026-02-30T00:00:00.000Z")],
    ["a parent that leads out", "parent", (d) => set(d, "parent", "../s2")],
    ["a version that is a number", "type", (d) => set(d["software"], "node", 20)],
    ["a mesh with a size too few", "mesh", (d) => set(d["mesh"], "shape", [4])],
    ["a mesh with an axis twice", "mesh", (d) => set(d["mesh"], "axes", ["tp", "tp"])],
    ["a writer too many", "writers", (d) => set(d, "writers", 5)],
    ["an unknown key", "unknown-key", (d) => set(d, "extra", 1)],
    ["a missing key", "missing-key", (d) => void delete (d as Record<string, unknown>)["values"]],
    ["a wrong plan hash", "hash", (d) => set(w(d), "digest", `sha256:${"G".repeat(64)}`)],
    ["a digest of another kind", "hash", (d) => set(w(d), "digest", `blake3:${"0".repeat(64)}`)],
    ["a dtype that we have not", "dtype", (d) => set(w(d), "dtype", "f8")],
    ["another dtype of ours", "chunk-bytes", (d) => set(w(d), "dtype", "f64")],
    ["a length below 0", "range", (d) => set(w(d), "shape", [-4, 6])],
    ["a length of 2^60", "type", (d) => set(w(d), "shape", [2 ** 60, 6])],
    ["lengths whose product is too large", "range", (d) => set(w(d), "shape", [2 ** 40, 2 ** 40])],
    ["a shape that the boxes leave holes in", "cover", (d) => set(w(d), "shape", [5, 6])],
    ["a shape that the boxes stick out of", "cover", (d) => set(w(d), "shape", [3, 6])],
    [
      "a chunk too few",
      "cover",
      (d) => set(w(d), "chunks", (w(d)["chunks"] as unknown as unknown[]).slice(1)),
    ],
    ["a chunk twice", "cover", (d) => set(w(d)["chunks"], "1", chunk(d, 0))],
    [
      "a box with a dimension too few",
      "box",
      (d) => set(chunk(d, 0), "box", [{ start: 0, step: 1, count: 2 }]),
    ],
    ["a box that begins elsewhere", "key", (d) => set(chunk(d, 0)["box"]?.[0], "start", 1)],
    ["a step of 0", "range", (d) => set(chunk(d, 0)["box"]?.[0], "step", 0)],
    ["an empty box", "range", (d) => set(chunk(d, 0)["box"]?.[0], "count", 0)],
    ["a box beyond all numbers", "cover", (d) => set(chunk(d, 0)["box"]?.[0], "step", 2 ** 53 - 1)],
    ["a chunk with more bytes", "chunk-bytes", (d) => set(chunk(d, 0), "bytes", 48)],
    [
      "pieces that do not add up",
      "piece-bytes",
      (d) => set(chunk(d, 0)["pieces"]?.[0], "bytes", 23),
    ],
    ["a piece without bytes", "range", (d) => set(chunk(d, 0)["pieces"]?.[0], "bytes", 0)],
    [
      "a hash in capitals",
      "hash",
      (d) => set(chunk(d, 0)["pieces"]?.[0], "sha256", "A".repeat(64)),
    ],
    ["a chunk in the header", "range", (d) => set(chunk(d, 0), "offset", 7)],
    ["a chunk over another", "chunk-overlap", (d) => set(chunk(d, 0), "offset", 8)],
    ["a hole before a chunk", "chunk-hole", (d) => set(chunk(d, 0), "offset", 100_000)],
    ["a file that is longer", "file-bytes", (d) => set(d["files"]?.[0], "bytes", 100_000)],
    ["a file shorter than its header", "range", (d) => set(d["files"]?.[0], "bytes", 9)],
    [
      "a file above the folder",
      "file-name",
      (d) => set(d["files"]?.[0], "name", "../shard-00000-of-00004.safetensors"),
    ],
    ["a file by its full path", "file-name", (d) => set(d["files"]?.[0], "name", "/etc/passwd")],
    ["a file with a NUL", "file-name", (d) => set(d["files"]?.[0], "name", "shard\u0000")],
    [
      "a chunk in a file that is not listed",
      "file-name",
      (d) => set(chunk(d, 0), "file", "COMMIT"),
    ],
    [
      "a file without chunks",
      "file-empty",
      (d) => {
        const files = (d["files"] as unknown as Loose[]).map((file, at) => ({
          ...file,
          name: `shard-0000${at}-of-00005.safetensors`,
        }));
        for (const tensor of d["tensors"] as unknown as Loose[]) {
          for (const one of tensor["chunks"] as unknown as Loose[])
            set(one, "file", (one["file"] as unknown as string).replace("of-00004", "of-00005"));
        }
        const more = { ...files[0], name: "shard-00004-of-00005.safetensors" };
        set(d, "files", [...files, more]);
        set(d, "writers", 5);
      },
    ],
    [
      "tensors out of order",
      "order",
      (d) => set(d, "tensors", (d["tensors"] as unknown as unknown[]).toReversed()),
    ],
    [
      "a tensor twice",
      "order",
      (d) => set(d, "tensors", [...(d["tensors"] as unknown as unknown[]), w(d)]),
    ],
    ["a layout for other axes", "layout", (d) => set(w(d), "layout", [{ kind: "replicate" }])],
    [
      "a partial layout",
      "layout",
      (d) => set(w(d), "layout", [{ kind: "partial" }, { kind: "replicate" }]),
    ],
    [
      "a split of a dimension that is not there",
      "range",
      (d) => set(w(d)["layout"]?.[0], "dim", 2),
    ],
    ["a split that there is not", "layout", (d) => set(w(d)["layout"]?.[0], "split", "half")],
    [
      "a replica that has a dimension",
      "unknown-key",
      (d) => set(w(d)["layout"], "0", { kind: "replicate", dim: 0 }),
    ],
    [
      "an empty tensor with a chunk",
      "cover",
      (d) =>
        set(d["tensors"]?.[2], "chunks", [
          {
            ...chunk(d, 0),
            key: "model/empty@0",
            bytes: 4,
            box: [{ start: 0, step: 1, count: 1 }],
            pieces: [{ bytes: 4, sha256: "0".repeat(64) }],
          },
        ]),
    ],
    [
      "values without a tensor",
      "values-tensor",
      (d) => void delete ((d["values"] as Loose)["model"] as Loose)["w"],
    ],
    [
      "values with a tensor too many",
      "values-tensor",
      (d) => set(d["values"], "v", { $tensor: "v" }),
    ],
    ["values with an unknown mark", "values-mark", (d) => set(d["values"], "v", { $code: "v" })],
  ];
  test.each(cases)("with %s breaks the rule %s", (_, rule, change) => {
    expect(ruleOf(() => parseManifest(changed(change), where))).toBe(rule);
  });

  test("whose plan hash is another's is refused", () => {
    const text = Buffer.from(bytes).toString().replace(manifest.planHash, "0".repeat(64));
    expect(ruleOf(() => parseManifest(Buffer.from(text), where))).toBe("plan-hash");
  });

  const textual: readonly (readonly [string, string, (text: string) => string])[] = [
    [
      "a key that is there twice",
      "duplicate-key",
      (text) => text.replace('"tag": "s3"', '"tag": "s9", "tag": "s3"'),
    ],
    [
      "a key twice, once by escape",
      "duplicate-key",
      (text) => text.replace('"tag": "s3"', '"t\\u0061g": "s9", "tag": "s3"'),
    ],
    [
      "a number that is not exact",
      "json-number",
      (text) => text.replace('"step": 3,', '"step": 9007199254740993,'),
    ],
    [
      "a number written otherwise",
      "canonical",
      (text) => text.replace('"step": 3,', '"step": 3.0,'),
    ],
    ["-0", "json-number", (text) => text.replace('"step": 3,', '"step": -0,')],
    [
      "another order of keys",
      "canonical",
      (text) =>
        text
          .replace('  "version": 1,\n', "")
          .replace('  "tag": "s3"', '  "tag": "s3",\n  "version": 1'),
    ],
    ["a space more", "canonical", (text) => text.replace('"step": 3', '"step":  3')],
    ["no line feed at its end", "canonical", (text) => text.trimEnd()],
    ["something after its end", "json", (text) => `${text}{}`],
    ["a comma too many", "json", (text) => text.replace(/\n\}\n$/, ",\n}\n")],
    ["nothing in it", "json", () => ""],
    ["a byte order mark", "json", (text) => `\ufeff${text}`],
  ];
  test.each(textual)("with %s breaks the rule %s", (_, rule, change) => {
    const text = Buffer.from(bytes).toString();
    const other = change(text);
    expect(other).not.toBe(text);
    expect(ruleOf(() => parseManifest(Buffer.from(other), where))).toBe(rule);
  });

  test("with half a character in its values is refused, with a whole one it is not", () => {
    const withText = (text: string) =>
      Buffer.from(bytes).toString().replace('"values": {', `"values": {\n    "x": "${text}",`);
    expect(ruleOf(() => parseManifest(Buffer.from(withText("😀")), where))).toBeUndefined();
    const half = Buffer.from(withText("\\ud83d"));
    expect(ruleOf(() => parseManifest(half, where))).toBe("json-string");
  });

  test("is refused in a line that a terminal can show, whatever stands in it", () => {
    const key = `\u001b[2J${"k".repeat(1_000_000)}`;
    const other = changed((d) => set(d["values"], key, { $code: "v" }));
    const refusal = problemOf(() => parseManifest(other, where));
    expect(refusal).toMatch(/^\\u001b\[2Jkkk/);
    expect(refusal.length).toBeLessThan(600);
  });

  test("that no reader would take is not written", () => {
    const long = { ...manifest, software: { node: "x".repeat(65_537) } };
    expect(() => formatManifest(long)).toThrow("software.node is longer than 65536 characters");
    expect(() => formatManifest({ ...manifest, writers: 3 })).toThrow(
      "This cannot be saved as s3: no load would take it: 3 writers have written 4 files.",
    );
    const short = { ...manifest, software: { node: "x".repeat(65_536) } };
    expect(parseManifest(formatManifest(short), where)).toEqual(short);
  });

  test("cut off anywhere, or with any byte changed, is refused or says the same", () => {
    let refusals = 0;
    for (let at = 0; at < bytes.length; at += 17) {
      expect(ruleOf(() => parseManifest(bytes.subarray(0, at), where))).toBeDefined();
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      const rule = ruleOf(() => {
        // What is accepted is what it says: only free text and hashes can change unnoticed here.
        const parsed = parseManifest(flipped, where);
        expect(Buffer.compare(formatManifest(parsed), flipped)).toBe(0);
      });
      if (rule !== undefined) refusals++;
    }
    expect(refusals).toBeGreaterThan(bytes.length / 17 / 3);
  });
});
