import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { restore } from "../../../../src/runtime/checkpoint/load/index.ts";
import type { State } from "../../../../src/runtime/checkpoint/state.ts";
import { type DistTensor, distribute } from "../../../../src/runtime/dist/array/index.ts";
import {
  type LayoutSpec,
  localSlices,
  type Placement,
  replicate,
  shard,
  shardSpec,
} from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { bytesOf } from "../../../../src/runtime/tensor/dtype/index.ts";
import { type DType, dtypes, Tensor, zeros } from "../../../../src/runtime/tensor/index.ts";
import { writeFixture } from "../../../support/checkpoint-fixture.ts";
import { tempDir } from "../../../support/temp-dir.ts";

interface Weights extends State {
  readonly w: DistTensor;
}

/** A tensor whose every byte is different from its neighbours, NaN payloads included. */
function marked(shape: readonly number[], dtype: DType): Tensor {
  const { raw } = zeros(shape, { dtype });
  const bytes = bytesOf(raw);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (at * 167 + (at >> 8) * 31 + 13) & 0xff;
  return Tensor.over(raw, { dtype, shape });
}

const axisNames = ["tp", "pp", "dp"];

const meshes = fc
  .subarray(axisNames, { minLength: 1 })
  .chain((axes) =>
    fc.tuple(
      fc.shuffledSubarray(axes, { minLength: axes.length }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: axes.length, maxLength: axes.length }),
    ),
  )
  .map(([axes, shape]) => {
    return new Mesh({ axes, shape, devices: shape.reduce((product, size) => product * size, 1) });
  });

function placements(rank: number): fc.Arbitrary<Placement> {
  const none = fc.constant<Placement>({ kind: "replicate" });
  if (rank === 0) return none;
  const dim = fc.nat({ max: rank - 1 });
  return fc.oneof(
    none,
    dim.map((at) => shard(at)),
    dim.map((at) => shard(at, { split: "balanced" })),
    dim.map((at) => shard(at, { split: "cyclic" })),
    fc.tuple(dim, fc.integer({ min: 1, max: 4 })).map(([at, block]) => shard(at, { block })),
    fc.tuple(dim, fc.nat({ max: 2 })).map(([at, order]) => shard(at, { order })),
  );
}

const shapes = fc.array(fc.nat({ max: 9 }), { maxLength: 3 });

const cases = fc.tuple(meshes, meshes, shapes).chain(([from, to, shape]) =>
  fc.record({
    from: fc.constant(from),
    to: fc.constant(to),
    shape: fc.constant(shape),
    layout: fc.tuple(...from.axes.map(() => placements(shape.length))),
    other: fc.option(fc.tuple(...to.axes.map(() => placements(shape.length))), { nil: undefined }),
    dtype: fc.constantFrom(...dtypes),
    pieceElements: fc.integer({ min: 1, max: 40 }),
    writers: fc.integer({ min: 1, max: 4 }),
  }),
);

