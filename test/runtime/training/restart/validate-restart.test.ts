import { describe, expect, it } from "vitest";
import type { State, StateNode } from "../../../../src/runtime/checkpoint/state.ts";
import { DistTensor } from "../../../../src/runtime/dist/index.ts";
import { Tensor, zeros } from "../../../../src/runtime/tensor/index.ts";
import {
  type JobOptions,
  type RestartReport,
  validateRestart,
} from "../../../../src/runtime/training/index.ts";
import { jobOn, mlpJob, type Shape, transformerJob } from "../support/jobs.ts";

/** As a checkpoint would: copies of everything, tensors whole. */
function copyOf(node: StateNode): StateNode {
  if (node instanceof DistTensor) return copyOf(node.toTensor());
  if (node instanceof Tensor) {
    const { dtype, shape } = node;
    return Tensor.over(node.toRaw().slice(), { dtype, shape });
  }
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, child]) => [name, copyOf(child as StateNode)]),
  );
}

/** What a checkpoint may get wrong, or right. */
type Change = (state: State) => State;

async function restarted(o: {
  readonly options?: JobOptions;
  readonly shape?: Shape;
  readonly resumedOn?: Shape;
  readonly change?: Change;
}): Promise<RestartReport> {
  const { options = mlpJob, shape = { dp: 2 }, resumedOn = shape, change } = o;
  let saved: State | undefined;
  return validateRestart({
    job: (run) => jobOn(run === "resumed" ? resumedOn : shape, options),
    save: (state) => {
      saved = copyOf(state) as State;
    },
    load: () => (change === undefined ? (saved as State) : change(saved as State)),
    at: 2,
    // What is wrong from the start needs no long look.
    more: change === undefined ? 2 : 1,
  });
}

const set =
  (path: string, value: (before: StateNode) => StateNode): Change =>
  (state) => {
    const [first = "", ...rest] = path.split("/");
    const child = state[first] as StateNode;
    const next = rest.length === 0 ? value(child) : set(rest.join("/"), value)(child as State);
    return { ...state, [first]: next };
  };

const zeroed = (tensor: StateNode) =>
  zeros((tensor as Tensor).shape, { dtype: (tensor as Tensor).dtype });

describe("a restart", () => {
  it.each<[string, JobOptions, Shape]>([
    ["sums of rounded parts", { ...mlpJob, accumulate: "chain" }, { tp: 2, dp: 2 }],
    ["a loss scale", { ...mlpJob, lossScale: { initial: 64, growthSteps: 3 } }, { dp: 2 }],
  ])("of %s is not noticed", async (_, options, shape) => {
    expect(await restarted({ options, shape })).toMatchObject({
      verdict: "equal",
      bitwise: true,
      sameSamples: true,
      stepsCompared: 4,
      notes: [],
    });
  });

  it("is found wrong, by name, when the first moments were not saved", async () => {
    const report = await restarted({
      change: set("optimizer/means/layers.1.weight", zeroed),
    });
    expect(report).toMatchObject({
      verdict: "different",
      first: {
        run: "resumed",
        step: 2,
        name: "optimizer/means/layers.1.weight",
        rank: 0,
        element: 0,
        found: "0 (0x00000000)",
      },
    });
  });

  it("is found wrong when velocities were not saved", async () => {
    const change = set("optimizer/velocities/head.norm.gain", zeroed);
    const { first } = await restarted({ options: transformerJob, change });
    expect(first).toMatchObject({ step: 2, name: "optimizer/velocities/head.norm.gain" });
  });

  it.each<[string, string, (before: StateNode) => StateNode]>([
    ["random numbers begin anew", "rng/drawn", () => 0],
    ["random numbers are others", "rng/seed", () => "other"],
    ["the cursor is one sample further", "data/position", (before) => (before as number) + 1],
    ["the cursor is in another epoch", "data/epoch", (before) => (before as number) + 1],
    ["the optimizer's count begins anew", "optimizer/step", () => 0],
    ["the step is another", "step", () => 7],
    ["the loss scale is another", "hyper/lossScale", () => 2],
  ])("is found wrong when %s", async (_, name, value) => {
    const report = await restarted({ change: set(name, value) });
    expect(report).toMatchObject({ verdict: "different", first: { step: 2, name } });
    expect(report.sameSamples).toBe(!name.startsWith("data/"));
  });

  it("is found wrong by one bit of one parameter", async () => {
    const change = set("model/layers.2.bias", (before) => {
      const raw = (before as Tensor).toRaw().slice() as Float32Array;
      const words = new Uint32Array(raw.buffer, raw.byteOffset);
      words[3] = (words[3] ?? 0) ^ 1;
      return Tensor.over(raw, { dtype: "f32", shape: [8] });
    });
    const { first } = await restarted({ shape: { dp: 2 }, change });
    expect(first).toMatchObject({ step: 2, name: "model/layers.2.bias", rank: 0, element: 3 });
    expect(first?.expected).not.toBe(first?.found);
  });

  it("is refused when a part is missing or of another job, naming it", async () => {
    const without: Change = (state) =>
      Object.fromEntries(Object.entries(state).filter(([name]) => name !== "rng"));
    await expect(restarted({ change: without })).rejects.toThrow(/rng is missing/);
    const reshaped = set("model/layers.0.weight", () => zeros([2, 9]));
    await expect(restarted({ change: reshaped })).rejects.toThrow(
      /model\/layers\.0\.weight is f32 .*9.*, not f32 .*8/,
    );
    for (const [name, value] of [
      ["data/position", -1],
      ["data/position", 20],
      ["hyper/lossScale", 0],
    ] as const) {
      const odd = set(name, () => value);
      await expect(restarted({ change: odd })).rejects.toThrow(`${name} is ${value}`);
    }
  });
});

