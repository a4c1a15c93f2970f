import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTasks } from "../../../src/platform/slurm/array-tasks.ts";
import { parseExit } from "../../../src/platform/slurm/exit-status.ts";
import { parseGres } from "../../../src/platform/slurm/gres.ts";
import { parseRelease } from "../../../src/platform/slurm/release.ts";
import { parseJobState, parseNodeState } from "../../../src/platform/slurm/states.ts";
import { formatTime, parseLimitMs, parseTimeMs } from "../../../src/platform/slurm/times.ts";

describe("a release", () => {
  it.each([
    ["slurm 22.05.8\n", "22.05.8", 22, 5],
    ["slurm-wlm 23.11.4", "23.11.4", 23, 11],
    ["slurm 26.05.0-0rc1", "26.05.0-0rc1", 26, 5],
  ])("is read from %j", (printed, text, major, minor) => {
    expect(parseRelease(printed)).toEqual({ text, major, minor });
  });

  it.each(["", "slurm", "bash 5.2", "slurm 2.6"])("is not made up from %j", (printed) => {
    expect(parseRelease(printed)).toBeUndefined();
  });
});

describe("generic resources", () => {
  const gpu = { name: "gpu", type: "h100", count: 8 };
  it.each([
    ["gpu:h100:8(S:0-1)", [gpu]],
    ["gpu:h100:3(IDX:0-2)", [{ ...gpu, count: 3 }]],
    [
      "gpu:h100:2(IDX:0,3),nic:2",
      [
        { ...gpu, count: 2 },
        { name: "nic", type: "", count: 2 },
      ],
    ],
    ["gpu:a100_3g.20gb:2", [{ name: "gpu", type: "a100_3g.20gb", count: 2 }]],
    ["gpu:4", [{ name: "gpu", type: "", count: 4 }]],
    ["gpu", [{ name: "gpu", type: "", count: 1 }]],
    ["gres/gpu:h100:8", [gpu]],
    ["gpu:h100:8,mps:800,shard:h100:32", [gpu]],
    ["gpu:h100:0(IDX:N/A)", [{ ...gpu, count: 0 }]],
    ["craynetwork:2K", [{ name: "craynetwork", type: "", count: 2048 }]],
    ["(null)", []],
    ["N/A", []],
    ["", []],
  ])("are read from %j", (text, expected) => {
    expect(parseGres(text)).toEqual(expected);
  });

  it.each(["gpu:h100:8(S:0", ":8", "gpu:1,,gpu:2", "8"])("are not made up from %j", (text) => {
    expect(() => parseGres(text)).toThrow();
  });
});

describe("a node's state", () => {
  it.each([
    [["IDLE"], "IDLE", []],
    [["idle*"], "IDLE", ["NOT_RESPONDING"]],
    [["mixed-"], "MIXED", ["PLANNED"]],
    [["down$*"], "DOWN", ["MAINTENANCE", "NOT_RESPONDING"]],
    [["idle~"], "IDLE", ["POWERED_DOWN"]],
    [["IDLE+DRAIN+DYNAMIC_NORM"], "IDLE", ["DRAIN", "DYNAMIC_NORM"]],
    [["MIXED", "PLANNED"], "MIXED", ["PLANNED"]],
    [["drained"], "IDLE", ["DRAIN"]],
    [["draining@"], "ALLOCATED", ["DRAIN", "REBOOT_REQUESTED"]],
    [["idle", "NO_RESPOND"], "IDLE", ["NOT_RESPONDING"]],
  ])("%j is read as %s with %j", (words, state, flags) => {
    expect(parseNodeState(words)).toEqual({ state, flags });
  });

  it("that nobody knows is unknown, and its word is kept", () => {
    expect(parseNodeState(["SHINY"])).toEqual({ state: "UNKNOWN", flags: ["SHINY"] });
    expect(parseNodeState([])).toEqual({ state: "UNKNOWN", flags: [] });
  });
});

describe("a job's state", () => {
  it.each([
    [["RUNNING"], "RUNNING", []],
    [["RUNNING", "COMPLETING"], "RUNNING", ["COMPLETING"]],
    [["CANCELLED by 1000"], "CANCELLED", []],
    [["COMPLETING"], "RUNNING", ["COMPLETING"]],
    [["REQUEUE_HOLD"], "PENDING", ["REQUEUE_HOLD"]],
    [["node_fail"], "NODE_FAIL", []],
    [["REVOKED"], "REVOKED", ["REVOKED"]],
    [["PENDING", "REVOKED"], "PENDING", ["REVOKED"]],
    [["LAUNCH_FAILED"], "LAUNCH_FAILED", ["LAUNCH_FAILED"]],
  ])("%j is read as %s with %j", (words, state, flags) => {
    expect(parseJobState(words)).toEqual({ state, flags });
  });

  it("that nobody knows is unknown, and its word is kept", () => {
    expect(parseJobState(["SHINY"])).toEqual({ state: "UNKNOWN", flags: ["SHINY"] });
  });
});

describe("times", () => {
  it("come back as they were written, to the second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        expect(parseTimeMs(formatTime(seconds * 1000))).toBe(seconds * 1000);
      }),
    );
  });

  it.each(["Unknown", "N/A", "None", ""])("%j is no time", (text) => {
    expect(parseTimeMs(text)).toBeUndefined();
  });

  it.each(["yesterday", "2026-11-16", "2026-13-41T00:00:00", "12:00:00"])(
    "%j is refused",
    (text) => {
      expect(() => parseTimeMs(text)).toThrow("is no time");
    },
  );

  it.each([
    ["7-00:00:00", 604_800_000],
    ["01:00:00", 3_600_000],
    ["30:00", 1_800_000],
    ["5", 300_000],
    ["1-12", 129_600_000],
    ["UNLIMITED", undefined],
  ])("the limit %s is %j ms", (text, ms) => {
    expect(parseLimitMs(text)).toBe(ms);
  });

  it("a limit that is none is refused", () => {
    expect(() => parseLimitMs("long")).toThrow("is no limit");
  });
});

describe("how a script ended", () => {
  it("is a code, or a signal and no code", () => {
    expect(parseExit("3:0")).toEqual({ exitCode: 3, exitSignal: undefined });
    expect(parseExit("0:15")).toEqual({ exitCode: undefined, exitSignal: 15 });
    expect(() => parseExit("3")).toThrow("no exit code");
  });
});

describe("the waiting tasks of an array", () => {
  it.each([
    ["1-3%2", [1, 2, 3]],
    ["[0,5-6]", [0, 5, 6]],
    ["0-9:3", [0, 3, 6, 9]],
    ["1-2,...", [1, 2]],
    ["", []],
  ])("%j are %j", (text, tasks) => {
    expect(parseTasks(text)).toEqual(tasks);
  });
});