describe("a load onto another mesh", () => {
  it("gives every tensor its digest and a valid sharding, whatever the meshes and layouts", async () => {
    const root = await tempDir();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const { from, to, shape, layout, other, dtype, pieceElements, writers } = one;
        const whole = marked(shape, dtype);
        const w = distribute(whole, { mesh: from, layout });
        const width = whole.raw.BYTES_PER_ELEMENT;
        const tag = `t${number++}`;
        const pieceBytes = pieceElements * width;
        writeFixture({ root, tag, step: 1, state: { w }, mesh: from, writers, pieceBytes });
        const layouts = other === undefined ? {} : { layouts: () => other };
        const loaded = await restore<Weights>(tag, { root, remapTo: to, ...layouts });
        expect(loaded.state.w.digest()).toBe(whole.digest());
        expect(loaded.state.w.shardingReport().errors).toEqual([]);
        expect(loaded.state.w.mesh).toBe(to);
        expect(loaded.readBytes).toBe(whole.size * width);
        await oneRank(tag, { root, to, whole, other });
        rmSync(join(root, tag), { recursive: true });
      }),
      { numRuns: 150 },
    );
  });

  /** What the last rank alone reads is its part, from no more pieces than hold it. */
  async function oneRank(
    tag: string,
    given: { root: string; to: Mesh; whole: Tensor; other: readonly Placement[] | undefined },
  ): Promise<void> {
    const { root, to, whole, other } = given;
    const rank = to.size - 1;
    const layouts = other === undefined ? {} : { layouts: () => other };
    const { state, readBytes, stateBytes } = await restore<Weights>(tag, {
      root,
      remapTo: to,
      rank,
      ...layouts,
    });
    const { shape } = whole;
    const slices = localSlices(state.w.layout, { mesh: to, shape, rank });
    const part = distribute(whole, { mesh: to, layout: state.w.layout }).local(rank);
    expect(state.w.local(rank).digest()).toBe(part.digest());
    expect(state.w.local(rank).shape).toEqual(slices.map(({ count }) => count));
    expect(stateBytes).toBe(part.size * whole.raw.BYTES_PER_ELEMENT);
    expect(readBytes).toBeLessThanOrEqual(whole.size * whole.raw.BYTES_PER_ELEMENT);
    if (part.size === 0) expect(readBytes).toBe(0);
  }

  const rows = shardSpec({ partition: [0], meshAxes: ["tp"] });
  const grid = shardSpec({ partition: [0, 1], meshAxes: ["tp", "pp"] });
  const fixed: readonly [name: string, from: Mesh, to: Mesh, layout: LayoutSpec][] = [
    [
      "72 to 64",
      new Mesh({ axes: ["tp", "dp"], shape: [36, 2], devices: 72 }),
      new Mesh({ axes: ["tp", "dp"], shape: [32, 2], devices: 64 }),
      rows,
    ],
    [
      "1024 to 72",
      new Mesh({ axes: ["tp", "dp"], shape: [128, 8], devices: 1024 }),
      new Mesh({ axes: ["tp", "dp"], shape: [12, 6], devices: 72 }),
      shardSpec({ partition: [0, 1], meshAxes: ["tp", "dp"], split: ["ceil", "cyclic"] }),
    ],
    [
      "tp6 pp6 dp2 to tp8 dp9",
      new Mesh({ axes: ["tp", "pp", "dp"], shape: [6, 6, 2], devices: 72 }),
      new Mesh({ axes: ["tp", "dp"], shape: [8, 9], devices: 72 }),
      grid,
    ],
  ];
  it.each(fixed)("goes from %s devices", async (_, from, to, layout) => {
    const root = await tempDir();
    const whole = marked([130, 37], "bf16");
    const w = distribute(whole, { mesh: from, layout });
    writeFixture({ root, tag: "a", state: { w }, mesh: from, writers: 5, pieceBytes: 64 });
    const loaded = await restore<Weights>("a", { root, remapTo: to });
    expect(loaded.state.w.digest()).toBe(whole.digest());
    expect(loaded.state.w.shardingValid()).toBe(true);
    expect(loaded.notes).toHaveLength(1);
    expect(loaded.notes[0]).toMatch(
      from.size === to.size ? /^MESH_CHANGED/ : /^WORLD_SIZE_CHANGED/,
    );
    expect(loaded.notes[0]).toMatch(/not bitwise/);
  });

  it("keeps placements by the axes' names, and the order in which axes split a dimension", async () => {
    const root = await tempDir();
    const from = new Mesh({ axes: ["tp", "pp", "dp"], shape: [2, 3, 2], devices: 12 });
    const whole = marked([24, 5], "f32");
    const layout = shardSpec({ partition: [0], meshAxes: [["tp", "pp"]] });
    const w = distribute(whole, { mesh: from, layout });
    writeFixture({ root, tag: "a", state: { w }, mesh: from });
    const to = new Mesh({ axes: ["ep", "pp", "tp"], shape: [2, 3, 2], devices: 12 });
    const { state } = await restore<Weights>("a", { root, remapTo: to });
    expect(state.w.layout.describe()).toBe("ep: R, pp: S(0) level 1, tp: S(0) level 0");
    const [ours, theirs] = [to.rankOf([0, 1, 1]), from.rankOf([1, 1, 0])];
    expect(state.w.local(ours).digest()).toBe(w.local(theirs).digest());
    const same = await restore<Weights>("a", { root });
    expect(same.state.w.layout.equals(w.layout)).toBe(true);
    expect(same.notes).toEqual([]);
  });

  it("reads of a rank's part its pieces alone", async () => {
    const root = await tempDir();
    const whole = marked([64, 8], "f32");
    writeFixture({ root, tag: "a", state: { w: whole }, pieceBytes: 4 * 32 });
    const remapTo = new Mesh({ axes: ["tp"], devices: 4 });
    const ask = (dim: number) => {
      const layouts = () => shardSpec({ partition: [dim], meshAxes: ["tp"] });
      return restore<Weights>("a", { root, remapTo, layouts, rank: 1 });
    };
    expect(await ask(0)).toMatchObject({ readBytes: 512, stateBytes: 512 });
    // Of columns every row has some, and a piece is read whole.
    expect(await ask(1)).toMatchObject({ readBytes: 2048, stateBytes: 512 });
  });

  it("shares the memory of replicas", async () => {
    const root = await tempDir();
    const mesh = new Mesh({ axes: ["dp"], devices: 4 });
    const w = distribute(marked([8], "f64"), { mesh, layout: replicate() });
    writeFixture({ root, tag: "a", state: { w }, mesh });
    const { state, stateBytes } = await restore<Weights>("a", { root });
    expect(state.w.local(0)).toBe(state.w.local(3));
    expect(stateBytes).toBe(64);
  });

  it("refuses a layout that the mesh cannot have, a rank that it has not, and other ranks' parts", async () => {
    const root = await tempDir();
    const mesh = new Mesh({ axes: ["tp"], devices: 2 });
    const w = distribute(marked([4], "u8"), {
      mesh,
      layout: shardSpec({ partition: [0], meshAxes: ["tp"] }),
    });
    writeFixture({ root, tag: "a", state: { w, plain: marked([3], "u8") }, mesh });
    const refused = { code: "E_CHECKPOINT_LAYOUT" };
    const ask = (options: object) => restore<Weights>("a", { root, ...options });
    await expect(
      ask({ layouts: () => shardSpec({ partition: [0], meshAxes: ["dp"] }) }),
    ).rejects.toMatchObject(refused);
    await expect(ask({ layouts: () => ({ kind: "partial", op: "sum" }) })).rejects.toMatchObject(
      refused,
    );
    await expect(ask({ remapTo: mesh, rank: 2 })).rejects.toMatchObject(refused);
    await expect(ask({ rank: -1 })).rejects.toMatchObject(refused);
    const { state } = await ask({ rank: 1 });
    expect(state.w.local(1).toArray()).toEqual(w.local(1).toArray());
    expect(() => state.w.local(0)).toThrow(/only one rank/);
    expect(state["plain"]).toBeInstanceOf(Tensor);
  });

  it("refuses to lay out on a mesh when there is none", async () => {
    const root = await tempDir();
    writeFixture({ root, tag: "a", state: { w: marked([4], "u8") } });
    const layouts = () => replicate();
    await expect(restore("a", { root, layouts })).rejects.toMatchObject({
      code: "E_CHECKPOINT_LAYOUT",
    });
    const remapTo = new Mesh({ axes: ["tp"], devices: 2 });
    const { state } = await restore<Weights>("a", { root, layouts, remapTo });
    expect(state.w.shardingValid()).toBe(true);
    const plain = await restore("a", { root, remapTo });
    expect(plain.state["w"]).toBeInstanceOf(Tensor);
  });
});
