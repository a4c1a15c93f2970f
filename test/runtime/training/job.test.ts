import { describe, expect, it } from "vitest";
import { breakDuring, breakNow } from "../../../src/runtime/dist/index.ts";
import { session } from "../../../src/runtime/profile/index.ts";
import type { CollectiveCall, JobOptions } from "../../../src/runtime/training/index.ts";
import { jobOn, meshOf, mlpJob, type Shape, trained, transformerJob } from "./support/jobs.ts";

const cube: Shape = { dp: 2, tp: 2, pp: 2 };

/** Everything a job holds, as text. */
function heldBy(job: ReturnType<typeof jobOn>): string {
  return JSON.stringify(job.state(), (_, node) =>
    typeof node?.digest === "function" ? node.digest() : node,
  );
}

describe("the parameters of a job", () => {
  it("lie on its mesh: split over tp as their layer wants it, else replicated", () => {
    const { parameters } = jobOn(cube, transformerJob);
    const split = (name: string) => parameters[name]?.layout.describe();
    expect(split("blocks.0.mlp.up.weight")).toBe("dp: R, tp: S(1), pp: R");
    expect(split("blocks.0.mlp.down.weight")).toBe("dp: R, tp: S(0), pp: R");
    expect(split("blocks.0.mlp.down.bias")).toBe("dp: R, tp: R, pp: R");
    // Queries, keys and values are not split, their heads are.
    expect(parameters["blocks.0.attention.input.weight"]?.shape).toEqual([8, 3, 8]);
    expect(split("blocks.0.attention.input.weight")).toBe("dp: R, tp: S(2), pp: R");
    expect(Object.values(parameters).every((param) => param.shardingValid())).toBe(true);
  });

  it("are the same for every mesh before the first step", () => {
    expect(jobOn(cube, transformerJob).digest()).toBe(jobOn({ dp: 1 }, transformerJob).digest());
  });
});

describe("a job refuses", () => {
  const shapeError = expect.objectContaining({ code: "E_SHAPE" });

  it.each<[string, Shape, JobOptions, RegExp]>([
    ["a batch that cannot be shared out", { dp: 3 }, mlpJob, /batch of 8 .* 3 data-parallel/],
    [
      "micro-batches that do not come out even",
      { dp: 4 },
      { ...mlpJob, microBatches: 3 },
      /3 micro-batches/,
    ],
    ["heads that cannot be shared out", { tp: 3 }, transformerJob, /4 heads/],
    ["columns that cannot be shared out", { tp: 3 }, mlpJob, /layers\.0\.weight has 8 columns/],
    ["more stages than layers", { pp: 5 }, mlpJob, /4 layers make no 5/],
    ["no samples", { dp: 1 }, { ...mlpJob, batch: 0 }, /`batch` is a whole number/],
    ["an odd loss scale", { dp: 1 }, { ...mlpJob, lossScale: { initial: 3 } }, /power of two/],
  ])("%s", (_, shape, options, message) => {
    expect(() => jobOn(shape, options)).toThrow(message);
    expect(() => jobOn(shape, options)).toThrow(shapeError);
  });

  it("a mesh with an axis it does not know", () => {
    const mesh = meshOf({ dp: 2, ep: 2 } as Shape);
    expect(() => jobOn({ dp: 1 }, { ...mlpJob, mesh })).toThrow(/knows dp, tp, pp and not ep/);
  });
});

