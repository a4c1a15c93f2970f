import { describe, expect, it } from "vitest";
import {
  createRankTraining,
  type JobOptions,
  type RankTraining,
  trainTask,
} from "../../../src/runtime/training/index.ts";
import { clock, rendezvousHere, secret, worldHere } from "../ranks/support/here.ts";
import { jobOn, mlpJob, type Shape, trained, transformerJob } from "./support/jobs.ts";

async function ranksOf(shape: Shape, options: JobOptions): Promise<readonly RankTraining[]> {
  const { dp = 1, tp = 1, pp = 1 } = shape;
  const worlds = await worldHere(dp * tp * pp);
  return worlds.map((world) => createRankTraining({ ...options, shape, world, clock }));
}

function onAll<T>(ranks: readonly RankTraining[], what: (rank: RankTraining) => Promise<T>) {
  return Promise.all(ranks.map(what));
}

describe("training between real ranks", () => {
  it.each<[string, JobOptions, Shape]>([
    ["a perceptron, cut by samples", mlpJob, { dp: 4 }],
    [
      "a transformer, cut in every way",
      { ...transformerJob, microBatches: 2 },
      { dp: 2, tp: 2, pp: 2 },
    ],
  ])("gives %s, the bits it has on a mesh, on every rank", async (_, options, shape) => {
    const ranks = await ranksOf(shape, options);
    const job = jobOn({ tp: 2 }, options);
    for (let step = 0; step < 2; step++) {
      const { digests: _ours, ...expected } = await job.step();
      for (const report of await onAll(ranks, (rank) => rank.step())) {
        expect(report).toMatchObject(expected);
      }
    }
    for (const digest of await onAll(ranks, (rank) => rank.digest())) {
      expect(digest).toBe(job.digest());
    }
  });

  it("goes on from a state of a mesh, and back", async () => {
    const job = await trained(jobOn({ dp: 2, tp: 2 }), 2);
    const ranks = await ranksOf({ tp: 2, pp: 2 }, mlpJob);
    for (const rank of ranks) rank.restore(job.state());
    await onAll(ranks, (rank) => rank.step());
    const [state] = await onAll(ranks, (rank) => rank.state());
    const back = jobOn({ pp: 2 });
    back.restore(state ?? {});
    expect((await trained(back, 1)).digest()).toBe((await trained(job, 2)).digest());
  });

  it.each<[string, Shape, RegExp]>([
    ["a batch that the ranks cannot share", { dp: 3 }, /batch of 8/],
    ["layers that the ranks cannot share", { pp: 5 }, /4 layers/],
  ])("refuses %s", async (_, shape, problem) => {
    await expect(ranksOf(shape, mlpJob)).rejects.toThrow(problem);
  });

  it("refuses a shape of more ranks than there are", async () => {
    const [world] = await worldHere(1);
    expect(() =>
      createRankTraining({ ...mlpJob, shape: { tp: 2 }, world: world as never, clock }),
    ).toThrow(/1 ranks are not 1 x 2 x 1/);
  });
});

describe("the rank task `train`", () => {
  const context = async (worldSize: number, input: unknown) => {
    const { place } = await rendezvousHere(worldSize);
    return Array.from({ length: worldSize }, (_, rank) => ({
      rank,
      worldSize,
      rendezvous: place,
      secret,
      input,
      signal: new AbortController().signal,
      clock,
      env: {},
      report: () => undefined,
    }));
  };

  it("refuses a job that it does not know", async () => {
    const job = { ...mlpJob, model: { kind: "tree" } };
    const [only] = await context(1, { job, steps: 1 });
    await expect(trainTask(only as never)).rejects.toThrow();
  });

  it("refuses an axis that it does not know", async () => {
    const [only] = await context(1, { job: mlpJob, steps: 1, shape: { ep: 2 } });
    await expect(trainTask(only as never)).rejects.toThrow(/ep/);
  });
});
