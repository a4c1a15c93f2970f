import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verdictOfItems } from "../../../../src/platform/words.ts";
import {
  type ExpectedGpus,
  gateOptions,
  judgeSightings,
  type Sighting,
} from "../../../../src/validation/checks/gate/index.ts";
import { changed, gpuOf, healthy, withMinors } from "./machine.ts";

const nowMs = 1_800_000_000_000;
const hourMs = 3_600_000;
const wholeMachine: ExpectedGpus = { count: undefined, ofJob: undefined, isOurs: true };

function judge(
  sightings: readonly Sighting[],
  {
    expected = wholeMachine,
    isBeforeJob = false,
    ...options
  }: {
    expected?: ExpectedGpus;
    isBeforeJob?: boolean;
    xidHours?: number;
    memoryFreeMiB?: number;
  } = {},
) {
  const measure = { options: gateOptions.parse(options), expected, isBeforeJob, nowMs };
  const findings = judgeSightings(sightings, measure);
  const decisive = findings.filter(({ status }) => status !== "pass").map(({ words }) => words);
  return { verdict: verdictOfItems(findings.map(({ status }) => status)), decisive };
}

describe("a gate", () => {
  it.each([0, 1, 8])("finds a healthy machine with %i GPUs good", (gpus) => {
    expect(judge(healthy(gpus))).toEqual({ verdict: "pass", decisive: [] });
  });

  it("finds too little memory bad, and just enough good", () => {
    const given = (mib: number) =>
      judge(changed(healthy(0), "memory", { availableBytes: mib * 2 ** 20 }));
    expect(given(1024).verdict).toBe("pass");
    expect(given(1023)).toMatchObject({ verdict: "fail", decisive: [/must be/] });
  });

  it("does not blame a machine for memory that another job may have, unless told to", () => {
    const short = changed(healthy(0), "memory", { availableBytes: 1023 * 2 ** 20 });
    expect(judge(short, { isBeforeJob: true })).toEqual({
      verdict: "warn",
      decisive: [expect.stringContaining("others' jobs may have the rest")],
    });
    expect(judge(healthy(0), { isBeforeJob: true })).toEqual({ verdict: "pass", decisive: [] });
    const told = { isBeforeJob: true, memoryFreeMiB: 1024 };
    expect(judge(short, told).verdict).toBe("fail");
    expect(judge(healthy(0), told).verdict).toBe("pass");
  });

  it("finds a full folder bad, and one that is not there not decided", () => {
    const sightings = healthy(0);
    expect(judge(changed(sightings, "folder", { freeBytes: 0 })).verdict).toBe("fail");
    const problem = (code: string) =>
      judge(changed(sightings, "folder", { problem: { code, text: code } })).verdict;
    expect(["EROFS", "EIO", "ENOSPC"].map(problem)).toEqual(["fail", "fail", "fail"]);
    expect(["ENOENT", "EACCES"].map(problem)).toEqual(["unknown", "unknown"]);
  });

  it.each([
    ["a row that waits for a reset", { remapPending: true }, /waits for a reset/],
    ["a row that cannot be replaced", { remapFailed: true }, /cannot be replaced/],
    ["errors that ECC could not mend", { eccUncorrected: 2 }, /2 errors of memory/],
    ["an error for an answer", { problem: "GPU 0: GPU is lost" }, /GPU is lost/],
  ])("finds a GPU with %s bad", (_, change, words) => {
    const { verdict, decisive } = judge(changed(healthy(2), "gpu", change));
    expect(verdict).toBe("fail");
    expect(decisive).toEqual([expect.stringMatching(words)]);
  });

  it("finds a GPU that counts no errors good, and one in use good with a remark", () => {
    const mute = { eccUncorrected: null, remapPending: null, remapFailed: null };
    expect(judge(changed(healthy(1), "gpu", mute)).verdict).toBe("pass");
    const { verdict, decisive } = judge(changed(healthy(1), "gpu", { pids: [4242] }));
    expect([verdict, decisive]).toEqual(["warn", [expect.stringContaining("4242")]]);
  });
});

