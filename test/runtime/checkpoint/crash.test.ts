import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import {
  type CheckpointFiles,
  lastCommitted,
  list,
  load,
  prune,
  type SaveOptions,
  type State,
  save,
  saveAsync,
  verifyPath,
} from "../../../src/runtime/checkpoint/index.ts";
import * as dist from "../../../src/runtime/dist/index.ts";
import * as tensor from "../../../src/runtime/tensor/index.ts";
import {
  type Crash,
  crashesOf,
  createMemoryFiles,
  type MemoryFiles,
  provenIn,
} from "../../support/checkpoint/index.ts";

const root = "/data/checkpoints";
const mesh = new dist.Mesh({ axes: ["dp"], devices: 2 });
const layout = dist.shardSpec({ partition: [0], meshAxes: ["dp"] });
/** Disks that are looked for after each change. */
const limit = 100;

interface Model extends State {
  readonly model: { readonly w: dist.DistTensor; readonly b: tensor.Tensor };
  readonly optimizer: { step: number; rate: number };
}

/** Two shards, a tensor of the host and some values, all different for each step. */
function stateOf(step: number): Model {
  const values = Float32Array.from({ length: 12 }, (_, at) => step * 100 + at);
  const w = dist.tensor({ values, shape: [4, 3] }, { mesh, layout });
  const b = tensor.fromValues([step, -0, Number.NaN], { dtype: "f64" });
  return { model: { w, b }, optimizer: { step, rate: step / 10 } };
}

function bitsOf({ model: { w, b }, optimizer }: Model) {
  return { w: w.digest(), layout: w.layout.describe(), b: b.digest(), optimizer };
}

interface Setting {
  readonly title: string;
  /** The steps that were saved before, the oldest first; each under its own tag. */
  readonly before: readonly number[];
  readonly work: (place: Place) => Promise<unknown>;
  /** What is asked for by tag afterwards. */
  readonly tag: string;
  /** The steps that the work commits, in their order. */
  readonly commits: readonly number[];
}
type Place = Required<Pick<SaveOptions, "root" | "files" | "clock">>;

const settings: readonly Setting[] = [
  {
    title: "a first save",
    before: [],
    work: (place) => save("s9", stateOf(9), place),
    tag: "s9",
    commits: [9],
  },
  {
    title: "a second tag",
    before: [1],
    work: (place) => save("s9", stateOf(9), place),
    tag: "s9",
    commits: [9],
  },
  {
    title: "the same tag again",
    before: [1],
    work: (place) => save("s1", stateOf(9), place),
    tag: "s1",
    commits: [9],
  },
  {
    title: "a save with retention",
    before: [1, 2, 3],
    work: (place) => save("s9", stateOf(9), { ...place, retention: { keep: 1 } }),
    tag: "s9",
    commits: [9],
  },
  {
    title: "pruning",
    before: [1, 2, 3, 4],
    work: (place) => prune({ ...place, keep: 1 }),
    tag: "s4",
    commits: [],
  },
  {
    title: "two saves in the background, of a state that goes on changing",
    before: [1],
    work: (place) => {
      const state = stateOf(8);
      const first = saveAsync("s8", state, place);
      Object.assign(state, stateOf(9));
      const second = saveAsync("s9", state, place);
      Object.assign(state, stateOf(0));
      return Promise.all([first.done, second.done]);
    },
    tag: "s9",
    commits: [8, 9],
  },
];

/** A disk with the checkpoints that were there before, everything synced. */
async function diskOf({ before }: Setting, clock: VirtualClock): Promise<MemoryFiles> {
  const files = createMemoryFiles({ nowMs: () => clock.nowMs() });
  for (const step of before) {
    await save(`s${step}`, stateOf(step), { root, files, clock });
    await clock.advance(1000);
  }
  return files.afterKill();
}

describe("after a crash at any change", () => {
  for (const setting of settings) {
    test(`of ${setting.title}, the newest checkpoint loads as it was saved, or the one before, and a save goes on`, async () => {
      const clock = new VirtualClock();
      const disk = await diskOf(setting, clock);
      const work = (files: MemoryFiles) => setting.work({ root, files, clock });
      const found = new Set<number | undefined>();
      let disks = 0;
      for await (const crash of crashesOf(disk, work, { limit })) {
        disks++;
        found.add(await judge(crash, setting, clock));
        await goesOn(crash, setting, clock);
      }
      const newest = setting.before.at(-1);
      expect([...found]).toEqual([newest, ...setting.commits]);
      expect(disks).toBeGreaterThan(5);
    });
  }
});

