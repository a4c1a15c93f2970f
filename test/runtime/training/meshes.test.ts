import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DistTensor } from "../../../src/runtime/dist/index.ts";
import type { JobOptions, StepReport } from "../../../src/runtime/training/index.ts";
import { jobOn, mlpJob, type Shape, trained, transformerJob } from "./support/jobs.ts";

interface Bits {
  readonly digests: Readonly<Record<string, string>>;
  readonly reports: readonly StepReport[];
  readonly moments: readonly string[];
}

async function bitsAfter(shape: Shape, options: JobOptions, steps = 2): Promise<Bits> {
  const reports: StepReport[] = [];
  const job = jobOn(shape, {
    ...options,
    hooks: { onStep: (report) => void reports.push(report) },
  });
  await trained(job, steps);
  const { step: _, ...moments } = job.state().optimizer;
  return {
    digests: job.digests(),
    reports,
    moments: Object.values(moments as Record<string, Record<string, DistTensor>>).flatMap((all) =>
      Object.values(all).map((moment) => moment.digest()),
    ),
  };
}

/** Every mesh that divides the job, its axes in any order, some left out where they have size 1. */
const shapes = fc
  .record({
    dp: fc.constantFrom(1, 2, 4),
    tp: fc.constantFrom(1, 2, 4),
    pp: fc.constantFrom(1, 2, 3, 4),
    microBatches: fc.constantFrom(1, 2),
    order: fc.shuffledSubarray(["dp", "tp", "pp"] as const, { minLength: 3 }),
    isShort: fc.boolean(),
  })
  .filter(({ dp, tp, pp }) => dp * tp * pp <= 8)
  .map(({ order, isShort, microBatches, ...sizes }) => {
    const axes = order.filter((axis) => !isShort || sizes[axis] > 1 || axis === order[0]);
    const shape: Shape = Object.fromEntries(axes.map((axis) => [axis, sizes[axis]]));
    return { shape, microBatches };
  });

describe.each([
  ["a perceptron with AdamW", mlpJob, 10],
  ["a transformer with SGD", transformerJob, 7],
])("%s and exact sums", (_, options, numRuns) => {
  it("has the same bits on every mesh and for every number of micro-batches", async () => {
    const expected = await bitsAfter({ dp: 1 }, options);
    await fc.assert(
      fc.asyncProperty(shapes, async ({ shape, microBatches }) => {
        expect(await bitsAfter(shape, { ...options, microBatches })).toEqual(expected);
      }),
      { numRuns },
    );
  });
});

describe("a job that adds rounded parts", () => {
  const options: JobOptions = { ...mlpJob, accumulate: "chain" };

  it("repeats its bits on the same mesh", async () => {
    const shape = { dp: 2, tp: 2, pp: 2 };
    expect(await bitsAfter(shape, options)).toEqual(await bitsAfter(shape, options));
  });

  it.each<[string, Shape]>([
    ["data", { dp: 4 }],
    ["tensor", { tp: 4 }],
  ])("has other bits when it is cut over %s parallel ranks", async (_, shape) => {
    const [one, other] = [await bitsAfter({ dp: 1 }, options), await bitsAfter(shape, options)];
    expect(other.digests).not.toEqual(one.digests);
    expect(other.reports.at(-1)?.loss).toBeCloseTo(one.reports.at(-1)?.loss ?? 0, 4);
    expect(other.reports.map(({ samples }) => samples)).toEqual(
      one.reports.map(({ samples }) => samples),
    );
  });
});

describe("the bits of a job", () => {
  it.each([
    [
      "perceptron",
      mlpJob,
      "sha256:32067847fd39d8fe0171aacc6b90e5ab77dba2b979503c41fd4f7db66ec2e060",
    ],
    [
      "transformer",
      transformerJob,
      "sha256:ce87eda4c899baa512226e37455cb3663703d36cc38fcf66c249a73c88d07f62",
    ],
  ])("are those of every machine and every Node, for a %s", async (_, options, digest) => {
    expect((await trained(jobOn({ dp: 2, tp: 2 }, options), 5)).digest()).toBe(digest);
  });

  it("are others from another seed", async () => {
    const one = await bitsAfter({ dp: 1 }, mlpJob, 1);
    const other = await bitsAfter({ dp: 1 }, { ...mlpJob, seed: 43 }, 1);
    expect(other.digests).not.toEqual(one.digests);
  });
});
