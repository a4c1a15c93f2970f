import { expect, test } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import type { SaveOptions } from "../../../../src/runtime/checkpoint/options.ts";
import { save } from "../../../../src/runtime/checkpoint/save/index.ts";
import type { State } from "../../../../src/runtime/checkpoint/state.ts";
import {
  createMemoryFiles,
  type MemoryFiles,
  PowerLoss,
  type ProvenCheckpoint,
  provenIn,
} from "../../../support/checkpoint/index.ts";
import { worldHere } from "../../ranks/support/here.ts";
import { dist, tensor } from "./runtime.ts";

const root = "/data/checkpoints";
const hourMs = 3_600_000;
const mesh = new dist.Mesh({ axes: ["dp"], devices: 2 });

/** Two shards, a replicated tensor and some values, all different for each step. */
function stateOf(step: number): State {
  const values = Float32Array.from({ length: 12 }, (_, at) => step * 100 + at);
  return {
    model: {
      w: dist.tensor(
        { values, shape: [4, 3] },
        { mesh, layout: dist.shardSpec({ partition: [0], meshAxes: ["dp"] }) },
      ),
      b: tensor.fromValues([step, -0, Number.NaN], { dtype: "f64" }),
    },
    optimizer: { step, rate: 0.1 },
  };
}

interface Setting {
  readonly title: string;
  /** Saves that were made, and committed, before. */
  readonly before: readonly { readonly tag: string; readonly step: number }[];
  readonly tag: string;
  readonly retention?: SaveOptions["retention"];
  /** What may be valid after a crash: steps. */
  readonly previous: readonly number[];
}

const settings: readonly Setting[] = [
  { title: "the first save", before: [], tag: "a", previous: [] },
  { title: "a second tag", before: [{ tag: "a", step: 1 }], tag: "b", previous: [1] },
  { title: "the same tag again", before: [{ tag: "a", step: 1 }], tag: "a", previous: [1] },
  {
    title: "a save with retention",
    before: [1, 2, 3].map((step) => ({ tag: `s${step}`, step })),
    tag: "s9",
    retention: { keep: 1 },
    previous: [3],
  },
];

/** A disk with the checkpoints that were there before, everything synced. */
async function diskOf({ before }: Setting, clock: VirtualClock): Promise<MemoryFiles> {
  const files = createMemoryFiles({ nowMs: () => clock.nowMs() });
  await files.ensureFolder(root);
  for (const { tag, step } of before) {
    await save(tag, stateOf(step), { root, files, clock });
    await clock.advance(1000);
  }
  return files.afterKill();
}

/** The newest one, as a reader sees it: of a tag, the highest number. */
function stepsOf(proven: readonly ProvenCheckpoint[]): number[] {
  return proven.map(({ step }) => step ?? -1);
}

for (const setting of settings) {
  test(`${setting.title}, cut off after any change, leaves the new or the previous one whole`, async () => {
    const clock = new VirtualClock();
    const disk = await diskOf(setting, clock);
    const { tag, retention } = setting;
    const options = (files: MemoryFiles): SaveOptions => {
      return { root, files, clock, ...(retention === undefined ? {} : { retention }) };
    };
    const whole = disk.afterKill();
    await save(tag, stateOf(9), options(whole));
    const changes = whole.operations;
    // A save that has resolved survives whatever comes.
    for (const after of whole.states({ limit: 200, seed: "resolved" })) {
      expect(stepsOf(await provenIn(after, root))).toContain(9);
    }
    let states = 0;
    let withNew = 0;
    const committed = whole.log.findIndex((line) => line.includes("/COMMIT"));
    for (let cut = 1; cut <= changes; cut++) {
      const files = disk.afterKill();
      files.crashAfter = cut;
      const end = await save(tag, stateOf(9), options(files)).then(
        () => "saved",
        (error: unknown) => error,
      );
      // What comes after the COMMIT is no part of the save: it resolves though the power is gone.
      if (end !== "saved") expect(causeOf(end)).toBeInstanceOf(PowerLoss);
      let number = 0;
      for (const after of files.states({ limit: 40, seed: cut })) {
        states++;
        const proven = await provenIn(after, root);
        const steps = stepsOf(proven);
        const hasNew = steps.includes(9);
        if (hasNew) withNew++;
        if (end === "saved") expect(hasNew, whole.log[cut - 1]).toBe(true);
        if (!hasNew)
          expect(steps, whole.log[cut - 1]).toEqual(expect.arrayContaining([...setting.previous]));
        if (cut <= committed) expect(hasNew).toBe(false);
        if (number++ % 8 === 0) await goesOn(after, setting, clock);
      }
    }
    expect(changes).toBeGreaterThan(15);
    expect(states).toBeGreaterThan(changes);
    expect(withNew).toBeGreaterThan(0);
  });
}

/** After any crash the next save succeeds, and a day later nothing is left of what was cut off. */
async function goesOn(files: MemoryFiles, { tag }: Setting, before: VirtualClock): Promise<void> {
  const clock = new VirtualClock({ epochMs: before.nowMs() + 24 * hourMs });
  await save(tag, stateOf(10), { root, files, clock });
  const proven = await provenIn(files, root);
  const newest = proven.filter((one) => one.tag === tag);
  expect(stepsOf(newest)).toEqual([10]);
  const names = (await files.list(root)).map(({ name }) => name);
  expect(names.toSorted()).toEqual(proven.map(({ name }) => name).toSorted());
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

test("ranks of a world that lose power together leave the new or the previous one whole", async () => {
  const clock = new VirtualClock();
  const disk = await diskOf(
    { title: "", before: [{ tag: "a", step: 1 }], tag: "a", previous: [] },
    clock,
  );
  const saveAll = async (files: MemoryFiles): Promise<void> => {
    const worlds = await worldHere(2);
    const all = worlds.map((world) => save("a", stateOf(9), { root, files, clock, world }));
    await Promise.allSettled(all);
    await Promise.all(worlds.map((world) => world.leave()));
  };
  const whole = disk.afterKill();
  await saveAll(whole);
  expect(stepsOf(await provenIn(whole, root))).toEqual([9]);
  const changes = whole.operations;
  let withOld = 0;
  for (let cut = 1; cut <= changes; cut += 2) {
    const files = disk.afterKill();
    files.crashAfter = cut;
    await saveAll(files);
    for (const after of files.states({ limit: 12, seed: cut })) {
      const steps = stepsOf(await provenIn(after, root));
      expect(steps.includes(1) || steps.includes(9), whole.log[cut - 1]).toBe(true);
      if (!steps.includes(9)) withOld++;
    }
  }
  expect(withOld).toBeGreaterThan(0);
  expect(changes).toBeGreaterThan(25);
});