describe("what happens in a step", () => {
  it("is told to hooks: each exchange of each rank, then the report", async () => {
    const calls: CollectiveCall[] = [];
    const steps: number[] = [];
    const job = jobOn(cube, {
      ...transformerJob,
      microBatches: 2,
      hooks: {
        beforeCollective: (call) => void calls.push(call),
        onStep: ({ step }) => void steps.push(step),
      },
    });
    await trained(job, 2);
    expect(steps).toEqual([1, 2]);
    const names = new Set(calls.map(({ name }) => name));
    expect(names).toContain("gradients 0");
    expect(names).toContain("metrics");
    expect(names).toContain("sum of blocks.0.mlp.down");
    expect(names).toContain("gradient sum of blocks.1.attention.input");
    expect(names).toContain("activations 1");
    expect(names).toContain("tied embedding.tokens");
    const metrics = calls.filter(({ name, step }) => name === "metrics" && step === 1);
    expect(metrics.map(({ rank }) => rank).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
    const mesh = meshOf(cube);
    for (const { name, rank, group } of calls.filter((call) => call.name === "gradients 0")) {
      expect(group, name).toEqual(mesh.groupOf(rank, "dp"));
    }
  });

  it("is seen by profiles, and takes modelled time", async () => {
    const job = jobOn(cube, mlpJob);
    const records = await session(async (profile) => {
      await job.step();
      return profile.records();
    });
    const ops = new Set(records.map(({ op }) => op));
    expect(ops).toEqual(new Set(["all-reduce", "send-recv"]));
    expect(records.every(({ source }) => source === "modelled")).toBe(true);
  });

  it("follows one another when several are asked for at once", async () => {
    const job = jobOn({ dp: 2 }, mlpJob);
    const reports = await Promise.all([job.step(), job.step(), job.step()]);
    expect(reports.map(({ step }) => step)).toEqual([1, 2, 3]);
    expect(job.digest()).toBe((await trained(jobOn({ dp: 1 }, mlpJob), 3)).digest());
  });
});

describe("a job that is in the middle of a step", () => {
  it("is not restored, and is once the step has ended", async () => {
    const job = jobOn({ dp: 2 }, mlpJob);
    const start = job.state();
    const step = job.step();
    expect(() => job.restore(start)).toThrow(/await step\(\) first/);
    expect((await step).digests).toEqual(job.digests());
    job.restore(start);
    expect(job.stepsDone).toBe(0);
  });
});

describe("a step that fails", () => {
  it.each([0, 3, 7])("because device %i is lost says so, and changes nothing", async (device) => {
    const job = await trained(jobOn(cube, mlpJob), 1);
    const before = heldBy(job);
    await expect(breakDuring({ kind: "dead", device }, () => job.step())).rejects.toMatchObject({
      code: "E_DEVICE_LOST",
      details: { device },
    });
    expect(heldBy(job)).toBe(before);
    // The device is back: the run goes on as if nothing had happened.
    expect((await trained(job, 1)).digest()).toBe(
      (await trained(jobOn({ dp: 1 }, mlpJob), 2)).digest(),
    );
  });

  it("because a link is cut names the link", async () => {
    const job = jobOn({ dp: 2 }, mlpJob);
    const cut = { kind: "cut", links: [[0, 1]] } as const;
    await expect(breakDuring(cut, () => job.step())).rejects.toMatchObject({
      code: "E_PARTITION",
      details: { from: 0, to: 1 },
    });
  });

  it.each(["gradients 0", "metrics", "activations 1", "gradient sum of layers.2"])(
    "in %s changes nothing on any rank",
    async (name) => {
      let isArmed = false;
      const job = jobOn(cube, {
        ...mlpJob,
        microBatches: 2,
        hooks: {
          beforeCollective: (call) => {
            if (isArmed && call.name === name) breakNow({ kind: "dead", device: call.rank });
          },
        },
      });
      await job.step();
      const before = heldBy(job);
      isArmed = true;
      await expect(job.step()).rejects.toMatchObject({ code: "E_DEVICE_LOST" });
      expect(heldBy(job)).toBe(before);
      expect(job.stepsDone).toBe(1);
    },
  );

  it("because of a hook fails with the hook's own error", async () => {
    const error = new Error("stop here");
    const beforeCollective = ({ name, rank }: CollectiveCall) => {
      if (name === "metrics" && rank === 1) throw error;
    };
    const job = jobOn({ dp: 2 }, { ...mlpJob, hooks: { beforeCollective } });
    await expect(job.step()).rejects.toBe(error);
    expect(job.stepsDone).toBe(0);
  });

  it("because it is stopped fails with the reason, before and in the middle", async () => {
    const before = new AbortController();
    const reason = new Error("enough");
    before.abort(reason);
    await expect(jobOn({ dp: 2 }, { ...mlpJob, signal: before.signal }).step()).rejects.toBe(
      reason,
    );
    const later = new AbortController();
    const beforeCollective = ({ name }: CollectiveCall) => {
      if (name === "gradients 0") later.abort(reason);
    };
    const { signal } = later;
    const job = jobOn({ dp: 2 }, { ...mlpJob, signal, hooks: { beforeCollective } });
    await expect(job.step()).rejects.toBe(reason);
    expect(job.stepsDone).toBe(0);
  });
});

describe("a device that is wrong in silence", () => {
  const corrupt = { kind: "corrupt", device: 1, element: 0, bit: 22 } as const;

  it("changes what a job learns, and only on its own replica when it computes last", async () => {
    const [sound, sick] = [jobOn({ dp: 2 }, mlpJob), jobOn({ dp: 2 }, mlpJob)];
    await sound.step();
    await breakDuring({ ...corrupt, when: "matmul" }, () => sick.step());
    expect(sick.digest()).not.toBe(sound.digest());
  });

  it("leaves replicas that differ when it is wrong about what it received", async () => {
    const job = jobOn({ dp: 2 }, { ...mlpJob, accumulate: "chain" });
    await breakDuring({ ...corrupt, when: "all-reduce", where: "output" }, () => job.step());
    const differing = Object.values(job.parameters).filter(
      (param) => param.local(0).digest() !== param.local(1).digest(),
    );
    expect(differing.length).toBe(1);
    expect(differing[0]?.shardingValid()).toBe(false);
  });

  it.each([0, 22, 40, 62])("is wrong without a crash when bit %i of a sum is", async (bit) => {
    const job = jobOn({ dp: 2, tp: 2 }, transformerJob);
    await breakDuring({ ...corrupt, bit }, () => job.step());
    expect(job.stepsDone).toBe(1);
  });
});
