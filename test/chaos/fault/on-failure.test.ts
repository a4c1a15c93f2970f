import { describe, expect, it } from "vitest";
import {
  type Attempt,
  inject,
  type OnFailureOptions,
  onFailure,
} from "../../../src/chaos/fault/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { tensor } from "../../../src/runtime/dist/index.ts";
import { Mesh } from "../../../src/runtime/dist/mesh/index.ts";
import { allReduce } from "../../../src/runtime/op/index.ts";

const mesh = new Mesh({ axes: ["dp"], devices: 4 });

/** A job of six steps whose state is a number; it saves after every second one. */
class Job {
  steps: { readonly step: number; readonly size: number }[] = [];
  saved: { readonly state: number; readonly digest: string } | undefined;
  /** What is broken before this step, the first time only. */
  breakAt: { readonly step: number; readonly spec: Parameters<typeof inject>[0] } | undefined;

  readonly train = async ({ mesh: where = mesh, state = 0 }: Attempt<number>): Promise<number> => {
    let value = state;
    for (let step = value + 1; step <= 6; step++) {
      const broken = this.breakAt?.step === step ? inject(this.breakAt.spec) : undefined;
      if (broken !== undefined) this.breakAt = undefined;
      try {
        allReduce(tensor([4], { mesh: where, fill: 1 }));
      } finally {
        broken?.[Symbol.dispose]();
      }
      value = step;
      this.steps.push({ step, size: where.size });
      if (step % 2 === 0) this.saved = { state: value, digest: `d${value}` };
    }
    return value;
  };

  readonly restore = () => this.saved;
}

const integrity = {
  digestOfState: (state: number) => `d${state}`,
  digestOfResult: (value: number) => `d${value}`,
  expected: "d6",
};

function optionsFor(
  job: Job,
  more: Partial<OnFailureOptions<number, number>> = {},
): OnFailureOptions<number, number> {
  return {
    policy: "drainThenResume",
    clock: new VirtualClock(),
    mesh,
    restore: job.restore,
    integrity,
    ...more,
  };
}

const lost = { step: 5, spec: { dropDevice: 2 } } as const;

