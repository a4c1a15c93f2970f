import { describe, expect, it } from "vitest";
import {
  diffPaths,
  inspectPath,
  verifyPath,
} from "../../../../src/runtime/checkpoint/examine/index.ts";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { load } from "../../../../src/runtime/checkpoint/load/index.ts";
import { save } from "../../../../src/runtime/checkpoint/save/index.ts";
import type { State } from "../../../../src/runtime/checkpoint/state.ts";
import { type DistTensor, distribute } from "../../../../src/runtime/dist/array/index.ts";
import { shardSpec } from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { rand } from "../../../../src/runtime/tensor/index.ts";
import { writeFixture } from "../../../support/checkpoint-fixture.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const files = createNodeFiles();
const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 2], devices: 6 });
const layout = shardSpec({ partition: [0], meshAxes: ["tp"], cyclic: true });

describe("what save writes", () => {
  it("is loaded as it was given, with numbers that JSON has not", async () => {
    const root = await tempDir();
    const w = distribute(rand([10, 4], { dtype: "bf16", seed: 3 }), { mesh, layout });
    const state = { model: { w }, odd: { $x: -0, list: [Number.NaN, 12n, null] }, step: 5 };
    await save("a", state, { root, mesh });
    const back = await load<State & { readonly model: { readonly w: DistTensor } }>("a", { root });
    expect(back.model.w.digest()).toBe(w.digest());
    expect(back.model.w.layout.equals(w.layout)).toBe(true);
    expect(back["odd"]).toEqual(state.odd);
    expect(Object.is((back["odd"] as { $x: number }).$x, -0)).toBe(true);
    expect((await verifyPath(files, root)).ok).toBe(true);
  });

  it("is what the description of the format says", async () => {
    const root = await tempDir();
    const w = distribute(rand([10, 4], { seed: 3 }), { mesh, layout });
    const state = { w, plain: rand([7], { dtype: "f64" }), step: 5 };
    const saved = await save("a", state, { root, mesh });
    const fixture = writeFixture({ root, tag: "b", step: 5, state, mesh, writers: 2 });
    const found = await diffPaths(files, saved.folder, fixture.folder);
    expect(found).toMatchObject({ equal: true, same: 2, byDigest: 2 });
    const [ours, theirs] = [
      await inspectPath(files, saved.folder),
      await inspectPath(files, fixture.folder),
    ];
    expect(ours.checkpoint?.planHash).toBe(theirs.checkpoint?.planHash);
    expect(ours.tensors.map(({ layout: laid }) => laid)).toEqual(
      theirs.tensors.map(({ layout: laid }) => laid),
    );
  });
});
