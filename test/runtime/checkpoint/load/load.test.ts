import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  lastCommitted,
  list,
  load,
  restore,
} from "../../../../src/runtime/checkpoint/load/index.ts";
import type { LoadedCheckpoint } from "../../../../src/runtime/checkpoint/options.ts";
import type { State } from "../../../../src/runtime/checkpoint/state.ts";
import { rand, type Tensor } from "../../../../src/runtime/tensor/index.ts";
import { type FixtureOptions, writeFixture } from "../../../support/checkpoint-fixture.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const w = rand([5, 7], { seed: 1 });
const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;

/** A checkpoint whose state says which it is. */
function written(root: string, options: Partial<FixtureOptions> & { readonly tag: string }) {
  const { tag, generation = 1 } = options;
  return writeFixture({ root, state: { w, me: `${tag}~${generation}` }, ...options });
}

/** Makes the data of a checkpoint bad, and nothing else. */
function damage({
  folder,
  shards,
}: {
  readonly folder: string;
  readonly shards: readonly string[];
}) {
  const path = join(folder, shards[0] as string);
  writeFileSync(path, Buffer.from([0xff]), { flag: "r+" });
}

interface Model extends State {
  readonly model: { readonly w: Tensor; readonly empty: Tensor; readonly scalar: Tensor };
  readonly optimizer: { readonly lr: number; readonly moments: readonly [Tensor, null] };
}

