import { describe, expect, it, onTestFinished } from "vitest";
import {
  createLeaderElection,
  type KubeClient,
  type LeaderElection,
  type LeaderElectionOptions,
  type LeaderEvent,
} from "../../../../src/platform/kube/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import type { FakeApi } from "../support/fake-api.ts";
import { fakeCluster, random } from "../support/fake-cluster.ts";

const leases = "/apis/coordination.k8s.io/v1/leases";

interface Candidate {
  readonly election: LeaderElection;
  readonly events: LeaderEvent[];
  readonly failures: unknown[];
}

function candidate(
  client: KubeClient,
  clock: VirtualClock,
  identity: string,
  more: Partial<LeaderElectionOptions> = {},
): Candidate {
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const options = { client, name: "lock", identity, clock, random, onFailure, ...more };
  const election = createLeaderElection(options);
  const events: LeaderEvent[] = [];
  election.subscribe((event) => events.push(event));
  onTestFinished(async () => {
    clock.monotonicMs = VirtualClock.prototype.monotonicMs.bind(clock);
    let stopped = false;
    void election.stop().then(() => {
      stopped = true;
    });
    await advanceUntil(clock, "it stopped", () => stopped);
  });
  return { election, events, failures };
}

async function setUp() {
  const clock = new VirtualClock({ epochMs: Date.parse("2026-01-01T00:00:00Z") });
  const { api, client } = await fakeCluster({ clock });
  return { clock, api, client };
}

/** Moves time until something holds, in steps so small that a slow machine loses no request. */
async function advanceUntil(
  clock: VirtualClock,
  what: string,
  holds: () => boolean,
  stepMs = 100,
): Promise<void> {
  await waitUntil(what, async () => {
    if (holds()) return true;
    await clock.advance(stepMs);
    return holds();
  });
}

function holder(api: FakeApi): unknown {
  const lease = api.table.collection(leases).get("default/lock") as
    | { spec?: { holderIdentity?: string } }
    | undefined;
  return lease?.spec?.holderIdentity;
}

