import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { createSimulatedCluster } from "../../../../src/validation/clusters/simulated/index.ts";
import {
  type Driven,
  dayMs,
  epochMs,
  hourMs,
  minuteMs,
  quiet,
  requestFor,
  startCluster,
  testInTurn,
} from "./drive.ts";

const lively = { nodes: 16, defectiveShare: 0.3, lossesPer1000NodeDays: 200, jobHours: 1 } as const;

/** Everything that can be seen of a cluster that is tested for a day; results as one text. */
async function history(seed: string, onStep: (driven: Driven) => void = () => {}) {
  const driven = startCluster({ ...lively, seed });
  const stop = driven.cluster.subscribe(() => onStep(driven));
  await testInTurn(driven, { days: 1, inFlight: 3 });
  stop();
  const { cluster, handIns } = driven;
  const signs = cluster.takeSigns();
  const results = JSON.stringify(handIns);
  return { view: cluster.view(), signs, truth: cluster.truth(), results, runs: handIns.length };
}

describe("chance in a simulated cluster", () => {
  it("is the same for the same seed and the same calls, and another for another", async () => {
    const first = await history("1");
    expect(first.runs).toBeGreaterThan(200);
    expect(await history("1")).toEqual(first);
    const other = await history("2");
    expect(other.signs).not.toEqual(first.signs);
    expect(other.results).not.toBe(first.results);
    expect(other.truth).not.toEqual(first.truth);
  });

  it("does not depend on how often somebody looks", async () => {
    const looked = await history("1", ({ cluster }) => {
      cluster.view();
      cluster.truth();
    });
    expect(looked).toEqual(await history("1"));
  });

  it("gives two runs of a node different samples of about the same level", async () => {
    const driven = startCluster({ ...quiet, nodes: 2 });
    for (let run = 0; run < 2; run++) {
      await driven.cluster.submit(requestFor(driven, "sim-0001"));
      await driven.clock.advance(hourMs);
    }
    const [first, , second] = driven.handIns.map(({ result }) => result.figures["busbw"]?.samples);
    expect(first).toHaveLength(40);
    expect(second).not.toEqual(first);
    const mean = (samples: readonly number[] = []) =>
      samples.reduce((sum, one) => sum + one, 0) / samples.length;
    expect(Math.abs(mean(first) / mean(second) - 1)).toBeLessThan(0.02);
  });
});

describe("the view of a simulated cluster", () => {
  it("is consistent at every change: one holder a node, and every holder is a job", async () => {
    let seen = 0;
    await history("5", ({ cluster, clock }) => {
      const { nodes, jobs, atMs } = cluster.view();
      seen++;
      expect(atMs).toBe(clock.nowMs());
      const running = jobs.filter(({ phase }) => phase === "running");
      expect(new Set(running.map(({ node }) => node)).size).toBe(running.length);
      const tested = new Map(nodes.map(({ name, notFree }) => [name, notFree]));
      for (const { node } of running) {
        expect(tested.get(node)?.map(({ code }) => code)).toContain("under-test");
      }
      const holding = jobs.filter(({ phase, detail = "" }) => {
        return (
          phase === "running" ||
          phase === "gone" ||
          (phase === "pending" && !detail.startsWith("Unschedulable"))
        );
      });
      const underTest = nodes.filter(({ notFree }) =>
        notFree.some(({ code }) => code === "under-test"),
      );
      expect(underTest).toHaveLength(holding.length);
      for (const { notFree } of underTest) {
        expect(notFree.some(({ code }) => code === "busy" || code === "not-ready")).toBe(false);
      }
    });
    expect(seen).toBeGreaterThan(100);
  });

  it("cannot be trusted before the start and after the stop", async () => {
    const clock = new VirtualClock({ epochMs });
    const cluster = createSimulatedCluster({ name: "sim", seed: "1", nodes: 4, clock });
    expect(cluster.view().trust.state).toBe("starting");
    cluster.start();
    expect(cluster.view().trust.state).toBe("current");
    await cluster.stop();
    await cluster.stop();
    expect(cluster.view().trust).toMatchObject({ state: "stale", sinceMs: epochMs });
    expect(clock.timersPending).toBe(0);
  });

  it("tells those who listen of changes, and no one else", async () => {
    const driven = startCluster({ ...quiet, nodes: 4 });
    const heard: string[] = [];
    const stop = driven.cluster.subscribe(() => heard.push("first"));
    driven.cluster.subscribe(() => heard.push("second"));
    await driven.clock.advance(hourMs);
    expect(heard).toEqual([]);
    await driven.cluster.submit(requestFor(driven, "sim-0001"));
    await driven.clock.advance(1);
    expect(heard).toEqual(["first", "second"]);
    stop();
    await driven.clock.advance(hourMs);
    expect(heard.filter((one) => one === "first")).toHaveLength(1);
    expect(heard.filter((one) => one === "second").length).toBeGreaterThanOrEqual(3);
  });
});

