import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  armed,
  claimed,
  ended,
  entryDone,
  failed,
  firstStatus,
  injected,
  over,
  renewed,
  revertFailed,
  sighted,
} from "../../../src/hardware/faults/index.ts";
import type { HardwareFaultStatus, Sighting } from "../../../src/hardware/objects/index.ts";
import { isTesseraError } from "../../../src/platform/errors/index.ts";
import { nodeUndo, policyUndo, sampleSpec } from "./sample.ts";

const startMs = Date.parse("2026-11-16T10:00:00.000Z");
const spec = sampleSpec(startMs);
const undo = [nodeUndo("n1"), policyUndo];
const stamp = { by: "fault-api", nowMs: startMs };
const sighting: Sighting = {
  at: "2026-11-16T10:00:01.000Z",
  by: "tessera",
  what: "condition",
  detail: "TesseraXidError",
};
const made = { spec, metadata: { creationTimestamp: "2026-11-16T10:00:00Z" } };
const planned = firstStatus(made, stamp);

describe("the life of a fault", () => {
  it("begins planned, with a lease that its expiry bounds", () => {
    expect(planned).toMatchObject({ state: "planned", leaseUntil: "2026-11-16T10:00:10.000Z" });
    const brief = { ...made, spec: { ...spec, expiresAt: "2026-11-16T10:00:03Z" } };
    expect(firstStatus(brief, stamp).leaseUntil).toBe("2026-11-16T10:00:03.000Z");
  });

  it("is armed with its undo in the same status, and not carried out before", () => {
    expect(armed(planned, undo, stamp)).toMatchObject({ state: "armed", undo });
    expect(() => injected(planned, stamp)).toThrow(/it is planned/);
  });

  it("is observed once it is carried out and seen, in either order", () => {
    const inForce = injected(armed(planned, undo, stamp), stamp);
    expect(inForce?.state).toBe("injected");
    expect(inForce && sighted(inForce, sighting, stamp)?.state).toBe("observed");
    const early = sighted(armed(planned, undo, stamp), sighting, stamp);
    expect(early?.state).toBe("armed");
    expect(early && injected(early, stamp)?.state).toBe("observed");
  });

  it("counts the same sighting once and keeps 32", () => {
    let status = armed(planned, undo, stamp);
    for (let at = 0; at < 100; at++) {
      const next = { ...sighting, detail: `d${at % 50}` };
      status = sighted(status, next, stamp) ?? status;
    }
    expect(status.sightings?.map(({ detail }) => detail)).toEqual(
      Array.from({ length: 32 }, (_, at) => `d${at}`),
    );
  });

  it("ends once, for the first reason", () => {
    const first = ended(armed(planned, undo, stamp), "requested", stamp);
    expect(first?.end).toMatchObject({ reason: "requested", by: "fault-api" });
    expect(first && ended(first, "expired", stamp)).toBeUndefined();
    expect(() => injected(first as HardwareFaultStatus, stamp)).toThrow(/requested/);
  });

  it("refuses to be armed or carried out past its lease", () => {
    const late = { ...stamp, nowMs: startMs + 10_000 };
    expect(() => armed(planned, undo, late)).toThrow(/lease ended/);
    expect(() => injected(armed(planned, undo, stamp), late)).toThrow(/lease ended/);
  });

  it("fails at once when planned, and only after its undo when armed", () => {
    expect(failed(planned, "no GPU", stamp)).toMatchObject({ state: "failed", message: "no GPU" });
    const begun = failed(armed(planned, undo, stamp), "no GPU", stamp) as HardwareFaultStatus;
    expect(begun).toMatchObject({ state: "armed", end: { reason: "not-carried-out" } });
    let status = claimed(begun, "not-carried-out", stamp);
    expect(() => over(status, stamp)).toThrow(/every entry/);
    status = entryDone(entryDone(status, 1, [], stamp), 0, ["x stays"], stamp);
    expect(over(status, stamp)).toMatchObject({ state: "failed", message: "no GPU; x stays" });
  });

  it("is renewed for its lease at most, and never past its end", () => {
    const status = armed(planned, undo, stamp);
    const at = (nowMs: number) =>
      renewed(spec, status, Number.POSITIVE_INFINITY, { ...stamp, nowMs });
    expect(at(startMs + 5_000)?.leaseUntil).toBe("2026-11-16T10:00:15.000Z");
    expect(at(startMs + 55_000)?.leaseUntil).toBe("2026-11-16T10:01:00.000Z");
    expect(at(startMs)).toBeUndefined();
    expect(
      renewed(spec, status, startMs + 11_000, { ...stamp, nowMs: startMs + 5_000 }),
    ).toMatchObject({ leaseUntil: "2026-11-16T10:00:11.000Z" });
  });

  it("keeps its first and its last 31 changes", () => {
    let status = claimed(armed(planned, undo, stamp), "requested", stamp);
    for (let at = 0; at < 50; at++) {
      status = revertFailed(status, "no", { ...stamp, nowMs: startMs + at });
      status = claimed(status, "requested", { ...stamp, nowMs: startMs + at });
    }
    expect(status.history).toHaveLength(32);
    expect(status.history?.[0]?.state).toBe("planned");
    expect(status.history?.at(-1)).toMatchObject({ state: "reverting" });
  });
});

type Step = (status: HardwareFaultStatus, nowMs: number) => HardwareFaultStatus | undefined;

const step: fc.Arbitrary<Step> = fc.constantFrom<Step[]>(
  (status, nowMs) => armed(status, undo, { by: "a", nowMs }),
  (status, nowMs) => injected(status, { by: "b", nowMs }),
  (status, nowMs) => sighted(status, sighting, { by: "b", nowMs }),
  (status, nowMs) => failed(status, "why", { by: "b", nowMs }),
  (status, nowMs) => ended(status, "expired", { by: "c", nowMs }),
  (status, nowMs) => claimed(status, "requested", { by: "c", nowMs }),
  (status, nowMs) => entryDone(status, 0, [], { by: "c", nowMs }),
  (status, nowMs) => entryDone(status, 1, ["stays"], { by: "c", nowMs }),
  (status, nowMs) => revertFailed(status, "why", { by: "c", nowMs }),
  (status, nowMs) => over(status, { by: "c", nowMs }),
  (status, nowMs) => renewed(spec, status, Number.POSITIVE_INFINITY, { by: "a", nowMs }),
);

describe("any order of changes", () => {
  it("acts only with an undo written down, ends once, and ends are final", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.nat(2_000)), { maxLength: 60 }), (steps) => {
        let status = planned;
        let nowMs = startMs;
        for (const [change, passedMs] of steps) {
          nowMs += passedMs;
          const before = status;
          try {
            status = change(status, nowMs) ?? status;
          } catch (error) {
            const known = isTesseraError(error) || (error as Error).name === "AssertionError";
            expect(known).toBe(true);
          }
          const isEnd = before.state === "reverted" || before.state === "failed";
          if (isEnd) expect(status).toEqual(before);
          if (before.end !== undefined) expect(status.end).toEqual(before.end);
          if (["armed", "injected", "observed"].includes(status.state))
            expect(status.undo).toBeDefined();
          if (status.state === "reverted")
            expect((status.undo ?? []).every(({ doneAt }) => doneAt !== undefined)).toBe(true);
          expect(status.history?.length).toBeLessThanOrEqual(32);
          expect(Date.parse(status.leaseUntil)).toBeLessThanOrEqual(Date.parse(spec.expiresAt));
        }
      }),
    );
  });
});
