import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import {
  headerFor,
  openSafetensors,
  type SafetensorsDType,
  safetensorsBits,
  safetensorsDTypeOf,
  saveSafetensors,
} from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import {
  type DType,
  dtypeInfo,
  dtypes,
  rawOver,
} from "../../../../src/runtime/tensor/dtype/index.ts";
import { Tensor } from "../../../../src/runtime/tensor/index.ts";
import { chanceOf } from "../../../support/checkpoint/chance.ts";
import {
  findReference,
  type Reference,
  type ReferenceVerdict,
} from "../../../support/reference-safetensors.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { fuzzCase } from "./fuzz-case.ts";
import { knownCases } from "./known-cases.ts";
import { pythonDTypes } from "./python-dtypes.ts";
import { verdictOf } from "./verdict.ts";

// More of them: TESSERA_INTEROP_CASES=200000 npm test -- test/runtime/checkpoint/safetensors/interop.test.ts
const cases = Number(process.env["TESSERA_INTEROP_CASES"] ?? 5_000);
const firstSeed = 1_000_000_000;
const batchSize = 10_000;

const found = await findReference();
const skipped = typeof found === "string" ? found : "";
const reference = found as Reference;

/** Two verdicts in words that can be compared: all that a reader would see of the file. */
function seenByReference(verdict: ReferenceVerdict): unknown {
  if (!verdict.ok) return "refused";
  const tensors = verdict.tensors.map(({ name, dtype, shape, hex }) => [name, dtype, shape, hex]);
  return { tensors: tensors.toSorted(byName), metadata: verdict.metadata };
}

function seenByUs(file: Uint8Array): unknown {
  const verdict = verdictOf(file);
  if ("rule" in verdict) return "refused";
  const { entries, dataStart, metadata } = verdict;
  const tensors = entries.map(({ name, dtype, shape, exactShape, begin, end }) => {
    const bytes = Buffer.from(file.subarray(dataStart + begin, dataStart + end));
    return [name, dtype, (exactShape ?? shape).map(String), bytes.toString("hex")];
  });
  return { tensors: tensors.toSorted(byName), metadata };
}

