import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FaultState,
  faultStates,
  type HardwareFault,
} from "../../../src/hardware/objects/index.ts";
import { dueFaults } from "../../../src/hardware/reaper/index.ts";
import { nodeUndo, sampleSpec } from "../faults/sample.ts";

const startMs = Date.parse("2026-11-16T10:00:00.000Z");
const time = (atMs: number) => new Date(startMs + atMs).toISOString();
const options = { by: "fault-api", owns: () => true, disarms: () => false };

function fault(
  state: FaultState,
  more: { readonly atMs?: number; readonly by?: string; readonly ended?: boolean } = {},
): HardwareFault {
  const { atMs = 0, by = "agent/n1", ended = false } = more;
  return {
    metadata: { name: "f" },
    spec: sampleSpec(startMs),
    status: {
      state,
      leaseUntil: time(10_000),
      undo: [nodeUndo("n1")],
      history: [{ at: time(atMs), state, by }],
      ...(ended ? { end: { reason: "requested", at: time(atMs), by } } : {}),
    },
  };
}

function reasonOf(one: HardwareFault, atMs: number): string | undefined {
  return dueFaults([one], startMs + atMs, options)[0]?.reason;
}

describe("which faults are due", () => {
  it.each([
    ["in force, its lease running", fault("injected"), 9_999, undefined],
    ["in force, its lease missed", fault("injected"), 10_000, "lease-missed"],
    ["in force, expired", fault("injected"), 60_000, "expired"],
    ["ended by request", fault("armed", { ended: true }), 1, "requested"],
    ["claimed by another a moment ago", fault("reverting", { ended: true }), 2_000, undefined],
    ["claimed by another long ago", fault("reverting", { ended: true }), 2_001, "requested"],
    ["claimed by itself", fault("reverting", { ended: true, by: "fault-api" }), 1, "requested"],
    ["failed to end a moment ago", fault("revert-failed", { ended: true }), 999, undefined],
    ["failed to end a while ago", fault("revert-failed", { ended: true }), 1_000, "requested"],
    ["over", fault("reverted", { ended: true }), 90_000, undefined],
    ["failed", fault("failed"), 90_000, undefined],
  ])("%s", (_, one, atMs, reason) => {
    expect(reasonOf(one, atMs)).toBe(reason);
  });

  it("are never those that are over, and at some time all others", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...faultStates),
        fc.nat(200_000),
        fc.boolean(),
        (state, atMs, ended) => {
          const one = fault(state, { ended });
          const isOver = state === "reverted" || state === "failed";
          if (isOver) expect(reasonOf(one, atMs)).toBeUndefined();
          else expect(reasonOf(one, 60_000 + atMs)).toBeDefined();
        },
      ),
    );
  });
});
