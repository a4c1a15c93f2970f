import { describe, expect, test } from "vitest";
import {
  storageOptionsSchema,
  storagePatterns,
} from "../../../../src/validation/checks/storage-io/options.ts";
import {
  orderedPatterns,
  peakBytes,
  resolveScale,
  windowMsOf,
} from "../../../../src/validation/checks/storage-io/plan.ts";
import { stepsOf } from "../../../../src/validation/checks/storage-io/steps.ts";

const scale = resolveScale("standard", {});
const access = { engine: "libaio", direct: true, rateBytesPerSecond: undefined };

describe("the plan of a storage test", () => {
  test("quick measures for less than a minute in all", () => {
    const quick = resolveScale("quick", {});
    const steps = storagePatterns.flatMap((pattern) => stepsOf(pattern, quick, access));
    const measureMs = steps.reduce((sum, step) => sum + step.rampMs + step.runtimeMs, 0);
    expect(measureMs).toBeLessThanOrEqual(40_000);
  });

  test("what the options say outweighs the profile", () => {
    expect(resolveScale("soak", { sizeBytes: 2 ** 20, rounds: 7 })).toMatchObject({
      sizeBytes: 2 ** 20,
      rounds: 7,
      runtimeMs: 60_000,
    });
  });

  test("patterns are done in one order, whatever order they are named in", () => {
    expect(orderedPatterns({ patterns: ["verify", "write"] })).toEqual(["write", "verify"]);
    expect(orderedPatterns({})).toEqual(storagePatterns);
  });

  test("room is needed for the largest group of files and no more", () => {
    expect(peakBytes(["write", "verify"], scale)).toBe(4 * 2 ** 30);
    expect(peakBytes(storagePatterns, scale)).toBe(8 * 4 * 2 ** 30);
  });

  test.each([
    [30_000, 1000],
    [4000, 500],
    [200, 50],
  ])("a sample of %i ms of measuring lasts %i ms", (runtimeMs, windowMs) => {
    expect(windowMsOf({ runtimeMs })).toBe(windowMs);
  });
});

describe("what fio is asked to do", () => {
  const argsOf = (pattern: (typeof storagePatterns)[number], change = {}) =>
    stepsOf(pattern, scale, { ...access, ...change }).map(({ args }) => args);

  test("latency is measured, caches are avoided and nothing is set aside beforehand", () => {
    for (const pattern of storagePatterns.filter((name) => name !== "metadata")) {
      for (const args of argsOf(pattern)) {
        expect(args).toContain("--direct=1");
        expect(args).toContain("--fallocate=none");
        expect(args.join(" ")).not.toContain("gtod_reduce");
      }
    }
  });

  test("small writes go to a file that is there as a whole", () => {
    expect(argsOf("randwrite")[0]).toContain("--overwrite=1");
  });

  test("a limit is shared by the jobs of a pattern", () => {
    const limited = { rateBytesPerSecond: 8_000_000 };
    expect(argsOf("multi-write", limited)[0]).toContain("--rate=1000000");
    expect(argsOf("write", limited)[0]).toContain("--rate=8000000");
    expect(argsOf("write")[0]?.join(" ")).not.toContain("--rate=");
  });

  test("data is written by one and read back by another", () => {
    const [write, read] = argsOf("verify");
    expect(write).toEqual(expect.arrayContaining(["--rw=write", "--do_verify=0"]));
    expect(read).toEqual(expect.arrayContaining(["--rw=read", "--do_verify=1"]));
  });
});

describe("the options", () => {
  test.each([
    [{ directory: "relative" }, "absolute"],
    [{ sizeBytes: 1000 }, "sizeBytes"],
    [{ sizeBytes: 2 ** 20 + 1 }, "whole mebibytes"],
    [{ patterns: ["write", "write"] }, "twice"],
    [{ patterns: ["delete"] }, "patterns"],
    [{ control: { figures: { read_bw: 0 } } }, "control"],
    [{ size: 1 }, "size"],
  ])("%j are refused", (options, problem) => {
    const parsed = storageOptionsSchema.safeParse(options);
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).toContain(problem);
  });
});
