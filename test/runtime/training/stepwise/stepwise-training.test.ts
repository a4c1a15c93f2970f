import { describe, expect, it } from "vitest";
import {
  createStepwiseTraining,
  type JobOptions,
  type SampleId,
  type TrainingPoint,
} from "../../../../src/runtime/training/index.ts";
import { jobOn, mlpJob, trained, transformerJob } from "../support/jobs.ts";

/** 72 devices hold it: nine replicas of four by two. */
const rackJob: JobOptions = {
  model: { kind: "mlp", inputs: 4, hidden: [8, 8, 8], outputs: 4 },
  optimizer: { kind: "adamW", learningRate: 0.02 },
  batch: 18,
  seed: "rack",
  data: { samples: 50 },
};
const everyone = (replicas: number) => Array.from({ length: replicas }, (_, index) => index);

async function stepped(
  options: JobOptions,
  { steps, from }: { readonly steps: number; readonly from?: TrainingPoint },
) {
  const training = createStepwiseTraining(options);
  let point = from ?? training.start;
  const used: SampleId[] = [];
  for (let done = 0; done < steps; done++) {
    const { point: next, report } = await training.step(point);
    used.push(...report.samples);
    point = next;
  }
  return { training, point, used };
}

describe("training step by step", () => {
  it.each([
    ["a perceptron on 72 devices", rackJob, { dp: 9, tp: 4, pp: 2 }],
    ["a transformer on 8", transformerJob, { dp: 2, tp: 2, pp: 2 }],
  ])("has the bits and reports of %s", async (_, options, shape) => {
    const job = jobOn(shape, options);
    const training = createStepwiseTraining(options);
    let point = training.start;
    for (let step = 0; step < 2; step++) {
      const done = await training.step(point);
      expect(done.report).toEqual(await job.step());
      point = done.point;
    }
    expect(training.digest(point)).toBe(job.digest());
    // A state goes either way.
    job.restore(training.stateOf(point));
    const { point: next } = await training.step(training.pointOf(job.state()));
    expect(training.digest(next)).toBe((await trained(job, 1)).digest());
  });

  it.each([9, 8, 5, 1])(
    "adds up what %i replicas bring one by one, in any order",
    async (replicas) => {
      const { training, point } = await stepped(rackJob, { steps: 2 });
      const alone = await Promise.all(
        everyone(replicas).map((one) => training.contribution(point, { replicas, of: [one] })),
      );
      const [whole, parts] = [
        await training.step(point),
        await training.advance(point, alone.toReversed()),
      ];
      expect(training.digest(parts.point)).toBe(training.digest(whole.point));
      expect(parts.report.loss).toBe(whole.report.loss);
    },
  );

  it("is another run when a replica is left out, and its samples are missed", async () => {
    const { training, point, used } = await stepped(rackJob, { steps: 1 });
    const seven = await training.contribution(point, { replicas: 9, of: [0, 1, 2, 3, 5, 6, 8] });
    const done = await training.advance(point, [seven]);
    const whole = await training.step(point);
    expect(training.digest(done.point)).not.toBe(training.digest(whole.point));
    const { skipped, repeated, early } = training.account(done.point, [
      ...used,
      ...done.report.samples,
    ]);
    expect(skipped).toEqual([4, 7].flatMap((at) => whole.report.samples.slice(2 * at, 2 * at + 2)));
    expect([repeated, early]).toEqual([[], []]);
  });

  it("is told from a copy of the point that was kept, which no step changes", async () => {
    const { training, point } = await stepped(mlpJob, { steps: 2 });
    const kept = training.digest(point);
    await stepped(mlpJob, { steps: 2, from: point });
    expect(training.digest(point)).toBe(kept);
    const again = await stepped(mlpJob, { steps: 3, from: point });
    expect(training.digest(again.point)).toBe(
      training.digest((await stepped(mlpJob, { steps: 5 })).point),
    );
  });

  it("refuses sums whose bits depend on how they are cut", () => {
    expect(() => createStepwiseTraining({ ...mlpJob, accumulate: "chain" })).toThrow(/exact sums/);
  });
});

describe("the account of samples", () => {
  it("finds nothing in a run over several epochs", async () => {
    const { training, point, used } = await stepped(mlpJob, { steps: 6 });
    expect(point.common.data.epoch).toBe(2);
    expect(training.account(point, used)).toEqual({ skipped: [], repeated: [], early: [] });
  });

  it("finds a step that counts twice, and one that was lost", async () => {
    const { training, point, used } = await stepped(mlpJob, { steps: 3 });
    const [first, rest] = [used.slice(0, 8), used.slice(8)];
    expect(training.account(point, [...used, ...first]).repeated).toEqual(first);
    expect(training.account(point, rest).skipped).toEqual(first);
  });

  it("finds a cursor that is one sample ahead", async () => {
    const { training, point, used } = await stepped(mlpJob, { steps: 1 });
    const data = { ...point.common.data, position: point.common.data.position + 1 };
    const ahead = { ...point, common: { ...point.common, data } };
    const { report } = await training.step(ahead);
    const { point: sound } = await training.step(point);
    const { skipped, early } = training.account(sound, [...used, ...report.samples]);
    expect([skipped.length, early.length]).toEqual([1, 1]);
    expect(early).toEqual(report.samples.slice(-1));
  });
});
