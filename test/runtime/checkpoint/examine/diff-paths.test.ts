import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diffPaths } from "../../../../src/runtime/checkpoint/examine/index.ts";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { distribute } from "../../../../src/runtime/dist/array/index.ts";
import { shardSpec } from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { bytesOf } from "../../../../src/runtime/tensor/dtype/index.ts";
import { fromValues, rand } from "../../../../src/runtime/tensor/index.ts";
import { writeFixture } from "../../../support/checkpoint-fixture.ts";
import { type PlainTensor, safetensors } from "../../../support/plain-safetensors.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const files = createNodeFiles();
const diff = (a: string, b: string) => diffPaths(files, a, b);

describe("diffPaths", () => {
  it("finds checkpoints of other meshes equal by their digests, without reading data", async () => {
    const root = await tempDir();
    const whole = rand([12, 10], { seed: 3 });
    const mesh = new Mesh({ axes: ["tp"], devices: 4 });
    const layout = shardSpec({ partition: [1], meshAxes: ["tp"], cyclic: true });
    const { folder: a, shards } = writeFixture({ root, tag: "a", state: { w: whole, lr: 1 } });
    const w = distribute(whole, { mesh, layout });
    const { folder: b } = writeFixture({ root, tag: "b", state: { w, lr: 1 }, mesh, writers: 3 });
    writeFileSync(join(a, shards[0] as string), "!", { flag: "r+" });
    expect(await diff(a, b)).toMatchObject({ equal: true, same: 1, byDigest: 1, readBytes: 0 });
  });

  it("says where elements differ and by how much, across layouts", async () => {
    const root = await tempDir();
    const values = Array.from({ length: 120 }, (_, at) => at);
    const changed = values.with(37, 37.5).with(90, 91).with(91, Number.NaN);
    const shape = [12, 10];
    const mesh = new Mesh({ axes: ["tp"], devices: 5 });
    const layout = shardSpec({ partition: [1], meshAxes: ["tp"], cyclic: true });
    const one = fromValues(values, { dtype: "f32" }).reshape(shape);
    const other = distribute(fromValues(changed, { dtype: "f32" }).reshape(shape), {
      mesh,
      layout,
    });
    const { folder: a } = writeFixture({ root, tag: "a", state: { w: one } });
    const { folder: b } = writeFixture({ root, tag: "b", state: { w: other }, mesh, writers: 2 });
    const found = await diff(a, b);
    expect(found).toMatchObject({ equal: false, same: 0, readBytes: 960 });
    expect(found.tensors).toEqual([
      {
        name: "w",
        difference: {
          count: 3,
          elements: 120,
          firstIndex: [3, 7],
          firstA: 37,
          firstB: 37.5,
          maxAbs: 1,
          maxUlp: 2 ** 17,
          notNumbers: 1,
        },
      },
    ]);
  });

  it("refuses to compare data that is not what was saved", async () => {
    const root = await tempDir();
    const { folder: a } = writeFixture({ root, tag: "a", state: { w: rand([40], { seed: 1 }) } });
    const { folder: b, shards } = writeFixture({
      root,
      tag: "b",
      state: { w: rand([40], { seed: 2 }) },
    });
    const path = join(b, shards[0] as string);
    expect((await diff(a, b)).equal).toBe(false);
    const { readFileSync } = await import("node:fs");
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(path, bytes);
    await expect(diff(a, b)).rejects.toMatchObject({
      code: "E_CHECKPOINT_CORRUPT",
      details: { rule: "piece-hash", tensor: "w", file: shards[0] },
    });
  });

  it("tells tensors of one side, of another form, and values that differ", async () => {
    const root = await tempDir();
    const [x, y] = [rand([4]), rand([4], { dtype: "bf16" })];
    const state = { x, gone: x, form: x, data: { epoch: 1, seed: "s", list: [1, 2] } };
    const other = { x, more: x, form: y, data: { epoch: 2, seed: "s", list: [1] } };
    const { folder: a } = writeFixture({ root, tag: "a", state });
    const { folder: b } = writeFixture({ root, tag: "b", state: other });
    const found = await diff(a, b);
    expect(found).toMatchObject({
      equal: false,
      same: 1,
      onlyInA: ["gone"],
      onlyInB: ["more"],
      forms: [{ name: "form", a: "f32[4]", b: "bf16[4]" }],
      tensors: [],
    });
    expect(found.values).toEqual([
      { path: "data/epoch", a: 1, b: 2 },
      { path: "data/list/1", a: 2 },
    ]);
    expect((await diff(a, a)).equal).toBe(true);
  });

  it("compares a checkpoint with a file of others, and takes the last one of a root", async () => {
    const root = await tempDir();
    const w = rand([6, 4], { seed: 9, dtype: "bf16" });
    writeFixture({ root, tag: "old", step: 1, state: { w: rand([1]) } });
    writeFixture({ root, tag: "new", step: 2, state: { w } });
    const path = join(await tempDir(), "w.safetensors");
    const data = bytesOf(w.toRaw());
    writeFileSync(path, safetensors({ w: { dtype: "BF16", shape: [6, 4], data } }));
    expect(await diff(root, path)).toMatchObject({
      equal: true,
      same: 1,
      byDigest: 0,
      readBytes: 96,
    });
    writeFileSync(path, safetensors({ w: { dtype: "F16", shape: [6, 4], data } }));
    expect((await diff(path, root)).forms).toEqual([
      { name: "w", a: "f16[6, 4]", b: "bf16[6, 4]" },
    ]);
  });

  it("compares formats that tensors have not, bit by bit", async () => {
    const root = await tempDir();
    const write = (name: string, tensors: Readonly<Record<string, PlainTensor>>) => {
      writeFileSync(join(root, name), safetensors(tensors));
      return join(root, name);
    };
    const a = write("a.safetensors", { i: { dtype: "I64", shape: [2, 2], bytes: 32 } });
    const data = Uint8Array.from({ length: 32 }, (_, at) => (at === 17 ? 0 : at));
    const b = write("b.safetensors", { i: { dtype: "I64", shape: [2, 2], data } });
    expect((await diff(a, a)).equal).toBe(true);
    const [found] = (await diff(a, b)).tensors;
    expect(found?.difference).toMatchObject({
      count: 1,
      firstIndex: [1, 0],
      maxAbs: null,
      maxUlp: null,
    });
    await expect(diff(a, join(root, "c"))).rejects.toMatchObject({ code: "E_CHECKPOINT_MISSING" });
    await expect(diff(root, a)).rejects.toMatchObject({ details: { rule: "tensor-twice" } });
  });
});
