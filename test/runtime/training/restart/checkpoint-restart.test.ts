import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { load, save } from "../../../../src/runtime/checkpoint/index.ts";
import type { State, StateNode } from "../../../../src/runtime/checkpoint/state.ts";
import type { DistTensor } from "../../../../src/runtime/dist/index.ts";
import {
  type JobOptions,
  type RestartReport,
  validateRestart,
} from "../../../../src/runtime/training/index.ts";
import { jobOn, meshOf, mlpJob, type Shape, transformerJob } from "../support/jobs.ts";

const sgd: JobOptions["optimizer"] = { kind: "sgd", learningRate: 0.1, momentum: 0.9 };
const adamW: JobOptions["optimizer"] = { kind: "adamW", learningRate: 0.02 };

/** Trains, saves to files, drops all, loads from files and trains on. */
async function restarted(o: {
  readonly options?: JobOptions;
  readonly shape?: Shape;
  readonly resumedOn?: Shape;
  readonly change?: (state: State) => State;
}): Promise<RestartReport> {
  const { options = mlpJob, shape = { dp: 2, tp: 2 }, resumedOn = shape, change } = o;
  const root = await mkdtemp(join(tmpdir(), "tessera-restart-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return validateRestart({
    job: (run) => jobOn(run === "resumed" ? resumedOn : shape, options),
    save: (state) => save("at", state, { root }),
    load: async () => {
      const state = await load("at", { root, remapTo: meshOf(resumedOn), onDamage: "throw" });
      return change === undefined ? state : change(state);
    },
    // The epoch of 20 samples ends between the save and the end.
    at: 2,
    more: 2,
  });
}

const set =
  (path: string, value: (before: StateNode) => StateNode) =>
  (state: State): State => {
    const [first = "", ...rest] = path.split("/");
    const child = state[first] as StateNode;
    const next = rest.length === 0 ? value(child) : set(rest.join("/"), value)(child as State);
    return { ...state, [first]: next };
  };

describe("a restart from a checkpoint in files", () => {
  it.each<[string, JobOptions, Shape]>([
    ["a perceptron with AdamW over tensor parallel ranks", mlpJob, { dp: 2, tp: 2 }],
    ["a perceptron with SGD over a pipeline", { ...mlpJob, optimizer: sgd }, { pp: 2, dp: 2 }],
    ["a transformer with SGD over tensor parallel ranks", transformerJob, { tp: 2 }],
    [
      "a transformer with AdamW over a pipeline",
      { ...transformerJob, optimizer: adamW },
      { pp: 2 },
    ],
  ])("of %s is not noticed", async (_, options, shape) => {
    expect(await restarted({ options, shape })).toMatchObject({
      verdict: "equal",
      bitwise: true,
      sameSamples: true,
      stepsCompared: 4,
    });
  });

  it.each<[string, string, (before: StateNode) => StateNode]>([
    ["a cursor off by one", "data/position", (before) => (before as number) + 1],
    ["random numbers that were lost", "rng/drawn", () => 0],
    [
      "a stale moment",
      "optimizer/squares/layers.1.weight",
      (before) =>
        (jobOn({ dp: 2, tp: 2 }).state().optimizer["squares"] as Record<string, DistTensor>)[
          "layers.1.weight"
        ] ?? before,
    ],
    [
      "one bit of one rank's part",
      "model/layers.2.weight",
      (before) => (before as DistTensor).withBitFlip({ rank: 3, index: 5, bit: 0 }),
    ],
  ])("is found wrong, by name, with %s", async (_, name, value) => {
    const report = await restarted({ change: set(name, value) });
    expect(report).toMatchObject({ verdict: "different", first: { step: 2, name } });
    expect(report.sameSamples).toBe(!name.startsWith("data/"));
  });

  it("on another world goes on with the same samples, and is flagged as not bitwise", async () => {
    const options: JobOptions = { ...mlpJob, accumulate: "chain" };
    const report = await restarted({ options, shape: { dp: 4 }, resumedOn: { dp: 2, tp: 4 } });
    expect(report).toMatchObject({ verdict: "not-bitwise", bitwise: false, sameSamples: true });
    expect(report.notes[0]).toMatch(/world size changed from 4 to 8/);
  });
});