describe("an election", () => {
  it("gives the lease to the first, and to another only after it was handed back", async () => {
    const { clock, api, client } = await setUp();
    const a = candidate(client, clock, "a");
    const b = candidate(client, clock, "b");
    a.election.start();
    await waitUntil("a leads", () => a.election.isLeader());
    b.election.start();
    await advanceUntil(clock, "b knows", () => b.election.leader === "a");
    const renewals = () => api.seen.filter(({ method }) => method === "PUT").length;
    await advanceUntil(clock, "a has renewed for longer than a lease", () => {
      expect(b.election.isLeader()).toBe(false);
      return renewals() > 8;
    });
    expect(a.election.isLeader()).toBe(true);
    await a.election.stop();
    expect(a.election.isLeader()).toBe(false);
    expect(holder(api)).toBe("");
    const releasedMs = clock.monotonicMs();
    await advanceUntil(clock, "b leads", () => b.election.isLeader());
    expect(clock.monotonicMs() - releasedMs).toBeLessThan(5_000);
    expect(a.events.map(({ type }) => type)).toEqual(["elected", "lost"]);
    const fences = [...a.events, ...b.events].flatMap((event) =>
      event.type === "elected" ? [event.term.fence] : [],
    );
    expect(fences).toEqual([0, 1]);
  });

  it("moves on when the leader dies, but not before the lease is over", async () => {
    const { clock, api, client } = await setUp();
    const dead = { name: "lock", namespace: "default" };
    api.put(leases, {
      metadata: dead,
      // Its clock is years ahead of ours, which must not matter.
      spec: {
        holderIdentity: "dead",
        leaseDurationSeconds: 15,
        renewTime: "2031-01-01T00:00:00.000000Z",
      },
    });
    const { election } = candidate(client, clock, "a");
    election.start();
    await waitUntil("it looked", () => election.leader === "dead");
    const seenMs = clock.monotonicMs();
    await advanceUntil(clock, "it leads", () => election.isLeader());
    expect(clock.monotonicMs() - seenMs).toBeGreaterThanOrEqual(15_000);
    expect(clock.monotonicMs() - seenMs).toBeLessThan(25_000);
  });

  it("is lost by a leader that cannot renew, before another may win it", async () => {
    const { clock, api, client } = await setUp();
    const { election, events } = candidate(client, clock, "a");
    election.start();
    await waitUntil("it leads", () => election.isLeader());
    const term = events[0]?.type === "elected" ? events[0].term : undefined;
    api.intercept = (_, response) => {
      response.writeHead(500).end();
      return true;
    };
    await advanceUntil(clock, "it noticed", () => !election.isLeader());
    expect(clock.monotonicMs()).toBeLessThanOrEqual(10_200);
    await advanceUntil(clock, "it said so", () => events.at(-1)?.type === "lost");
    expect(term?.signal.aborted).toBe(true);
    api.intercept = undefined;
    await advanceUntil(clock, "it leads again", () => election.isLeader());
  });

  it("is lost by a leader whose request hangs, at the same moment", async () => {
    const { clock, api, client } = await setUp();
    const { election, events } = candidate(client, clock, "a");
    election.start();
    await waitUntil("it leads", () => election.isLeader());
    api.intercept = () => true;
    await clock.advance(10_000);
    expect(election.isLeader()).toBe(false);
    expect(events.map(({ type }) => type)).toEqual(["elected", "lost"]);
    api.intercept = undefined;
  });

  it("is lost by a leader that slept, before it can act on it", async () => {
    for (const which of ["stopwatch", "calendar"] as const) {
      const { clock, client } = await setUp();
      const { election } = candidate(client, clock, "a");
      election.start();
      await waitUntil("it leads", () => election.isLeader());
      const monotonicMs = clock.monotonicMs.bind(clock);
      const nowMs = clock.nowMs.bind(clock);
      // No timer has fired yet: only the time is different.
      if (which === "stopwatch") clock.monotonicMs = () => monotonicMs() + 10_000;
      else clock.nowMs = () => nowMs() + 10_000;
      expect(election.isLeader()).toBe(false);
      clock.monotonicMs = monotonicMs;
      clock.nowMs = nowMs;
    }
  });

  it("is not won by an answer that comes after its time", async () => {
    const { clock, api, client } = await setUp();
    const held: (() => void)[] = [];
    api.intercept = ({ method }, response) => {
      if (method !== "POST") return false;
      held.push(() => {
        const metadata = { name: "lock", namespace: "default", resourceVersion: "1" };
        response.writeHead(201).end(JSON.stringify({ metadata, spec: { holderIdentity: "a" } }));
      });
      return true;
    };
    const options = { renewDeadlineMs: 30_000, leaseDurationMs: 40_000, retryPeriodMs: 1_000 };
    const { election } = candidate(client, clock, "a", options);
    election.start();
    await waitUntil("it asked", () => held.length === 1);
    // The process sleeps while the answer is on its way.
    const monotonicMs = clock.monotonicMs.bind(clock);
    clock.monotonicMs = () => monotonicMs() + 31_000;
    held[0]?.();
    await waitUntil("the answer arrived", () => election.leader === "a");
    expect(election.isLeader()).toBe(false);
  });

  it("ends at once when the lease is somebody else's", async () => {
    const { clock, api, client } = await setUp();
    const { election, events } = candidate(client, clock, "a");
    election.start();
    await waitUntil("it leads", () => election.isLeader());
    const metadata = { name: "lock", namespace: "default" };
    api.put(leases, { metadata, spec: { holderIdentity: "thief", leaseDurationSeconds: 15 } });
    await advanceUntil(clock, "it noticed", () => events.at(-1)?.type === "lost");
    expect(election.leader).toBe("thief");
    await election.stop();
    expect(holder(api)).toBe("thief");
  });

  it("is not won by somebody who saw the lease deleted while its holder may still lead", async () => {
    const { clock, api, client } = await setUp();
    const metadata = { name: "lock", namespace: "default" };
    api.put(leases, {
      metadata,
      spec: { holderIdentity: "other", leaseDurationSeconds: 15, leaseTransitions: 4 },
    });
    const { election, events } = candidate(client, clock, "a");
    election.start();
    await waitUntil("it looked", () => election.leader === "other");
    api.remove(leases, "default/lock");
    const seenMs = clock.monotonicMs();
    await advanceUntil(clock, "it leads", () => election.isLeader());
    expect(clock.monotonicMs() - seenMs).toBeGreaterThanOrEqual(14_000);
    expect(events[0]).toMatchObject({ type: "elected", term: { fence: 5 } });
  });

  it("is never won by two at once, whatever fails", async () => {
    const { clock, api, client } = await setUp();
    const all = ["a", "b", "c"].map((name) => candidate(client, clock, name));
    for (const { election } of all) election.start();
    let count = 0;
    api.intercept = (_, response) => {
      // Every third answer is lost after the server acted, every seventh request before.
      count++;
      if (count % 7 === 0) {
        response.writeHead(500).end();
        return true;
      }
      if (count % 3 === 0) response.end = () => response.destroy();
      return false;
    };
    const led = new Set<string>();
    const check = () => {
      const leading = all.filter(({ election }) => election.isLeader());
      expect(leading.length).toBeLessThanOrEqual(1);
      for (const { election } of leading) led.add(election.leader ?? "");
      return count > 200 && led.size > 0;
    };
    await advanceUntil(clock, "much has happened, and somebody has led", check, 500);
    api.intercept = undefined;
  });

  it("needs a lease that outlives its leader's own deadline", async () => {
    const { clock, client } = await setUp();
    const bad = { leaseDurationMs: 10_000, renewDeadlineMs: 10_000 };
    expect(() =>
      createLeaderElection({ client, name: "l", identity: "a", clock, random, ...bad }),
    ).toThrow("outlives");
    const tight = { renewDeadlineMs: 2_000, retryPeriodMs: 2_000 };
    expect(() =>
      createLeaderElection({ client, name: "l", identity: "a", clock, random, ...tight }),
    ).toThrow("twice");
    expect(() => createLeaderElection({ client, name: "l", identity: "", clock, random })).toThrow(
      "identity",
    );
  });
});