/** Holds what the library says about a disk against what was saved. @returns the step that loads */
async function judge(
  { files, after, resolved }: Crash,
  { before, tag, commits }: Setting,
  clock: VirtualClock,
): Promise<number | undefined> {
  const place = { root, files, clock };
  const summaries = await list(place);
  // What a crash leaves is unfinished or whole; nothing ever looks like damage.
  expect(summaries.filter(({ status }) => status === "damaged").map((one) => one.problem)).toEqual(
    [],
  );
  const committed = summaries.filter(({ status }) => status === "committed");
  const proven = await provenIn(files, root);
  const names = committed.map(({ name }) => name).toSorted();
  expect(names, after).toEqual(proven.map(({ name }) => name).toSorted());
  for (const { name, step } of committed) {
    const { ok, files: verdicts } = await verifyPath(files, `${root}/${name}`);
    expect(ok, `${after}: ${JSON.stringify(verdicts.filter((one) => !one.ok))}`).toBe(true);
    // The name of a tag's first save is the tag, which stands for the last one.
    const newer = committed.some((one) => name === one.tag && one.generation > 1);
    const state = newer ? undefined : await loaded(name, place);
    if (state !== undefined) expect(bitsOf(state), after).toEqual(bitsOf(stateOf(step ?? -1)));
  }
  const last = await lastCommitted(place);
  const step = last?.step ?? undefined;
  const wanted = [before.at(-1), ...commits];
  expect(resolved ? wanted.slice(-1) : wanted, after).toContain(step);
  if (step === undefined) {
    await expect(load(undefined, place)).rejects.toMatchObject({ code: "E_CHECKPOINT_MISSING" });
    return undefined;
  }
  expect(bitsOf(await loaded(undefined, place)), after).toEqual(bitsOf(stateOf(step)));
  const hasTag = committed.some((one) => one.tag === tag);
  if (hasTag) expect(bitsOf(await loaded(tag, place))).toEqual(bitsOf(stateOf(step)));
  else await expect(load(tag, place)).rejects.toMatchObject({ code: "E_CHECKPOINT_MISSING" });
  return step;
}

/** The state that load gives, without having to go back to an older one. */
function loaded(tag: string | undefined, place: Place): Promise<Model> {
  const onFallback = () => expect.unreachable("an older checkpoint had to be taken");
  return load<Model>(tag, { ...place, onFallback });
}

/**
 * Whatever was found, the next save of the same tag commits, and is what loads from then on. A day
 * later nothing is left of what was cut off.
 */
async function goesOn({ files, after }: Crash, { tag }: Setting, before: VirtualClock) {
  const clock = new VirtualClock({ epochMs: before.nowMs() + 86_400_000 });
  const place = { root, files, clock };
  await save(tag, stateOf(20), place);
  expect(bitsOf(await loaded(undefined, place)), after).toEqual(bitsOf(stateOf(20)));
  const summaries = await list(place);
  const steps = summaries.filter((one) => one.tag === tag).map(({ step }) => step);
  expect(steps, after).toEqual([20]);
  const committed = summaries.filter(({ status }) => status === "committed");
  const left = (await files.list(root)).map(({ name }) => name);
  expect(left, after).toEqual(committed.map(({ name }) => name).toSorted());
}

describe("a file system that forgets", () => {
  /** Nothing is ever synced by one of the two calls, though it says so. */
  const forgetting = (files: MemoryFiles, what: "bytes" | "names"): CheckpointFiles => ({
    makeFolder: (path) => files.makeFolder(path),
    ensureFolder: (path) => files.ensureFolder(path),
    open: (path) => files.open(path),
    rename: (from, to) => files.rename(from, to),
    list: (path) => files.list(path),
    remove: (path) => files.remove(path),
    syncFolder: async (path) => (what === "names" ? undefined : files.syncFolder(path)),
    create: async (path) => {
      const writer = await files.create(path);
      return what === "bytes" ? { ...writer, sync: async () => {} } : writer;
    },
  });

  test.each(["bytes", "names"] as const)(
    "%s that were said to be synced is found out by these tests",
    async (what) => {
      const clock = new VirtualClock();
      const files = createMemoryFiles();
      await files.ensureFolder(root);
      await save("s1", stateOf(1), { root, files: forgetting(files, what), clock });
      let lost = 0;
      for (const found of files.states({ limit, seed: what })) {
        const place = { root, files: found, clock };
        const isThere = await loaded(undefined, place).then(
          () => true,
          () => false,
        );
        if (!isThere) lost++;
      }
      expect(lost).toBeGreaterThan(0);
    },
  );

  test("neither is found to have lost nothing", async () => {
    const clock = new VirtualClock();
    const files = createMemoryFiles();
    await files.ensureFolder(root);
    await save("s1", stateOf(1), { root, files, clock });
    for (const found of files.states({ limit, seed: "none" })) {
      const state = await loaded(undefined, { root, files: found, clock });
      expect(bitsOf(state)).toEqual(bitsOf(stateOf(1)));
    }
  });
});