describe("load", () => {
  it("gives back the state that was saved, tensors without elements and dimensions included", async () => {
    const root = await tempDir();
    const empty = rand([0, 3], { dtype: "bf16" });
    const scalar = rand([], { dtype: "f64", seed: 2 });
    const state = { model: { w, empty, scalar }, optimizer: { lr: 1, moments: [w, null] } };
    writeFixture({ root, tag: "step100", step: 100, state });
    const { model, optimizer } = await load<Model>("step100", { root });
    expect(model.w.digest()).toBe(w.digest());
    expect(model.empty.toString()).toBe("bf16[0, 3]");
    expect(model.scalar.digest()).toBe(scalar.digest());
    expect(optimizer.lr).toBe(1);
    expect(optimizer.moments[0].digest()).toBe(w.digest());
    expect(optimizer.moments[1]).toBe(null);
  });

  it("takes the last committed checkpoint without a tag, and the last save of a tag", async () => {
    const root = await tempDir();
    written(root, { tag: "b", step: 20, createdAt: day(1) });
    written(root, { tag: "a", step: 10, createdAt: day(2) });
    written(root, { tag: "b", generation: 2, step: 20, createdAt: day(3) });
    expect(await load(undefined, { root })).toMatchObject({ me: "b~2" });
    expect(await load("a", { root })).toMatchObject({ me: "a~1" });
    expect(await load("b", { root })).toMatchObject({ me: "b~2" });
    expect(await load("b~2", { root })).toMatchObject({ me: "b~2" });
    const { name, tag, step, refused } = await restore("b", { root });
    expect({ name, tag, step, refused }).toEqual({ name: "b~2", tag: "b", step: 20, refused: [] });
  });

  it("takes the newest older one when it is damaged, and says so", async () => {
    const root = await tempDir();
    written(root, { tag: "step1", step: 1 });
    written(root, { tag: "step2", step: 2 });
    const wanted = written(root, { tag: "step3", step: 3 });
    written(root, { tag: "step4", step: 4 });
    damage(wanted);
    const heard: LoadedCheckpoint[] = [];
    const state = await load("step3", { root, onFallback: (loaded) => void heard.push(loaded) });
    expect(state).toMatchObject({ me: "step2~1" });
    expect(heard).toMatchObject([
      {
        name: "step2",
        refused: [{ name: "step3", file: wanted.shards[0], rule: "header-hash" }],
      },
    ]);
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    await load("step3", { root });
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/step2 .*step3/), {
      code: "TESSERA_CHECKPOINT_FALLBACK",
    });
    warn.mockClear();
    await load("step4", { root });
    expect(warn).not.toHaveBeenCalled();
  });

  it("prefers an earlier save of the tag to any other checkpoint", async () => {
    const root = await tempDir();
    written(root, { tag: "other", step: 99, createdAt: day(2) });
    written(root, { tag: "mine", step: 50, createdAt: day(1) });
    damage(written(root, { tag: "mine", generation: 2, step: 100, createdAt: day(3) }));
    const { name, refused } = await restore("mine", { root });
    expect(name).toBe("mine");
    expect(refused.map((one) => one.name)).toEqual(["mine~2"]);
  });

  it("takes no checkpoint that is newer than the damaged one", async () => {
    const root = await tempDir();
    damage(written(root, { tag: "step1", step: 1 }));
    written(root, { tag: "step2", step: 2 });
    await expect(restore("step1", { root })).rejects.toMatchObject({
      code: "E_CHECKPOINT_CORRUPT",
      details: { checkpoint: "step1", rule: "header-hash" },
    });
  });

  it("names all that is damaged when nothing is good, and the first problem when it may not go back", async () => {
    const root = await tempDir();
    damage(written(root, { tag: "step1", step: 1 }));
    damage(written(root, { tag: "step2", step: 2 }));
    await expect(restore("step2", { root })).rejects.toMatchObject({
      code: "E_CHECKPOINT_CORRUPT",
      details: { checkpoint: "step2", refused: [{ name: "step2" }, { name: "step1" }] },
    });
    written(root, { tag: "step0", step: 0 });
    await expect(restore("step2", { root, onDamage: "throw" })).rejects.toMatchObject({
      code: "E_CHECKPOINT_CORRUPT",
      details: { checkpoint: "step2", file: expect.stringMatching(/^shard/), rule: "header-hash" },
    });
    expect((await restore("step2", { root })).refused.map(({ name }) => name)).toEqual([
      "step2",
      "step1",
    ]);
  });

  it("knows no checkpoint that was never committed, nor one that is not there", async () => {
    const root = await tempDir();
    const missing = { code: "E_CHECKPOINT_MISSING" };
    await expect(load("a", { root: join(root, "nowhere") })).rejects.toMatchObject(missing);
    await expect(load("a", { root })).rejects.toThrow(`no committed checkpoint \`a\` in ${root}: `);
    await expect(load(undefined, { root })).rejects.toThrow(`no committed checkpoint in ${root}: `);
    await expect(load(undefined, { root })).rejects.toMatchObject(missing);
    rmSync(join(written(root, { tag: "a", step: 1 }).folder, "COMMIT"));
    await expect(load("a", { root })).rejects.toThrow(/never finished/);
    await expect(load(undefined, { root })).rejects.toMatchObject(missing);
    written(root, { tag: "b", step: 0 });
    await expect(load("a", { root })).rejects.toMatchObject(missing);
    await expect(load("../a", { root })).rejects.toMatchObject(missing);
    expect(await load(undefined, { root })).toMatchObject({ me: "b~1" });
  });

  it("takes the save before one that was never finished, without a word", async () => {
    const root = await tempDir();
    written(root, { tag: "a", step: 1 });
    rmSync(join(written(root, { tag: "a", generation: 2, step: 2 }).folder, "COMMIT"));
    const { name, refused } = await restore("a", { root });
    expect({ name, refused }).toEqual({ name: "a", refused: [] });
  });

  it("says when the root is no folder", async () => {
    const path = join(await tempDir(), "file");
    writeFileSync(path, "");
    await expect(load("a", { root: path })).rejects.toMatchObject({ code: "E_FILE_READ" });
    await expect(list({ root: path })).rejects.toMatchObject({ code: "E_FILE_READ" });
  });

  it("leaves out tensors that are not asked for, and does not read them", async () => {
    const root = await tempDir();
    const state = { a: rand([64]), b: { c: rand([32]), list: [rand([16]), 1] } };
    writeFixture({ root, tag: "x", state });
    const loaded = await restore("x", { root, only: (name) => name === "a" });
    expect(Object.keys(loaded.state)).toEqual(["a", "b"]);
    expect(loaded.state["b"]).toEqual({ list: [null, 1] });
    expect(loaded.readBytes).toBe(256);
    expect(loaded.stateBytes).toBe(256);
  });

  it("stops when it is told to", async () => {
    const root = await tempDir();
    written(root, { tag: "a" });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(load("a", { root, signal })).rejects.toThrow("enough");
  });

  it("looks again when a save has just replaced what it found", async () => {
    const root = await tempDir();
    const first = written(root, { tag: "a", step: 1 });
    const { createNodeFiles } = await import("../../../../src/runtime/checkpoint/files/index.ts");
    const real = createNodeFiles();
    let isReplaced = false;
    const files = {
      ...real,
      open: async (path: string) => {
        if (path.endsWith(".safetensors") && !isReplaced) {
          isReplaced = true;
          written(root, { tag: "a", generation: 2, step: 2 });
          rmSync(first.folder, { recursive: true });
        }
        return real.open(path);
      },
    };
    const { name, refused } = await restore("a", { root, files });
    expect({ name, refused }).toEqual({ name: "a~2", refused: [] });
  });
});

