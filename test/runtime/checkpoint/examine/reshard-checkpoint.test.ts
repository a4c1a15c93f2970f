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
});
