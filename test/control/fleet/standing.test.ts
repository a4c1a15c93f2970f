import { describe, expect, it } from "vitest";
import { standingOf } from "../../../src/control/fleet/standing.ts";
import type { EndedInShort } from "../../../src/validation/history/newest-ends.ts";

function end(more: Partial<EndedInShort> = {}): EndedInShort {
  return {
    runId: "run-1",
    endedAtMs: 1000,
    outcome: "completed",
    error: undefined,
    verdict: "pass",
    reason: "as usual",
    isIncident: false,
    ...more,
  };
}

const pair = { node: "n1", check: "c1" };

describe("how a node stands with a check", () => {
  it("takes the verdict of the run that completed last", () => {
    const completed = end({ verdict: "warn", reason: "a little slow" });
    const found = standingOf({ ...pair, ended: completed, completed }, undefined);
    expect(found).toMatchObject({ standing: "warn", reason: "a little slow", completedAtMs: 1000 });
  });

  it("is unknown after an error, and keeps the time of what completed before", () => {
    const ended = end({ runId: "run-2", endedAtMs: 2000, outcome: "error", verdict: "unknown" });
    const found = standingOf({ ...pair, ended, completed: end() }, undefined);
    expect(found).toMatchObject({ standing: "unknown", runId: "run-2", completedAtMs: 1000 });
  });

  it("stays failed after an error, because a failure stays a failure", () => {
    const completed = end({ verdict: "fail", reason: "too slow" });
    const ended = end({ runId: "run-2", outcome: "timeout", verdict: "unknown" });
    expect(standingOf({ ...pair, ended, completed }, undefined)).toMatchObject({
      standing: "fail",
      runId: "run-1",
    });
  });

  it("passes over a cancelled run, and is untested when there was no other", () => {
    const ended = end({ runId: "run-2", outcome: "cancelled", verdict: "unknown" });
    expect(standingOf({ ...pair, ended, completed: end() }, undefined).standing).toBe("pass");
    expect(standingOf({ ...pair, ended, completed: undefined }, undefined).standing).toBe(
      "untested",
    );
  });

  it("keeps what was known until a new run is judged, and is unknown where nothing was", () => {
    const before = standingOf({ ...pair, ended: end(), completed: end() }, undefined);
    const fresh = end({ runId: "run-2", endedAtMs: 5000, verdict: undefined, reason: undefined });
    const ends = { ...pair, ended: fresh, completed: fresh };
    expect(standingOf(ends, before)).toMatchObject({ standing: "pass", runId: "run-1" });
    expect(standingOf(ends, undefined).standing).toBe("unknown");
  });

  it("is as old as the run that was judged, until the newer one is", () => {
    const before = standingOf({ ...pair, ended: end(), completed: end() }, undefined);
    const fresh = end({ runId: "run-2", endedAtMs: 5000, verdict: undefined, reason: undefined });
    const unjudged = standingOf({ ...pair, ended: fresh, completed: fresh }, before);
    expect(unjudged.completedAtMs).toBe(1000);
    const judged = { ...fresh, verdict: "pass" as const, reason: "as usual" };
    const after = standingOf({ ...pair, ended: judged, completed: judged }, unjudged);
    expect(after.completedAtMs).toBe(5000);
  });
});