describe("list", () => {
  it("tells committed, damaged and unfinished ones apart, newest first", async () => {
    const root = await tempDir();
    expect(await list({ root: join(root, "nowhere") })).toEqual([]);
    expect(await lastCommitted({ root })).toBe(undefined);
    written(root, { tag: "step10", step: 10, createdAt: day(4) });
    written(root, { tag: "step9", step: 9, createdAt: day(3) });
    rmSync(join(written(root, { tag: "step11", step: 11, createdAt: day(5) }).folder, "COMMIT"));
    writeFileSync(join(written(root, { tag: "step12", step: 12 }).folder, "manifest.json"), "{}");
    written(root, { tag: ".tmp-step13-x", step: 13 });
    symlinkSync(join(root, "step10"), join(root, "step14"));
    const found = await list({ root });
    expect(found.map(({ name, status }) => [name, status])).toEqual([
      ["step12", "damaged"],
      ["step11", "uncommitted"],
      ["step10", "committed"],
      ["step9", "committed"],
    ]);
    expect(found[0]?.problem).toMatch(/manifest/);
    expect(found[2]).toMatchObject({ step: 10, createdAt: day(4), generation: 1 });
    expect(await lastCommitted({ root })).toMatchObject({ name: "step10" });
  });

  it("goes by commits and not by steps, with load, lastCommitted and the way back in agreement", async () => {
    const root = await tempDir();
    // The run went back from step 120 to step 100, and has come to step 110 again.
    written(root, { tag: "step100", step: 100, createdAt: day(1) });
    const abandoned = written(root, { tag: "step120", step: 120, createdAt: day(2) });
    const last = written(root, { tag: "step110", step: 110, createdAt: day(3) });
    const names = ["step110", "step120", "step100"];
    expect((await list({ root })).map(({ name }) => name)).toEqual(names);
    expect(await lastCommitted({ root })).toMatchObject({ name: "step110" });
    const loaded = await restore(undefined, { root });
    expect(loaded.name).toBe("step110");
    expect(loaded.notes).toEqual([
      expect.stringMatching(/^STEP_WENT_BACK step110 with step 110 .*after step120 with step 120/),
    ]);
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    expect(await load(undefined, { root })).toMatchObject({ me: "step110~1" });
    expect(warn).toHaveBeenCalledExactlyOnceWith(loaded.notes[0], {
      code: "TESSERA_CHECKPOINT_STEP_WENT_BACK",
    });
    // By its tag, the abandoned one is still there; what was committed after it never stands in for it.
    expect((await restore("step120", { root })).notes).toEqual([]);
    damage(abandoned);
    expect((await restore("step120", { root })).name).toBe("step100");
    damage(last);
    const { name, refused, notes } = await restore(undefined, { root });
    expect({ name, notes }).toEqual({ name: "step100", notes: [] });
    expect(refused.map((one) => one.name)).toEqual(["step110", "step120"]);
  });

  it("says nothing about steps that only went forward", async () => {
    const root = await tempDir();
    written(root, { tag: "step1", step: 1, createdAt: day(1) });
    written(root, { tag: "step2", step: 2, createdAt: day(2) });
    expect((await restore(undefined, { root })).notes).toEqual([]);
  });

  it("goes by time where steps are not known", async () => {
    const root = await tempDir();
    written(root, { tag: "best", step: null, createdAt: day(2) });
    written(root, { tag: "step9", step: 9, createdAt: day(1) });
    expect(await lastCommitted({ root })).toMatchObject({ name: "best" });
    written(root, { tag: "step1", step: 1, createdAt: day(3) });
    expect((await list({ root })).map(({ name }) => name)).toEqual(["step1", "best", "step9"]);
  });
});
