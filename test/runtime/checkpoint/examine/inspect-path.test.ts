import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  diffPaths,
  inspectPath,
  verifyPath,
} from "../../../../src/runtime/checkpoint/examine/index.ts";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { distribute } from "../../../../src/runtime/dist/array/index.ts";
import { shardSpec } from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { rand } from "../../../../src/runtime/tensor/index.ts";
import { writeFixture } from "../../../support/checkpoint-fixture.ts";
import { safetensors } from "../../../support/plain-safetensors.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const files = createNodeFiles();

describe("inspectPath", () => {
  it("describes a checkpoint by its manifest", async () => {
    const root = await tempDir();
    const mesh = new Mesh({ axes: ["tp", "dp"], shape: [2, 2], devices: 4 });
    const layout = shardSpec({ partition: [0], meshAxes: ["tp"] });
    const whole = rand([8, 2]);
    const w = distribute(whole, { mesh, layout });
    const state = { w, b: rand([3], { dtype: "bf16" }), epoch: 4 };
    const { folder } = writeFixture({ root, tag: "a", step: 7, state, mesh, writers: 4 });
    const found = await inspectPath(files, folder);
    expect(found).toMatchObject({
      kind: "checkpoint",
      tensorBytes: 70,
      checkpoint: {
        name: "a",
        step: 7,
        writers: 2,
        mesh: { axes: ["tp", "dp"], shape: [2, 2] },
        values: { epoch: 4 },
      },
    });
    expect(found.tensors).toMatchObject([
      { name: "b", dtype: "bf16", shape: [3], bytes: 6 },
      { name: "w", dtype: "f32", layout: "tp: S(0), dp: R", digest: whole.digest() },
    ]);
    expect(found.tensors[0]).not.toHaveProperty("layout");
    expect(found.files.map(({ tensors }) => tensors)).toEqual([2, 1]);
  });

  it("lists a root, what was not finished included", async () => {
    const root = await tempDir();
    writeFixture({ root, tag: "a", step: 1, state: { w: rand([3]) } });
    rmSync(
      join(writeFixture({ root, tag: "b", step: 2, state: { w: rand([3]) } }).folder, "COMMIT"),
    );
    const { kind, checkpoints } = await inspectPath(files, root);
    expect(kind).toBe("root");
    expect(checkpoints?.map(({ name, status }) => [name, status])).toEqual([
      ["b", "uncommitted"],
      ["a", "committed"],
    ]);
    await expect(inspectPath(files, join(root, "b"))).rejects.toMatchObject({
      details: { rule: "uncommitted" },
    });
  });

  it("describes files of others, formats that tensors have not included", async () => {
    const root = await tempDir();
    const path = join(root, "x.safetensors");
    const bytes = safetensors({
      i: { dtype: "I64", shape: [2], bytes: 16 },
      q: { dtype: "F4", shape: [2, 4], bytes: 4 },
    });
    writeFileSync(path, bytes);
    const found = await inspectPath(files, path);
    expect(found).toMatchObject({
      kind: "file",
      tensorBytes: 20,
      tensors: [
        { name: "i", dtype: "I64", shape: [2], bytes: 16, files: ["x.safetensors"] },
        { name: "q", dtype: "F4", shape: [2, 4], bytes: 4 },
      ],
    });
    expect(await inspectPath(files, root)).toMatchObject({
      kind: "folder",
      fileBytes: bytes.length,
    });
    writeFileSync(path, bytes.subarray(1));
    await expect(inspectPath(files, path)).rejects.toMatchObject({ code: "E_SAFETENSORS" });
    const nothing = { code: "E_CHECKPOINT_MISSING" };
    await expect(inspectPath(files, join(root, "y"))).rejects.toMatchObject(nothing);
    rmSync(path);
    await expect(inspectPath(files, root)).rejects.toMatchObject(nothing);
  });

  it("says of a file that may not be read that it may not, and nothing about what it holds", async () => {
    const root = await tempDir();
    const path = join(root, "a.safetensors");
    writeFileSync(path, safetensors({ a: { dtype: "I64", shape: [2], bytes: 16 } }));
    expect((await inspectPath(files, path)).tensors).toHaveLength(1);
    const denied = () => {
      return Promise.reject(
        Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" }),
      );
    };
    const refusal = { code: "E_FILE_READ", message: expect.stringContaining("permission denied") };
    const locked = { ...files, open: denied };
    await expect(inspectPath(locked, path)).rejects.toMatchObject(refusal);
    await expect(inspectPath(locked, root)).rejects.toMatchObject(refusal);
    await expect(inspectPath({ ...files, list: denied }, root)).rejects.toMatchObject(refusal);
    expect(await verifyPath(locked, path)).toMatchObject({
      ok: false,
      files: [{ rule: "unreadable" }],
    });
  });

  it("says what is wrong with a root in which nothing is whole", async () => {
    const root = await tempDir();
    const { folder } = writeFixture({ root, tag: "a", state: { w: rand([4]) } });
    expect((await diffPaths(files, root, folder)).equal).toBe(true);
    writeFileSync(join(folder, "manifest.json"), "{}");
    await expect(diffPaths(files, root, root)).rejects.toMatchObject({
      code: "E_CHECKPOINT_CORRUPT",
      details: { checkpoint: "a", file: "manifest.json" },
    });
  });
});