describe("a restart on another mesh", () => {
  it("has the same bits with exact sums, and is flagged", async () => {
    const report = await restarted({ shape: { dp: 4 }, resumedOn: { tp: 2, pp: 2, dp: 2 } });
    expect(report).toMatchObject({ verdict: "equal", bitwise: false, sameSamples: true });
    expect(report.notes[0]).toMatch(/world size changed from 4 to 8/);
  });

  it("is not bitwise with sums of rounded parts, and uses the same samples", async () => {
    const options: JobOptions = { ...mlpJob, accumulate: "chain" };
    const report = await restarted({ options, shape: { dp: 4 }, resumedOn: { dp: 2 } });
    expect(report).toMatchObject({ verdict: "not-bitwise", bitwise: false, sameSamples: true });
    expect(report.first).toMatchObject({ run: "resumed", step: 3 });
  });

  it("is wrong all the same when samples are skipped", async () => {
    const report = await restarted({
      options: { ...mlpJob, accumulate: "chain" },
      shape: { dp: 4 },
      resumedOn: { dp: 2 },
      change: set("data/position", (before) => (before as number) + 1),
    });
    expect(report).toMatchObject({ verdict: "different", sameSamples: false });
  });

  it("is wrong all the same when moments were not saved", async () => {
    const report = await restarted({
      options: { ...mlpJob, accumulate: "chain" },
      shape: { dp: 4 },
      resumedOn: { dp: 2 },
      change: set("optimizer/squares/layers.3.bias", zeroed),
    });
    const name = "optimizer/squares/layers.3.bias";
    expect(report).toMatchObject({ verdict: "different", first: { step: 2, name } });
  });

  it("counts a change of shape as one, and the order of axes as none", async () => {
    const turned = await restarted({ shape: { dp: 2, tp: 2 }, resumedOn: { tp: 2, dp: 2 } });
    expect(turned).toMatchObject({ verdict: "equal", bitwise: true });
    const reshaped = await restarted({ shape: { dp: 2, tp: 2 }, resumedOn: { dp: 4 } });
    expect(reshaped).toMatchObject({ verdict: "equal", bitwise: false });
    expect(reshaped.notes[0]).toMatch(/^The mesh changed/);
  });
});

describe("a state on the job's own mesh", () => {
  it("comes back device by device, a replica that differs included", async () => {
    const job = jobOn({ dp: 2 });
    const state = job.state();
    const name = "layers.0.bias";
    const flipped = state.model[name]?.withBitFlip({ rank: 1, index: 2, bit: 30 }) as DistTensor;
    job.restore({ ...state, model: { ...state.model, [name]: flipped } });
    expect(job.parameters[name]?.local(0).at(2)).toBe(0);
    expect(job.parameters[name]?.local(1).at(2)).toBe(2);
    // Each replica goes on with what it has.
    await job.step();
    expect(job.parameters[name]?.shardingValid()).toBe(false);
  });

  it("leaves a job as it was when it is refused", async () => {
    const job = jobOn({ dp: 2 });
    await job.step();
    const before = job.digest();
    const state = jobOn({ dp: 2 }, transformerJob).state();
    expect(() => job.restore(state)).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
    expect(job.digest()).toBe(before);
    expect(job.stepsDone).toBe(1);
  });
});

describe("what is called between save and load", () => {
  it("gets the job that is thrown away, once it is saved", async () => {
    const seen: string[] = [];
    let saved: State = {};
    await validateRestart({
      job: (run) => {
        seen.push(run);
        return jobOn({ dp: 2 });
      },
      save: (state) => {
        seen.push("save");
        saved = state;
      },
      crash: (job) => {
        seen.push(`crash after ${job.stepsDone}`);
      },
      load: () => {
        seen.push("load");
        return saved;
      },
      at: 1,
      more: 1,
    });
    expect(seen).toEqual([
      "uninterrupted",
      "interrupted",
      "save",
      "crash after 1",
      "resumed",
      "load",
    ]);
  });
});
