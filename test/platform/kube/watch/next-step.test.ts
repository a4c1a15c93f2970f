import { describe, expect, it } from "vitest";
import {
  backoffMs,
  nextStep,
  stepAfterFailedList,
} from "../../../../src/platform/kube/watch/next-step.ts";

const failed = { kind: "failed", error: new Error("x") } as const;

describe("after a watch", () => {
  it.each([
    ["an orderly end is followed by a watch at once", { kind: "ended" }, 0, false, "none"],
    ["an end that came too soon is followed by a wait", { kind: "ended" }, 1, false, "backoff"],
    ["an expired version needs a list at once", { kind: "expired" }, 1, true, "none"],
    [
      "a version that expires again and again needs a wait",
      { kind: "expired" },
      2,
      true,
      "backoff",
    ],
    ["a failure is followed by a watch from the same place", failed, 1, false, "backoff"],
    ["three failures are followed by a list", failed, 3, true, "backoff"],
    ["the server's own wait counts", { ...failed, retryAfterMs: 7 }, 1, false, { afterMs: 7 }],
    ["but not for ever", { ...failed, retryAfterMs: 9e9 }, 1, false, { afterMs: 60_000 }],
  ] as const)("%s", (_, end, failures, relist, wait) => {
    expect(nextStep(end, failures)).toEqual({ relist, wait });
  });
});

describe("after a list that failed", () => {
  it("comes another list, no sooner than the server asked", () => {
    expect(stepAfterFailedList(undefined)).toEqual({ relist: true, wait: "backoff" });
    expect(stepAfterFailedList(5)).toEqual({ relist: true, wait: { afterMs: 5 } });
  });
});

describe("the wait between failures", () => {
  const bounds = { baseMs: 100, maxMs: 1_000 };

  it("doubles up to its limit", () => {
    const most = (failures: number) => backoffMs(failures, { float: () => 1 }, bounds);
    expect([1, 2, 3, 4, 5, 100].map(most)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it("is at least half of that", () => {
    expect(backoffMs(2, { float: () => 0 }, bounds)).toBe(100);
  });
});