describe("a policy", () => {
  it("has nothing to do for a function that nothing happens to", async () => {
    const job = new Job();
    const result = await onFailure(optionsFor(job), job.train);
    expect(result).toMatchObject({ value: 6, attempts: 1, path: "none", recoveryMs: null });
    expect(result.integrity).toBe("equal");
  });

  it("failFast hands the error on and runs nothing again", async () => {
    const job = new Job();
    job.breakAt = lost;
    const running = onFailure(optionsFor(job, { policy: "failFast" }), job.train);
    await expect(running).rejects.toMatchObject({ code: "E_DEVICE_LOST" });
    expect(job.steps).toHaveLength(4);
  });

  it("drainThenResume goes on from the checkpoint once what was lost is back", async () => {
    const job = new Job();
    job.breakAt = lost;
    const drained: string[] = [];
    const options = optionsFor(job, { drain: (error) => void drained.push(error.message) });
    const result = await onFailure(options, job.train);
    expect(result).toMatchObject({
      value: 6,
      attempts: 2,
      path: "checkpointRestart",
      integrity: "equal",
    });
    expect(drained).toHaveLength(1);
    expect(job.steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(result.events.map(({ kind }) => kind)).toEqual([
      "failed",
      "drained",
      "back",
      "restored",
      "completed",
    ]);
  });

  it("drainThenResume waits for it, and gives up when it does not come back in time", async () => {
    const clock = new VirtualClock();
    let isBack = false;
    const job = new Job();
    job.breakAt = lost;
    const waiting = onFailure(optionsFor(job, { clock, isBack: () => isBack }), job.train);
    await clock.advance(30_000);
    expect(job.steps).toHaveLength(4);
    isBack = true;
    await clock.advance(1000);
    const { recoveryMs } = await waiting;
    expect(recoveryMs).toBeGreaterThanOrEqual(30_000);

    const other = new Job();
    other.breakAt = lost;
    const options = optionsFor(other, { clock, isBack: () => false, waitMs: 5000 });
    const failing = expect(onFailure(options, other.train)).rejects.toMatchObject({
      code: "E_DEVICE_LOST",
    });
    await clock.advance(6000);
    await failing;
  });

  it("drainThenResume asks the record of what is broken, cuts between nodes included", async () => {
    const clock = new VirtualClock();
    const nodes = new Mesh({ axes: ["node", "gpu"], shape: [2, 2], devices: 4 });
    const open = inject({ networkPartition: [[0, 1]] });
    const waiting = onFailure<number>({ policy: "drainThenResume", clock, mesh: nodes }, () => {
      allReduce(tensor([4], { mesh: nodes, fill: 1 }));
      return 1;
    });
    await clock.advance(10_000);
    open[Symbol.dispose]();
    await clock.advance(1000);
    expect(await waiting).toMatchObject({ attempts: 2, integrity: "unchecked" });
  });

  it("shrink goes on without what was lost, along an axis if asked", async () => {
    const job = new Job();
    job.breakAt = lost;
    const result = await onFailure(optionsFor(job, { policy: "shrink" }), job.train);
    expect(result).toMatchObject({ path: "shrink", integrity: "equal" });
    expect(result.mesh?.devices).toEqual([0, 1, 3]);
    expect(job.steps.map(({ size }) => size)).toEqual([4, 4, 4, 4, 3, 3]);

    const grid = new Mesh({ axes: ["dp", "tp"], shape: [2, 2], devices: 4 });
    const again = new Job();
    again.breakAt = lost;
    const options = optionsFor(again, { policy: "shrink", mesh: grid, along: "dp" });
    expect((await onFailure(options, again.train)).mesh?.devices).toEqual([0, 1]);
  });

  it("spare puts spares in the places of what was lost, and gives up without one left", async () => {
    const job = new Job();
    job.breakAt = lost;
    const options = optionsFor(job, { policy: "spare", spares: [8] });
    const result = await onFailure(options, job.train);
    expect(result).toMatchObject({ path: "spare", integrity: "equal" });
    expect(result.mesh?.devices).toEqual([0, 1, 8, 3]);
    const twice = new Job();
    twice.breakAt = { step: 5, spec: { dropDevice: [1, 2] } };
    await expect(
      onFailure(optionsFor(twice, { policy: "spare", spares: [8] }), twice.train),
    ).rejects.toMatchObject({ code: "E_DEVICE_LOST" });
  });

  it("pauseForManual does what the person says", async () => {
    const job = new Job();
    job.breakAt = lost;
    const asked: string[] = [];
    const resume = async (error: Error) => {
      asked.push(error.message);
      return "resume" as const;
    };
    const options = optionsFor(job, { policy: "pauseForManual", resume });
    expect(await onFailure(options, job.train)).toMatchObject({ path: "manual", value: 6 });
    expect(asked).toHaveLength(1);
    const other = new Job();
    other.breakAt = lost;
    const stop = optionsFor(other, { policy: "pauseForManual", resume: async () => "abort" });
    await expect(onFailure(stop, other.train)).rejects.toMatchObject({ code: "E_DEVICE_LOST" });
  });

  it("tries a contained error again on the same mesh, whatever the policy", async () => {
    for (const policy of ["drainThenResume", "shrink", "spare"] as const) {
      const job = new Job();
      job.breakAt = { step: 5, spec: { ecc: { device: 2, xid: 94 } } };
      const result = await onFailure(optionsFor(job, { policy, spares: [8] }), job.train);
      expect(result.mesh?.devices, policy).toEqual([0, 1, 2, 3]);
    }
  });

  it("gives up after so many retries, with the last error", async () => {
    let runs = 0;
    const clock = new VirtualClock();
    const running = onFailure({ policy: "drainThenResume", clock, maxRetries: 2 }, () => {
      runs++;
      return inject({ dropDevice: 0 }, () => allReduce(tensor([4], { mesh, fill: 1 })));
    });
    await expect(running).rejects.toMatchObject({ code: "E_DEVICE_LOST" });
    expect(runs).toBe(3);
  });

  it("does not hide what is no failure of machines", async () => {
    let runs = 0;
    const clock = new VirtualClock();
    const running = onFailure({ policy: "drainThenResume", clock }, () => {
      runs++;
      throw new TypeError("a bug");
    });
    await expect(running).rejects.toThrow("a bug");
    expect(runs).toBe(1);
  });
});

describe("integrity", () => {
  it("is different when the result is not that of a run without faults", async () => {
    const job = new Job();
    job.breakAt = lost;
    const wrong = { ...integrity, expected: "d7" };
    const result = await onFailure(optionsFor(job, { integrity: wrong }), job.train);
    expect(result).toMatchObject({ integrity: "different", reason: expect.stringContaining("d7") });
  });

  it("is unchecked when nothing was compared: a result alone proves nothing", async () => {
    const job = new Job();
    job.breakAt = lost;
    const { restore } = job;
    const clock = new VirtualClock();
    const bare = await onFailure<number, number>(
      { policy: "drainThenResume", clock, mesh, restore },
      job.train,
    );
    expect(bare).toMatchObject({ value: 6, integrity: "unchecked" });
    const { digestOfResult } = integrity;
    const half = optionsFor(new Job(), { integrity: { digestOfResult } });
    expect(await onFailure(half, new Job().train)).toMatchObject({ integrity: "unchecked" });
  });

  it("of a checkpoint that is not what was saved keeps the job from training on it", async () => {
    const job = new Job();
    job.breakAt = lost;
    const restore = () => ({ state: 4, digest: "d5" });
    await expect(onFailure(optionsFor(job, { restore }), job.train)).rejects.toThrow(
      "not what was saved: d4 instead of d5",
    );
    expect(job.steps).toHaveLength(4);
  });
});

describe("options that do not fit", () => {
  const clock = new VirtualClock();
  it.each([
    { policy: "retry" },
    { policy: "failfast" },
    { policy: "shrink" },
    { policy: "spare", mesh },
    { policy: "spare", mesh, spares: [1] },
    { policy: "pauseForManual" },
    { policy: "failFast", maxRetries: -1 },
    { policy: "failFast", maxRetries: 1.5 },
    { policy: "drainThenResume", waitMs: Number.NaN },
  ])("are refused with a remedy: %o", async (options) => {
    const given = { clock, ...options } as OnFailureOptions<unknown, number>;
    await expect(onFailure(given, () => 1)).rejects.toMatchObject({
      code: "E_FAULT_INVALID",
      hint: expect.stringMatching(/\S/),
    });
  });
});
