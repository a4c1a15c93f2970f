import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createNodeFiles } from "../../../../src/runtime/checkpoint/files/index.ts";
import { save } from "../../../../src/runtime/checkpoint/save/index.ts";
import { provenIn } from "../../../support/checkpoint/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { dist, fault, tensor } from "./runtime.ts";
import { codeOf, manifestIn, namesIn, place, root } from "./support.ts";

const mesh = new dist.Mesh({ axes: ["tp", "dp"], devices: 6, shape: [3, 2] });
const rows = dist.shardSpec({ partition: [0], meshAxes: ["tp"] });

function counted(shape: readonly number[], layout: dist.LayoutSpec = rows) {
  const size = shape.reduce((product, length) => product * length, 1);
  const values = Float32Array.from({ length: size }, (_, at) => at);
  return dist.tensor({ values, shape }, { mesh, layout });
}

describe("what a save holds", () => {
  test("every tensor's digest is the one it has in memory, whatever its layout", async () => {
    const layouts: readonly dist.LayoutSpec[] = [
      rows,
      dist.shardSpec({ partition: [1], meshAxes: ["dp"] }),
      dist.shardSpec({ partition: [0, 1], meshAxes: ["dp", "tp"], cyclic: true }),
      dist.replicate(),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 2, maxLength: 3 }),
        fc.constantFrom(...layouts),
        fc.integer({ min: 64, max: 200 }),
        async (shape, layout, pieceBytes) => {
          const { files, clock } = place();
          const x = counted(shape, layout);
          const whole = x.toTensor();
          await save("a", { x, whole, y: whole.transpose() }, { root, files, clock, pieceBytes });
          const [proven] = await provenIn(files, root);
          expect(proven?.digests.get("x")).toBe(whole.digest());
          expect(proven?.digests.get("y")).toBe(whole.transpose().digest());
          const { tensors } = manifestIn(files, "a");
          const bytes = tensors.map(({ chunks }) =>
            chunks.reduce((sum, one) => sum + one.bytes, 0),
          );
          expect(bytes).toEqual([4 * whole.size, 4 * whole.size, 4 * whole.size]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("the bytes of a chunk are the elements of its box, and no other rank writes them", async () => {
    const { files, clock } = place();
    const x = counted([6, 4], dist.shardSpec({ partition: [0, 1], meshAxes: ["tp", "dp"] }));
    await save("a", { x }, { root, files, clock });
    const [proven] = await provenIn(files, root);
    expect([...(proven?.chunks.keys() ?? [])].toSorted()).toEqual([
      "x@0,0",
      "x@0,2",
      "x@2,0",
      "x@2,2",
      "x@4,0",
      "x@4,2",
    ]);
    const bytes = proven?.chunks.get("x@2,2")?.slice() ?? new Uint8Array(0);
    expect([...new Float32Array(bytes.buffer)]).toEqual([10, 11, 14, 15]);
    expect(manifestIn(files, "a").files).toHaveLength(6);
  });

  test("replicas are written once, and by different ranks in turn", async () => {
    const { files, clock } = place();
    const state = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`w${at}`, counted([8], dist.replicate())]),
    );
    await save("a", state, { root, files, clock });
    const { files: shards, tensors } = manifestIn(files, "a");
    expect(shards).toHaveLength(6);
    const each = shards.map(({ name }) => tensors.filter((one) => one.chunks[0]?.file === name));
    expect(each.map(({ length }) => length)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  test("large pieces are hashed as well as small ones", async () => {
    const { files, clock } = place();
    const x = tensor.randn([300, 1024], { seed: 3 });
    await save("a", { x, half: x.to("bf16") }, { root, files, clock, pieceBytes: 1 << 19 });
    const [proven] = await provenIn(files, root);
    expect(proven?.digests.get("x")).toBe(x.digest());
    expect(proven?.digests.get("half")).toBe(x.to("bf16").digest());
    expect(manifestIn(files, "a").tensors[1]?.chunks[0]?.pieces).toHaveLength(3);
  });

  test("empty and single-number tensors are there, and a state without tensors too", async () => {
    const { files, clock } = place();
    const state = { none: tensor.zeros([0, 3]), one: tensor.fromValues(7) };
    await save("a", state, { root, files, clock });
    const { tensors } = manifestIn(files, "a");
    expect(tensors.map(({ chunks }) => chunks.map(({ key }) => key))).toEqual([[], ["one@"]]);
    expect(tensors[0]?.digest).toBe(tensor.zeros([0, 3]).digest());
    await save("b", { lr: 0.1, betas: [0.9, 0.99] }, { root, files, clock });
    expect(manifestIn(files, "b").files).toEqual([]);
    expect(await provenIn(files, root)).toHaveLength(2);
  });

  test("it works on a real disk, and the folder has nothing else in it", async () => {
    const folder = await tempDir();
    const saved = await save("a", { x: counted([6, 4]), step: 3 }, { root: `${folder}/deep/root` });
    expect(saved).toMatchObject({ name: "a", step: 3, tensors: 1, files: 3, removed: [] });
    const [proven] = await provenIn(createNodeFiles(), `${folder}/deep/root`);
    expect(proven?.digests.get("x")).toBe(counted([6, 4]).digest());
  });
});

describe("what is refused", () => {
  test("replicas with different bits, by tensor and rank, before anything is written", async () => {
    const { files, clock } = place();
    const x = counted([6, 4]).withBitFlip({ rank: 3, index: 1, bit: 0 });
    const refused = save("a", { model: { x } }, { root, files, clock });
    await expect(refused).rejects.toMatchObject({ code: "E_CHECKPOINT_STATE" });
    await expect(refused).rejects.toThrow(
      "model/x has other bits on rank 3 than on its replica, rank 2",
    );
    expect(files.operations).toBe(0);
    await save("a", { model: { x: counted([6, 4]) } }, { root, files, clock });
  });

  test("sums that are not finished", async () => {
    const { files, clock } = place();
    const x = counted([6], dist.partial("sum"));
    await expect(save("a", { x }, { root, files, clock })).rejects.toThrow(
      "x holds partial values",
    );
  });

  test("a model and an optimizer of different steps; the same step is fine", async () => {
    const { files, clock } = place();
    const state = { model: { step: 4 }, optimizer: { step: 5 } };
    await expect(save("a", state, { root, files, clock })).rejects.toThrow(
      "model/step is 4 and optimizer/step is 5",
    );
    expect(await codeOf(save("a", { step: 1 }, { root, files, clock, step: 2 }))).toBe(
      "E_CHECKPOINT_STATE",
    );
    const saved = await save("a", { optimizer: { step: 5 }, step: 5 }, { root, files, clock });
    expect(saved.step).toBe(5);
  });

  test.each(["", ".hidden", "a/b", "a~2", "..", "x".repeat(129), "a b"])(
    "the tag %j",
    async (tag) => {
      const { files, clock } = place();
      expect(await codeOf(save(tag, {}, { root, files, clock }))).toBe("E_CHECKPOINT_STATE");
      expect(files.operations).toBe(0);
    },
  );

  test("a tensor on another mesh than the rest", async () => {
    const { files, clock } = place();
    const other = dist.tensor([4], { mesh: new dist.Mesh({ devices: 2 }) });
    const state = { a: counted([6]), b: other };
    const refused = save("a", state, { root, files, clock });
    await expect(refused).rejects.toThrow(
      /b lies on .*2 devices.*, and .* on .*: a checkpoint has one mesh/,
    );
    await expect(refused).rejects.toMatchObject({ hint: expect.stringMatching(/each mesh.*own/) });
    await save("a", { a: state.a }, { root, files, clock });
    await save("b", { b: other }, { root, files, clock });
    expect(await namesIn(files)).toEqual(["a", "b"]);
  });

  test("a part that only dead devices hold; a living replica is enough", async () => {
    const { files, clock } = place();
    const x = counted([6, 4]);
    await fault.inject({ dropDevice: 2 }, async () => {
      await save("a", { x }, { root, files, clock });
    });
    const [proven] = await provenIn(files, root);
    expect(proven?.digests.get("x")).toBe(x.digest());
    const code = await fault.inject({ dropDevice: 2 }, () =>
      fault.inject({ dropDevice: 3 }, () => codeOf(save("b", { x }, { root, files, clock }))),
    );
    expect(code).toBe("E_DEVICE_LOST");
  });
});

describe("saves of the same tag", () => {
  test("the second takes the next number and removes the first", async () => {
    const { files, clock } = place();
    await save("a", { step: 1 }, { root, files, clock });
    const saved = await save("a", { step: 2 }, { root, files, clock });
    expect(saved).toMatchObject({ name: "a~2", removed: ["a"] });
    expect(await namesIn(files)).toEqual(["a~2"]);
  });

  test("a tensor that is new since the last save is in the next one", async () => {
    const { files, clock } = place();
    await save("a", { model: { w: counted([6]) } }, { root, files, clock });
    await save("a", { model: { w: counted([6]), v: counted([3]) } }, { root, files, clock });
    const { tensors } = manifestIn(files, "a~2");
    expect(tensors.map(({ name }) => name)).toEqual(["model/v", "model/w"]);
  });

  test("two processes at once both commit, under different numbers", async () => {
    const { files, clock } = place();
    // Another process has other queues: its file system is another object.
    const theirs = Object.create(files) as typeof files;
    const bound = new Proxy(theirs, {
      get: (_, name) => {
        const value: unknown = Reflect.get(files, name, files);
        return typeof value === "function" ? value.bind(files) : value;
      },
    });
    const all = await Promise.all([
      save("a", { step: 1, x: counted([6]) }, { root, files, clock }),
      save("a", { step: 2, x: counted([6]) }, { root, files: bound, clock }),
    ]);
    const names = all.map(({ name }) => name).toSorted();
    expect(names).toEqual(["a", "a~2"]);
    const proven = await provenIn(files, root);
    expect(proven.at(-1)?.name).toBe("a~2");
    expect((await namesIn(files)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("the number is above any that is there, committed or not", async () => {
    const { files, clock } = place();
    await files.ensureFolder(`${root}/a~5`);
    expect((await save("a", { step: 1 }, { root, files, clock })).name).toBe("a~6");
  });

  test("a folder of somebody else under that name is left alone", async () => {
    const { files, clock } = place();
    await files.ensureFolder(`${root}/a`);
    files.plant(`${root}/a/notes.txt`, "mine");
    const saved = await save("a", { step: 1 }, { root, files, clock });
    expect(saved.name).toBe("a~2");
    expect(files.bytesOf(`${root}/a/notes.txt`)).toBeDefined();
  });
});