describe("what nobody can see in a simulated cluster", () => {
  it("wakes nobody: a defect begins in silence", async () => {
    const rates = { defectsPer1000NodeDays: 2000, repairDays: 0 };
    const driven = startCluster({ ...quiet, ...rates, nodes: 8 });
    let heard = 0;
    driven.cluster.subscribe(() => heard++);
    await driven.clock.advance(5 * dayMs);
    expect(driven.cluster.truth().length).toBeGreaterThan(3);
    expect(heard).toBe(0);
  });
});

describe("the time of a simulated cluster", () => {
  it("runs as many times faster than its base as asked for, from where it is told", async () => {
    const base = new VirtualClock();
    const options = { name: "sim", seed: "1", nodes: 4, baseClock: base, startAtMs: epochMs };
    const cluster = createSimulatedCluster({ ...options, ...quiet, speed: 1440 });
    cluster.start();
    await base.advance(minuteMs);
    expect(cluster.view().atMs).toBe(epochMs + dayMs);
  });

  it("lets a check of minutes hand in within a second of the base", async () => {
    const base = new VirtualClock();
    const ways: string[] = [];
    const cluster = createSimulatedCluster({
      ...quiet,
      name: "sim",
      seed: "1",
      nodes: 4,
      baseClock: base,
      startAtMs: epochMs,
      onResult: (_, way) => ways.push(way),
    });
    cluster.start();
    await cluster.submit(requestFor(cluster, "sim-0001"));
    await base.advance(1000);
    expect(ways).toEqual(["file", "post"]);
  });

  it("goes on in a new process, whose world has the same nodes and defects and no jobs", async () => {
    const before = startCluster({ nodes: 32 });
    await before.cluster.submit(requestFor(before, "sim-0001"));
    await before.clock.advance(hourMs);
    const clock = new VirtualClock({ epochMs: epochMs + dayMs });
    const after = createSimulatedCluster({ name: "sim", seed: "1", nodes: 32, clock });
    after.start();
    const { jobs, atMs } = after.view();
    expect(jobs).toEqual([]);
    expect(atMs).toBe(epochMs + dayMs);
    const places = (cluster: Driven["cluster"]) =>
      cluster.truth().map(({ id, node, kind }) => ({ id, node, kind }));
    expect(places(after)).toEqual(places(before.cluster).slice(0, places(after).length));
  });

  it("takes a year without growing", async () => {
    const { clock, cluster } = startCluster({ nodes: 12, jobHours: 12 });
    const sizes: number[] = [];
    for (let month = 0; month < 12; month++) {
      for (let tests = 0; tests < 4; tests++) {
        for (const { name, notFree } of cluster.view().nodes) {
          if (notFree.length === 0) await cluster.submit(requestFor({ clock }, name));
        }
        await clock.advance(7.6 * dayMs);
      }
      const { agenda, jobs } = cluster.sizes();
      sizes.push(agenda + jobs);
    }
    expect(Math.max(...sizes)).toBeLessThan(150);
    expect(cluster.takeSigns().length).toBeLessThanOrEqual(10_000);
    expect(cluster.truth().length).toBeLessThan(100);
  });
});
