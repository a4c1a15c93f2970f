import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  diffPaths,
  inspectPath,
  reshardCheckpoint,
  verifyPath,
} from "../../../../src/runtime/checkpoint/examine/index.ts";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { distribute } from "../../../../src/runtime/dist/array/index.ts";
import { shardSpec } from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { rand } from "../../../../src/runtime/tensor/index.ts";
import { writeFixture } from "../../../support/checkpoint-fixture.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const files = createNodeFiles();
const grid = shardSpec({ partition: [0, 1], meshAxes: ["tp", "pp"] });

/** A checkpoint from tp 6 × pp 6 × dp 2. */
async function source() {
  const root = await tempDir();
  const mesh = new Mesh({ axes: ["tp", "pp", "dp"], shape: [6, 6, 2], devices: 72 });
  const w = distribute(rand([50, 31], { seed: 1 }), { mesh, layout: grid });
  const state = { model: { w, plain: rand([4], { dtype: "e5m2" }) }, rng: "12", epoch: [1, null] };
  return { root, ...writeFixture({ root, tag: "a", step: 9, state, mesh, writers: 6 }) };
}

const target = new Mesh({ axes: ["tp", "dp"], shape: [8, 9], devices: 72 });

describe("reshardCheckpoint", () => {
  it("writes the same tensors and values as another mesh would have, and leaves the source alone", async () => {
    const { folder, root: from } = await source();
    const root = await tempDir();
    const done = await reshardCheckpoint(files, { from: folder, mesh: target, root });
    expect(done).toMatchObject({ tensors: 2, saved: { name: "a", step: 9 } });
    expect(done.notes).toHaveLength(1);
    expect(await diffPaths(files, folder, done.saved.folder)).toMatchObject({
      equal: true,
      same: 2,
      byDigest: 2,
    });
    const { tensors, checkpoint } = await inspectPath(files, done.saved.folder);
    expect(tensors.find(({ name }) => name === "model/w")?.layout).toBe("tp: S(0), dp: R");
    expect(checkpoint).toMatchObject({ mesh: { axes: ["tp", "dp"], shape: [8, 9] }, parent: "a" });
    expect((await verifyPath(files, from)).ok).toBe(true);
    expect((await verifyPath(files, root)).ok).toBe(true);
  });

  it("takes other layouts and another tag, and the last checkpoint of a root", async () => {
    const { root: from } = await source();
    const layouts = (name: string) =>
      name === "model/w"
        ? shardSpec({ partition: [1], meshAxes: ["dp"], cyclic: true })
        : undefined;
    const { saved } = await reshardCheckpoint(files, {
      from,
      mesh: target,
      root: from,
      tag: "b",
      layouts,
    });
    const { tensors } = await inspectPath(files, saved.folder);
    expect(tensors.find(({ name }) => name === "model/w")?.layout).toBe("tp: R, dp: S(1) cyclic");
    expect(await diffPaths(files, join(from, "a"), join(from, "b"))).toMatchObject({ equal: true });
  });

  it("writes nothing from a damaged checkpoint, nor from what is none", async () => {
    const { folder, shards } = await source();
    const path = join(folder, shards[1] as string);
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(path, bytes);
    const root = await tempDir();
    await expect(
      reshardCheckpoint(files, { from: folder, mesh: target, root }),
    ).rejects.toMatchObject({
      code: "E_CHECKPOINT_CORRUPT",
      details: { rule: "piece-hash" },
    });
    expect(await files.list(root)).toEqual([]);
    await expect(
      reshardCheckpoint(files, { from: root, mesh: target, root }),
    ).rejects.toMatchObject({
      code: "E_CHECKPOINT_MISSING",
    });
  });

  it("leaves the source alone in its own root too, where the same tag is a later save of it", async () => {
    const { folder, root } = await source();
    const { saved } = await reshardCheckpoint(files, { from: folder, mesh: target, root });
    expect(saved).toMatchObject({ name: "a~2", removed: [] });
    expect((await files.list(root)).map(({ name }) => name)).toEqual(["a", "a~2"]);
    expect((await verifyPath(files, root)).ok).toBe(true);
  });

  it("refuses a tag that is none, before anything is made", async () => {
    const { folder } = await source();
    const root = join(await tempDir(), "new");
    const refused = reshardCheckpoint(files, { from: folder, mesh: target, root, tag: "../up" });
    await expect(refused).rejects.toMatchObject({ code: "E_CHECKPOINT_STATE" });
    await expect(files.list(root)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("holds a few bands in memory and not the state, and reads the source once", async () => {
    const from = await tempDir();
    const mesh = new Mesh({ axes: ["tp"], devices: 4 });
    const columns = shardSpec({ partition: [1], meshAxes: ["tp"] });
    const rows = shardSpec({ partition: [0], meshAxes: ["tp"], cyclic: true });
    const wide = distribute(rand([256, 512], { seed: 1 }), { mesh, layout: columns });
    const tall = distribute(rand([1024, 128], { seed: 2, dtype: "bf16" }), { mesh, layout: rows });
    writeFixture({ root: from, tag: "a", state: { wide, tall }, mesh, writers: 4 });
    const stateBytes = 256 * 512 * 4 + 1024 * 128 * 2;
    const bandBytes = 16 * 1024;
    const { counting, seen } = countingFiles(from);
    const root = await tempDir();
    const layouts = (name: string) => (name === "wide" ? rows : columns);
    const wider = new Mesh({ axes: ["tp"], devices: 6 });
    const given = { from, mesh: wider, root, layouts, bandBytes };
    const { saved, readBytes } = await reshardCheckpoint(counting, given);
    expect(seen.heldMax).toBeGreaterThan(0);
    expect(seen.heldMax).toBeLessThanOrEqual(2 * bandBytes);
    expect(readBytes).toBe(stateBytes);
    expect(seen.dataRead).toBe(stateBytes);
    expect(await diffPaths(files, join(from, "a"), saved.folder)).toMatchObject({
      equal: true,
      byDigest: 2,
    });
    expect((await verifyPath(files, saved.folder)).ok).toBe(true);
  });

  it("commits nothing when what was written does not read back", async () => {
    const { folder } = await source();
    const root = await tempDir();
    const lying = {
      ...files,
      create: async (path: string) => {
        const writer = await files.create(path);
        const write = (bytes: Uint8Array, position: number) => {
          const isData = path.endsWith(".safetensors") && position > 0;
          return writer.write(isData ? bytes.map((byte) => byte ^ 1) : bytes, position);
        };
        return { ...writer, write };
      },
    };
    await expect(
      reshardCheckpoint(lying, { from: folder, mesh: target, root }),
    ).rejects.toMatchObject({
      code: "E_CHECKPOINT_WRITE",
      message: expect.stringContaining("piece-hash"),
    });
    expect(await files.list(root)).toEqual([]);
  });
});

/** Counts what was read of the tensors of a source and not written yet: that much is in memory. */
function countingFiles(source: string) {
  const seen = { dataRead: 0, held: 0, heldMax: 0 };
  const hold = (bytes: number) => {
    seen.held += bytes;
    seen.heldMax = Math.max(seen.heldMax, seen.held);
  };
  const counting: typeof files = {
    ...files,
    open: async (path) => {
      const reader = await files.open(path);
      if (!path.startsWith(source) || !path.endsWith(".safetensors")) return reader;
      const read = async (into: Uint8Array, position: number) => {
        const there = await reader.read(into, position);
        if (position > 0) seen.dataRead += there;
        if (position > 0) hold(there);
        return there;
      };
      return { ...reader, read };
    },
    create: async (path) => {
      const writer = await files.create(path);
      if (!path.endsWith(".safetensors")) return writer;
      const write = async (bytes: Uint8Array, position: number) => {
        await writer.write(bytes, position);
        if (position > 0) hold(-bytes.length);
      };
      return { ...writer, write };
    },
  };
  return { counting, seen };
}
