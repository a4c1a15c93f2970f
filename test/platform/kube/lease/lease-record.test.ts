import { describe, expect, it } from "vitest";
import {
  heldLease,
  type Lease,
  mayTake,
  observe,
  releasedLease,
} from "../../../../src/platform/kube/lease/lease-record.ts";

function lease(resourceVersion: string, spec: Lease["spec"] = {}): Lease {
  return { metadata: { name: "l", resourceVersion }, spec };
}

const held = lease("1", { holderIdentity: "other", leaseDurationSeconds: 15, leaseTransitions: 3 });

describe("a lease as a candidate sees it", () => {
  it("is as old as its last change, by the candidate's own stopwatch", () => {
    const first = observe(undefined, held, 1_000);
    expect(observe(first, held, 9_000)).toBe(first);
    expect(observe(first, { ...held, metadata: { resourceVersion: "2" } }, 9_000).seenAtMs).toBe(
      9_000,
    );
  });

  it("may be taken when the holder has been silent for its duration, and not before", () => {
    const seen = observe(undefined, held, 1_000);
    expect(mayTake(seen, "me", 15_999)).toBe(false);
    expect(mayTake(seen, "me", 16_000)).toBe(true);
  });

  it("may be taken at once when nobody holds it, or we do", () => {
    const released = lease("2", { holderIdentity: "", leaseDurationSeconds: 15 });
    expect(mayTake(observe(undefined, released, 0), "me", 0)).toBe(true);
    expect(mayTake(observe(undefined, held, 0), "other", 0)).toBe(true);
    expect(mayTake(observe(undefined, lease("3"), 0), "me", 0)).toBe(true);
  });
});

describe("a lease as it is written", () => {
  const holder = {
    identity: "me",
    leaseDurationMs: 14_500,
    nowMs: Date.parse("2026-01-02T03:04:05.678Z"),
  };

  it("counts a change of holder, and starts its time anew", () => {
    expect(heldLease(held, holder)).toEqual({
      holderIdentity: "me",
      leaseDurationSeconds: 15,
      acquireTime: "2026-01-02T03:04:05.678000Z",
      renewTime: "2026-01-02T03:04:05.678000Z",
      leaseTransitions: 4,
    });
  });

  it("keeps its beginning and its count when it is renewed", () => {
    const mine = lease("5", { holderIdentity: "me", acquireTime: "then", leaseTransitions: 7 });
    expect(heldLease(mine, holder)).toMatchObject({ acquireTime: "then", leaseTransitions: 7 });
    expect(heldLease(undefined, holder)).toMatchObject({ leaseTransitions: 0 });
  });

  it("belongs to nobody once it is released, and its count stays", () => {
    expect(releasedLease(held, 0)).toMatchObject({
      holderIdentity: "",
      leaseDurationSeconds: 1,
      leaseTransitions: 3,
    });
  });
});
