import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  expectedGpus,
  gateOptions,
  planCompute,
} from "../../../../src/validation/checks/gate/index.ts";
import { changed, healthy, withMinors } from "./machine.ts";

describe("the GPUs a gate is about", () => {
  const inJob = (gpus: string) => expectedGpus({ SLURM_JOB_ID: "7", SLURM_JOB_GPUS: gpus }, 8);

  it("are all of the machine outside a job", () => {
    expect(expectedGpus({ SLURM_JOB_GPUS: "1" }, undefined)).toEqual({
      count: undefined,
      ofJob: undefined,
      isOurs: true,
    });
  });

  it.each([
    ["0,1,4", [0, 1, 4]],
    ["4-6,0", [0, 4, 5, 6]],
  ])("are those that Slurm names for the job: %j", (text, ofJob) => {
    expect(inJob(text)).toEqual({ count: 8, ofJob, isOurs: true });
  });

  it("are looked at, and others' to compute on, when the job names none", () => {
    expect(inJob("")).toEqual({ count: 8, ofJob: undefined, isOurs: false });
  });

  it.each(["a", "1-", "5-2", "0,,x", "99999"])("are not known from %j", (text) => {
    expect(inJob(text)).toMatchObject({ isOurs: false, problem: expect.stringContaining(text) });
  });

  it("are read back from whatever Slurm writes", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 1023 }), { minLength: 1 }), (numbers) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        expect(inJob(numbers.join(",")).ofJob).toEqual(sorted);
      }),
    );
  });
});

describe("what a gate computes on", () => {
  const plan = (sightings = healthy(2), env: Record<string, string> = {}, compute = true) =>
    planCompute(sightings, {
      options: gateOptions.parse({ compute }),
      expected: expectedGpus(env, undefined),
    });

  it("is every free GPU of the machine, and never one in use", () => {
    expect(plan()).toEqual({ on: "gpus", uuids: ["GPU-0", "GPU-1"] });
    expect(plan(changed(healthy(2), "gpu", { pids: [1] }))).toEqual({
      on: "gpus",
      uuids: ["GPU-1"],
    });
    expect(plan(changed(healthy(1), "gpu", { pids: [1] })).on).toBe("nothing");
    // It could not be told who computes on it.
    expect(plan(changed(healthy(1), "gpu", { pids: undefined })).on).toBe("nothing");
  });

  it("is only what the job has", () => {
    expect(plan(healthy(4), { SLURM_JOB_ID: "7", SLURM_JOB_GPUS: "2" })).toEqual({
      on: "gpus",
      uuids: ["GPU-2"],
    });
    expect(plan(healthy(4), { SLURM_JOB_ID: "7" })).toMatchObject({
      on: "nothing",
      reason: expect.stringContaining("names no GPU"),
    });
  });

  it("is what has the device files of the job, and nothing where one of them is nobody's", () => {
    const job = { SLURM_JOB_ID: "7", SLURM_JOB_GPUS: "2" };
    expect(plan(withMinors(healthy(3), [1, 2, 0]), job)).toEqual({ on: "gpus", uuids: ["GPU-1"] });
    for (const minors of [
      [0, 1, undefined],
      [0, 1, 3],
    ]) {
      for (const numbers of ["2", "0,2"]) {
        const plans = plan(withMinors(healthy(3), minors), { ...job, SLURM_JOB_GPUS: numbers });
        expect(plans).toMatchObject({
          on: "nothing",
          reason: expect.stringMatching("not certain"),
        });
      }
    }
  });

  it("is the processors of a machine without GPUs, and nothing when not asked for", () => {
    expect(plan(healthy(0))).toEqual({ on: "host" });
    expect(plan(healthy(0), {}, false).on).toBe("nothing");
  });

  it("is nothing on parts of GPUs, nor behind a driver that does not answer", () => {
    expect(plan(changed(healthy(1), "driver", { isDivided: true })).on).toBe("nothing");
    expect(plan(changed(healthy(0), "driver", { onBus: 1 })).on).toBe("nothing");
  });
});
