import { describe, expect, it } from "vitest";
import { createTensorWorld } from "../../../src/runtime/ranks/index.ts";
import {
  createRankTraining,
  type JobOptions,
  type RankTraining,
  trainTask,
} from "../../../src/runtime/training/index.ts";
import { clock, rendezvousHere, secret, worldHere } from "../ranks/support/here.ts";
import { jobOn, mlpJob, trained, transformerJob } from "./support/jobs.ts";

async function ranksOf(count: number, options: JobOptions): Promise<readonly RankTraining[]> {
  const worlds = await worldHere(count);
  return worlds.map((world) => {
    return createRankTraining({ ...options, world: createTensorWorld({ world, clock }) });
  });
}

function stepAll(ranks: readonly RankTraining[]) {
  return Promise.all(ranks.map((rank) => rank.step()));
}

describe("training between real ranks", () => {
  it.each([
    ["a perceptron", mlpJob, 4],
    ["a transformer", transformerJob, 2],
  ])("gives %s the bits it has on a mesh, on every rank", async (_, options, count) => {
    const ranks = await ranksOf(count, options);
    const job = jobOn({ tp: 2 }, options);
    for (let step = 0; step < 2; step++) {
      const [expected, reports] = [await job.step(), await stepAll(ranks)];
      for (const report of reports) expect(report).toEqual(expected);
    }
    for (const rank of ranks) expect(rank.digest()).toBe(job.digest());
  });

  it("goes on from a state of a mesh, and back", async () => {
    const job = await trained(jobOn({ dp: 2, tp: 2 }), 2);
    const ranks = await ranksOf(2, mlpJob);
    for (const rank of ranks) rank.restore(job.state());
    await stepAll(ranks);
    const back = jobOn({ pp: 2 });
    back.restore(ranks[0]?.state() ?? {});
    expect((await trained(back, 1)).digest()).toBe((await trained(job, 2)).digest());
  });

  it("refuses a batch that the ranks cannot share", async () => {
    await expect(ranksOf(3, mlpJob)).rejects.toMatchObject({ code: "E_SHAPE" });
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

  it("trains and returns the same digest on every rank", async () => {
    const contexts = await context(2, { job: mlpJob, steps: 2 });
    const results = await Promise.all(contexts.map(trainTask));
    const { digest } = { digest: (await trained(jobOn({ dp: 1 }), 2)).digest() };
    for (const result of results) expect(result).toMatchObject({ step: 2, digest });
  });

  it("refuses a job that it does not know", async () => {
    const job = { ...mlpJob, model: { kind: "tree" } };
    const [only] = await context(1, { job, steps: 1 });
    await expect(trainTask(only as never)).rejects.toThrow();
  });
});
