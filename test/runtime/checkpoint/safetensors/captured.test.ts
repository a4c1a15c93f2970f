import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import {
  headerFor,
  openSafetensors,
  type SafetensorsDType,
} from "../../../../src/runtime/checkpoint/safetensors/index.ts";

interface Captured {
  readonly file: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** By name. */
  readonly tensors: readonly {
    readonly name: string;
    readonly dtype: SafetensorsDType;
    readonly shape: readonly number[];
    readonly hex: string;
  }[];
}

// Written by Python's safetensors 0.8.0, with what it found in them afterwards.
const folder = join(import.meta.dirname, "..", "..", "..", "fixtures", "safetensors");
const captured = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Captured[];

describe("a file that Python wrote", () => {
  test.for(captured)("$file opens with the same values", async ({ file, metadata, tensors }) => {
    const opened = await openSafetensors(createNodeFiles(), join(folder, file));
    const seen = await Promise.all(
      opened.header.entries.map(async (entry) => {
        const hex = Buffer.from(await opened.read(entry)).toString("hex");
        return { name: entry.name, dtype: entry.dtype, shape: entry.shape, hex };
      }),
    );
    await opened.close();
    const order = tensors.map(({ name }) => name);
    expect(seen.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))).toEqual(tensors);
    expect(opened.header.metadata).toEqual(metadata);
  });

  test.for(captured)("$file is what ours would have written", ({ file, metadata, tensors }) => {
    const theirs = readFileSync(join(folder, file));
    const { header, places, dataBytes } = headerFor(
      tensors.map(({ hex, ...tensor }) => ({ ...tensor, bytes: hex.length / 2 })),
      Object.keys(metadata).length === 0 ? undefined : metadata,
    );
    const ours = Buffer.alloc(header.length + dataBytes);
    ours.set(header);
    for (const { name, hex } of tensors) {
      ours.set(Buffer.from(hex, "hex"), header.length + (places.get(name) ?? Number.NaN));
    }
    expect(ours.toString("latin1")).toBe(theirs.toString("latin1"));
  });

  test("there are as many as were captured", () => {
    expect(captured.map(({ tensors }) => tensors.length)).toEqual([20, 5, 6, 0, 6]);
  });
});