describe("the number of GPUs", () => {
  const of = (count: number): ExpectedGpus => ({ count, ofJob: undefined, isOurs: true });

  it("must be what was asked for", () => {
    expect(judge(healthy(8), { expected: of(8) }).verdict).toBe("pass");
    expect(judge(healthy(7), { expected: of(8) })).toEqual({
      verdict: "fail",
      decisive: ["the driver answers for 7 GPUs, and this machine must have 8"],
    });
    expect(judge(healthy(0), { expected: of(8) }).verdict).toBe("fail");
  });

  it("must be what the kernel lists", () => {
    expect(judge(changed(healthy(7), "driver", { inKernel: 8 })).verdict).toBe("fail");
  });

  it("includes those of the job", () => {
    const job = (...ofJob: number[]): ExpectedGpus => ({ count: undefined, ofJob, isOurs: true });
    expect(judge(healthy(4), { expected: job(0, 3) }).verdict).toBe("pass");
    expect(judge(healthy(1), { expected: job(0, 1) })).toMatchObject({
      verdict: "fail",
      decisive: [expect.stringContaining("1 GPU, and the job has 2"), expect.anything()],
    });
  });

  it("of a job are those of its device files, in whatever order the driver has them", () => {
    const swapped = withMinors(healthy(3), [2, 0, 1]);
    const broken = changed(swapped, "gpu", { remapPending: true });
    const expected = (...ofJob: number[]) => ({ count: undefined, ofJob, isOurs: true });
    expect(judge(broken, { expected: expected(2) }).verdict).toBe("fail");
    expect(judge(broken, { expected: expected(0, 1) }).verdict).toBe("pass");
  });

  it("of a job are not decided where no device file is known to be theirs", () => {
    const expected = { count: undefined, ofJob: [0, 3], isOurs: true };
    const given = (...minors: (number | undefined)[]) =>
      judge(withMinors(healthy(2), minors), { expected });
    for (const { verdict, decisive } of [given(0, undefined), given(0, 1), given(undefined, 3)]) {
      expect(verdict).toBe("unknown");
      expect(decisive).toEqual([expect.stringMatching(/^the job has GPU [03], and the driver/)]);
    }
  });

  it("of a job is not that of a divided machine", () => {
    const divided = changed(healthy(1), "driver", { isDivided: true });
    expect(
      judge(divided, { expected: { count: undefined, ofJob: [5], isOurs: true } }).verdict,
    ).toBe("pass");
  });

  it("is not decided where the numbers of the job are not understood", () => {
    const problem = "SLURM_JOB_GPUS is not understood";
    const expected = { ...wholeMachine, isOurs: false, problem };
    expect(judge(healthy(1), { expected }).verdict).toBe("unknown");
  });
});

describe("a driver that gives no list", () => {
  const without = (change: object) => {
    const silent = changed(healthy(0), "driver", { onBus: 8, isLoaded: true, ...change });
    return judge(silent).verdict;
  };

  it("is bad when it answers with an error, or is not loaded", () => {
    expect(without({ isAnswer: true, problem: "NVML does not start" })).toBe("fail");
    expect(without({ isLoaded: false })).toBe("fail");
    expect(without({ isAnswer: true, gpus: [] })).toBe("fail");
  });

  it("is not decided when it could not be asked", () => {
    expect(without({ isAnswer: false, problem: "koffi does not load" })).toBe("unknown");
  });
});

describe("XIDs of the kernel's log", () => {
  const event = (xid: number, { hoursAgo = 1, gpu = 0, text = "x" } = {}) => {
    return { atMs: nowMs - hoursAgo * hourMs, pciBusId: gpuOf(gpu).pciBusId, xid, text };
  };
  const recovered = "GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)";
  const given = (events: readonly ReturnType<typeof event>[], options = {}) =>
    judge(changed(healthy(2), "xids", { events: [...events] }), options).verdict;

  it("are bad when the hardware is to blame, and not when a program is", () => {
    expect(given([event(79)])).toBe("fail");
    expect(given([event(13), event(31)])).toBe("pass");
  });

  it("count for a day, or as long as was asked for", () => {
    expect(given([event(79, { hoursAgo: 25 })])).toBe("pass");
    expect(given([event(79, { hoursAgo: 25 })], { xidHours: 48 })).toBe("fail");
  });

  it("are over when the GPU has recovered since, and only that GPU", () => {
    const recovery = event(154, { text: recovered });
    expect(given([event(95), recovery])).toBe("pass");
    expect(given([recovery, event(95)])).toBe("fail");
    expect(given([event(95, { gpu: 1 }), recovery])).toBe("fail");
    const drainFirst = event(154, { text: recovered.replace("(None)", "(Drain P2P)") });
    expect(given([event(95), drainFirst])).toBe("fail");
  });

  it("of a GPU that the job does not have are not its business", () => {
    const expected = { count: undefined, ofJob: [1], isOurs: true };
    expect(given([event(79)], { expected })).toBe("pass");
    expect(given([event(79, { gpu: 1 })], { expected })).toBe("fail");
  });

  it("that cannot be read leave it undecided", () => {
    const sightings = healthy(1).filter(({ saw }) => saw !== "xids");
    const unread: Sighting = { saw: "xids", problem: "the kernel's log cannot be read" };
    expect(judge([...sightings, unread]).verdict).toBe("unknown");
  });
});

it("is never good while a GPU of the job is known to be broken", () => {
  const broken = fc.constantFrom(
    { remapPending: true },
    { remapFailed: true },
    { eccUncorrected: 1 },
    { problem: "lost" },
  );
  const gpus = fc.integer({ min: 1, max: 16 });
  fc.assert(
    fc.property(gpus, fc.nat(), broken, fc.boolean(), (count, which, change, isJob) => {
      const index = which % count;
      const uuid = gpuOf(index).uuid;
      const sightings = healthy(count).map((seen) =>
        seen.saw === "gpu" && seen.uuid === uuid ? { ...seen, ...change } : seen,
      );
      const expected = isJob ? { count: undefined, ofJob: [index], isOurs: true } : wholeMachine;
      expect(judge(sightings, { expected }).verdict).toBe("fail");
      if (count > 1 && isJob) {
        const other = { count: undefined, ofJob: [(index + 1) % count], isOurs: true };
        expect(judge(sightings, { expected: other }).verdict).toBe("pass");
      }
    }),
  );
});