function byName([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}

/** Bits of every kind: NaNs with payloads, both zeros, infinities and subnormals are among them. */
function drawnBytes(count: number, seed: number): Uint8Array {
  const chance = chanceOf(seed);
  return Uint8Array.from({ length: count }, () => chance.pick([0, 0x7f, 0x80, 0xff, 0xc1, seed]));
}

function tensorOf(dtype: DType, shape: readonly number[]): Tensor {
  const count = shape.reduce((product, length) => product * length, 1);
  const { buffer } = drawnBytes(count * dtypeInfo(dtype).bytes, shape.length + count);
  return Tensor.over(rawOver(dtype, { buffer, byteOffset: 0, count }), { dtype, shape });
}

function hexOf(tensor: Tensor): string {
  const { buffer, byteOffset, byteLength } = tensor.toRaw();
  return Buffer.from(buffer, byteOffset, byteLength).toString("hex");
}

describe.skipIf(skipped !== "")(`Python's safetensors and ours${skipped}`, () => {
  test("give the same verdict on every known case, and see the same in it", async () => {
    const verdicts = await reference.judge(knownCases.map(({ file }) => file));
    expect(verdicts).toHaveLength(knownCases.length);
    for (const [index, { what, file }] of knownCases.entries()) {
      expect(seenByUs(file), what).toEqual(seenByReference(verdicts[index] as ReferenceVerdict));
    }
  });

  test(`give the same verdict on ${cases} broken files, and see the same in them`, {
    timeout: 120_000 + cases * 5,
  }, async () => {
    let opened = 0;
    for (let start = 0; start < cases; start += batchSize) {
      const count = Math.min(batchSize, cases - start);
      const batch = Array.from({ length: count }, (_, at) => fuzzCase(firstSeed + start + at));
      const verdicts = await reference.judge(batch.map(({ file }) => file));
      for (const [index, { what, file }] of batch.entries()) {
        const verdict = verdicts[index] as ReferenceVerdict;
        if (verdict.ok) opened++;
        const reason = `${what}: ${JSON.stringify(Buffer.from(file).toString("latin1"))}`;
        expect(seenByUs(file), reason).toEqual(seenByReference(verdict));
      }
    }
    expect(opened / cases).toBeGreaterThan(0.05);
    expect(opened / cases).toBeLessThan(0.95);
  });

  test("lay out every dtype in the same bytes", async () => {
    const shapes: readonly (readonly number[])[] = [[], [3], [2, 4], [0, 5]];
    const tensors = Object.entries(pythonDTypes).flatMap(([dtype, python], index) =>
      shapes
        // Python counts pairs of four-bit numbers; without a dimension there is no half of them.
        .filter((shape) => dtype !== "F4" || shape.length > 0)
        .map((shape, nth) => {
          const stored = dtype === "F4" ? [...shape.slice(0, -1), (shape.at(-1) ?? 0) * 2] : shape;
          const bits = safetensorsBits[dtype as SafetensorsDType];
          const bytes = stored.reduce((product, length) => product * length, bits) / 8;
          const name = `${nth}é${index % 3}/"${dtype}"\n\u007f😀\uffee`;
          const content = drawnBytes(bytes, index + nth);
          return { name, dtype: dtype as SafetensorsDType, python, shape, stored, bytes, content };
        }),
    );
    const metadata = { format: 'np "\\\u0001\u2028é' };
    const theirs = await reference.write(
      tensors.map(({ name, python, shape, content }) => {
        return { name, dtype: python, shape, hex: Buffer.from(content).toString("hex") };
      }),
      metadata,
    );
    const { header, places, dataBytes } = headerFor(
      tensors.map(({ name, dtype, stored, bytes }) => ({ name, dtype, shape: stored, bytes })),
      metadata,
    );
    const ours = new Uint8Array(header.length + dataBytes);
    ours.set(header);
    for (const { name, content } of tensors) {
      ours.set(content, header.length + (places.get(name) ?? 0));
    }
    expect(Buffer.from(ours).equals(theirs)).toBe(true);
  });

  test("ours reads tensors of each dtype that Python wrote, bit for bit", async () => {
    const tensors = dtypes.map((dtype) => ({ dtype, tensor: tensorOf(dtype, [3, 5]) }));
    const content = await reference.write(
      tensors.map(({ dtype, tensor }) => ({
        name: dtype,
        dtype: pythonDTypes[safetensorsDTypeOf(dtype)] ?? "",
        shape: tensor.shape,
        hex: hexOf(tensor),
      })),
    );
    const path = join(await tempDir(), "theirs.safetensors");
    await writeFile(path, content);
    const file = await openSafetensors(createNodeFiles(), path);
    for (const { dtype, tensor } of tensors) {
      const read = await file.tensor(dtype);
      expect([read.dtype, read.shape, hexOf(read)]).toEqual([dtype, [3, 5], hexOf(tensor)]);
    }
    await file.close();
  });

  test("Python reads tensors of each dtype that ours wrote, bit for bit", async () => {
    const shapes = [[], [7], [2, 3], [0, 4], [1, 0]];
    const tensors = Object.fromEntries(
      dtypes.flatMap((dtype) =>
        shapes.map((shape) => [`${dtype}[${shape.join(",")}]`, tensorOf(dtype, shape)]),
      ),
    );
    const path = join(await tempDir(), "ours.safetensors");
    await saveSafetensors(createNodeFiles(), path, tensors, { a: "1", b: "2" });
    const [verdict] = await reference.judge([await readFile(path)]);
    const expected = Object.entries(tensors)
      .map(([name, tensor]) => [
        name,
        safetensorsDTypeOf(tensor.dtype),
        tensor.shape.map(String),
        hexOf(tensor),
      ])
      .toSorted(byName);
    expect(seenByReference(verdict as ReferenceVerdict)).toEqual({
      tensors: expected,
      metadata: { a: "1", b: "2" },
    });
  });

  test("numpy sees the same numbers in a file of ours", async () => {
    const names: Partial<Record<DType, string>> = {
      ...{ f64: "float64", f32: "float32", f16: "float16", i32: "int32", u8: "uint8" },
    };
    const kinds = Object.keys(names) as DType[];
    const tensors = Object.fromEntries(kinds.map((dtype) => [dtype, tensorOf(dtype, [4, 3])]));
    const path = join(await tempDir(), "ours.safetensors");
    await saveSafetensors(createNodeFiles(), path, tensors);
    const seen = await reference.readWithNumpy(path);
    const expected = kinds.map((dtype) => ({
      name: dtype as string,
      dtype: names[dtype],
      shape: [4, 3],
      hex: hexOf(tensors[dtype] as Tensor),
    }));
    expect(seen.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual(
      expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    );
  });
});
