import { describe, expect, it } from "vitest";
import {
  type AdamWState,
  adamWStart,
  adamWStep,
  initParams,
  lossAndGradients,
  type Params,
  transformerLayers,
} from "../../../src/runtime/tensor/nn/index.ts";
import type { JobOptions, TrainingJob } from "../../../src/runtime/training/index.ts";
import {
  createLoader,
  type DataCursor,
  sequenceTask,
} from "../../../src/runtime/training/task/index.ts";
import { jobOn, mlpJob, type Shape, transformerJob } from "./support/jobs.ts";

async function lossesOf(job: TrainingJob, steps: number): Promise<readonly number[]> {
  const losses: number[] = [];
  for (let step = 0; step < steps; step++) losses.push((await job.step()).loss);
  return losses;
}

describe("a job learns", () => {
  it("which points belong together, by a perceptron over data and tensor parallel ranks", async () => {
    const losses = await lossesOf(jobOn({ dp: 2, tp: 2 }, mlpJob), 30);
    expect(losses[0]).toBeGreaterThan(0.5);
    expect(Math.max(...losses.slice(-5))).toBeLessThan(0.3);
  });

  it("to reverse sequences, by a transformer over a pipeline", async () => {
    const job = jobOn(
      { pp: 2 },
      {
        ...transformerJob,
        accumulate: "chain",
        optimizer: { kind: "adamW", learningRate: 0.03 },
        batch: 8,
        data: { noise: 0 },
      },
    );
    const losses = await lossesOf(job, 30);
    // Guessing costs log 5.
    expect(losses[0]).toBeGreaterThan(1.5);
    expect(Math.max(...losses.slice(-5))).toBeLessThan(0.3);
  });

  it("nothing at a learning rate of 0", async () => {
    const job = jobOn({ dp: 2 }, { ...mlpJob, optimizer: { kind: "sgd", learningRate: 0 } });
    const before = job.digest();
    await lossesOf(job, 3);
    expect(job.digest()).toBe(before);
  });
});

describe("a job computes what the plain model computes", () => {
  const model = {
    vocabulary: 6,
    positions: 4,
    width: 8,
    heads: 2,
    blocks: 2,
    dtype: "f64",
  } as const;
  const options: JobOptions = {
    model: { kind: "transformer", ...model },
    optimizer: { kind: "adamW", learningRate: 0.01 },
    batch: 4,
    seed: 7,
    data: { samples: 10, noise: 0.2 },
  };

  /** The same training without any of the job's own parts but the data. */
  function plain(steps: number): { readonly params: Params; readonly losses: readonly number[] } {
    const layers = transformerLayers(model);
    const task = sequenceTask({ ...model, kind: "copy", seed: "7", noise: 0.2 });
    const loader = createLoader({ samples: 10, seed: "7" });
    let cursor: DataCursor = loader.start;
    let params = initParams(layers, "7");
    let state: AdamWState = adamWStart;
    const losses: number[] = [];
    for (let step = 0; step < steps; step++) {
      const { ids, next } = loader.take(cursor, 4);
      const random = { seed: "7", drawn: step * 4 * task.drawsPerSample };
      const { loss, gradients } = lossAndGradients(layers, params, task.rows(ids, random));
      ({ params, state } = adamWStep({ params, gradients, state }, { learningRate: 0.01 }));
      cursor = next;
      losses.push(loss);
    }
    return { params, losses };
  }

  it.each<[string, Shape]>([
    ["one device", { dp: 1 }],
    ["data, tensor and pipeline parallel ranks", { pp: 2, dp: 2, tp: 2 }],
    ["a pipeline whose ends share a weight", { pp: 4 }],
  ])("on %s", async (_, shape) => {
    const expected = plain(3);
    const job = jobOn(shape, options);
    const losses = await lossesOf(job, 3);
    for (const [step, loss] of losses.entries()) {
      expect(loss).toBeCloseTo(expected.losses[step] ?? Number.NaN, 12);
    }
    for (const [name, param] of Object.entries(expected.params)) {
      const found = job.parameters[name]?.toTensor().toNumbers() ?? [];
      const off = param.toNumbers().map((value, at) => Math.abs(value - (found[at] ?? Infinity)));
      // A bias of keys has no gradient but noise, which AdamW makes larger.
      expect(Math.max(...off), name).toBeLessThan(1e-9);
    }
  });
});

describe("a job in a short format", () => {
  const options: JobOptions = {
    ...mlpJob,
    model: { kind: "mlp", inputs: 2, hidden: [8, 8, 8], outputs: 2, dtype: "f16" },
    lossScale: { initial: 2 ** 24, growthSteps: 2 },
  };

  it("skips steps whose gradients overflow, with a smaller scale next time", async () => {
    const job = jobOn({ dp: 2 }, options);
    const before = job.digest();
    const first = await job.step();
    expect(first).toMatchObject({ skipped: true, lossScale: 2 ** 24 });
    expect(job.digest()).toBe(before);
    expect(job.state().hyper).toEqual({ lossScale: 2 ** 23, goodSteps: 0 });
    expect(job.state().optimizer["step"]).toBe(0);
  });

  it("doubles the scale after steps without an overflow, and learns", async () => {
    const job = jobOn({ dp: 2 }, { ...options, lossScale: { initial: 64, growthSteps: 2 } });
    const scales: number[] = [];
    for (let step = 0; step < 4; step++) {
      const { lossScale, skipped } = await job.step();
      expect(skipped).toBe(false);
      scales.push(lossScale);
    }
    expect(scales).toEqual([64, 64, 128, 128]);
    expect(Math.max(...(await lossesOf(job, 30)).slice(-3))).toBeLessThan(0.4);
  });

  it("has the bits of no scaling where nothing is too small or too large", async () => {
    const [one, other] = [
      jobOn({ dp: 1 }, mlpJob),
      jobOn({ dp: 1 }, { ...mlpJob, lossScale: { initial: 256, growthSteps: 0 } }),
    ];
    await lossesOf(one, 3);
    await lossesOf(other, 3);
    expect(other.digest()).toBe(one.digest());
  });
});
