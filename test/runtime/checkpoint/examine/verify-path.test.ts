import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diffPaths, verifyPath } from "../../../../src/runtime/checkpoint/examine/index.ts";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { distribute } from "../../../../src/runtime/dist/array/index.ts";
import { shardSpec } from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { rand } from "../../../../src/runtime/tensor/index.ts";
import { writeFixture } from "../../../support/checkpoint-fixture.ts";
import { safetensors } from "../../../support/plain-safetensors.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const files = createNodeFiles();
const verify = (path: string) => verifyPath(files, path);
const good = safetensors({ a: { dtype: "I64", shape: [2], bytes: 16 } });

describe("verifyPath", () => {
  it("judges one file, whatever it is called", async () => {
    const root = await tempDir();
    const path = join(root, "model.bin");
    writeFileSync(path, good);
    expect(await verify(path)).toEqual({ ok: true, files: [{ path, ok: true }] });
    writeFileSync(path, good.subarray(0, good.length - 1));
    const { ok, files: judged } = await verify(path);
    expect(ok).toBe(false);
    expect(judged).toMatchObject([{ path, ok: false, error: expect.stringContaining("rule") }]);
  });

  it("tells a path that is not there from one that is bad", async () => {
    const root = await tempDir();
    await expect(verify(join(root, "nowhere"))).rejects.toMatchObject({
      code: "E_CHECKPOINT_MISSING",
      exitCode: 2,
    });
    expect(await verify(root)).toMatchObject({ ok: false, files: [{ rule: "nothing-there" }] });
  });

  it("judges every safetensors file of a folder by others, and of the folders in it", async () => {
    const root = await tempDir();
    mkdirSync(join(root, "unet"));
    writeFileSync(join(root, "a.safetensors"), good);
    writeFileSync(join(root, "config.json"), "not ours to judge");
    writeFileSync(join(root, "unet", "b.safetensors"), good);
    expect((await verify(root)).files).toEqual([
      { path: join(root, "a.safetensors"), ok: true },
      { path: join(root, "unet", "b.safetensors"), ok: true },
    ]);
    writeFileSync(join(root, "unet", "c.safetensors"), "");
    writeFileSync(join(root, "unet", "d.safetensors"), "garbage, and more of it");
    const { ok, files: judged } = await verify(root);
    expect(ok).toBe(false);
    expect(judged.map((one) => one.ok)).toEqual([true, true, false, false]);
  });

  it("holds an index against the files that it names", async () => {
    const root = await tempDir();
    const index = join(root, "model.safetensors.index.json");
    const write = (map: object) => writeFileSync(index, JSON.stringify({ weight_map: map }));
    writeFileSync(join(root, "one.safetensors"), good);
    write({ a: "one.safetensors" });
    expect(await verify(root)).toMatchObject({ ok: true, files: [{ path: index }, {}] });
    write({ a: "one.safetensors", b: "one.safetensors" });
    const without = await verify(root);
    expect(without.files[0]).toMatchObject({ path: index, rule: "index-tensor", tensor: "b" });
    write({ a: "two.safetensors" });
    const missing = await verify(root);
    expect(missing.files.filter(({ ok }) => !ok)).toMatchObject([
      { path: index, rule: "index-file", tensor: "a" },
      { path: join(root, "two.safetensors"), rule: "file-missing" },
    ]);
    for (const out of ["../one.safetensors", "/etc/passwd", "x/one.safetensors", ".."]) {
      write({ a: out });
      expect((await verify(root)).files[0]).toMatchObject({ path: index, rule: "index-path" });
    }
    writeFileSync(index, '{"weight_map": {}, "weight_map": {}}');
    expect((await verify(root)).files[0]).toMatchObject({ path: index, ok: false });
    writeFileSync(index, "[]");
    expect((await verify(root)).files[0]).toMatchObject({ rule: "index" });
  });

  it("follows links to files of others, as a cache of models has them, and says where one leads nowhere", async () => {
    const root = await tempDir();
    const snapshot = join(root, "snapshot");
    mkdirSync(snapshot);
    writeFileSync(join(root, "blob"), good);
    symlinkSync("../blob", join(snapshot, "model.safetensors"));
    expect(await verify(snapshot)).toMatchObject({ ok: true, files: [{ ok: true }] });
    expect((await verify(join(snapshot, "model.safetensors"))).ok).toBe(true);
    const { equal, same } = await diffPaths(files, snapshot, join(root, "blob"));
    expect({ equal, same }).toEqual({ equal: true, same: 1 });
    rmSync(join(root, "blob"));
    expect((await verify(snapshot)).files).toMatchObject([{ ok: false, rule: "file-missing" }]);
  });

  it("judges all checkpoints of a root, and what was never finished", async () => {
    const root = await tempDir();
    const state = { w: rand([4]) };
    writeFixture({ root, tag: "step1", state });
    writeFixture({ root, tag: "step2", state });
    const { folder: unread } = writeFixture({ root, tag: ".tmp-step3-x", state });
    rmSync(join(unread, "COMMIT"));
    const fine = await verify(root);
    expect(fine.ok).toBe(true);
    expect(fine.files).toHaveLength(6);
    rmSync(join(root, "step2", "COMMIT"));
    const { ok, files: judged } = await verify(root);
    expect(ok).toBe(false);
    expect(judged.filter((one) => !one.ok)).toMatchObject([
      { path: join(root, "step2", "COMMIT"), rule: "uncommitted" },
    ]);
    rmSync(join(root, "step2", "manifest.json"));
    expect((await verify(join(root, "step2"))).files.map((one) => [one.ok, one.rule])).toEqual([
      [false, "uncommitted"],
      [false, "file-missing"],
      [true, undefined],
    ]);
  });

  it("judges a checkpoint without tensors", async () => {
    const root = await tempDir();
    const { folder } = writeFixture({ root, tag: "a", state: { step: 1 } });
    expect(await verify(folder)).toMatchObject({ ok: true });
    rmSync(join(folder, "COMMIT"));
    expect(await verify(folder)).toMatchObject({ ok: false });
  });

  it("reads every byte of a checkpoint once, whatever its layout", async () => {
    const root = await tempDir();
    const mesh = new Mesh({ axes: ["tp"], devices: 3 });
    const layout = shardSpec({ partition: [1], meshAxes: ["tp"] });
    const w = distribute(rand([64, 100], { seed: 1 }), { mesh, layout });
    const state = { w, v: rand([50], { dtype: "f64" }) };
    const { folder } = writeFixture({ root, tag: "a", state, mesh, writers: 2, pieceBytes: 1000 });
    const bytesOf = async () => (await files.list(folder)).reduce((sum, one) => sum + one.bytes, 0);
    let readBytes = 0;
    const counting = {
      ...files,
      open: async (path: string) => {
        const reader = await files.open(path);
        const read = async (into: Uint8Array, position: number) => {
          const there = await reader.read(into, position);
          readBytes += there;
          return there;
        };
        return { ...reader, read };
      },
    };
    expect((await verifyPath(counting, folder)).ok).toBe(true);
    expect(readBytes).toBe(await bytesOf());
  });

  it("judges tensors that are larger than what it holds in memory at once", async () => {
    const root = await tempDir();
    const w = rand([3, 800_000], { dtype: "f64", seed: 5 });
    writeFixture({ root, tag: "a", state: { w } });
    expect(await verify(join(root, "a"))).toMatchObject({ ok: true });
  });
});
