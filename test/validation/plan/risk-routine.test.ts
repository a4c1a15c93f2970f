import { describe, expect, it } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import type { ClusterNode } from "../../../src/validation/clusters/cluster.ts";
import type { NodeEvent, NodeEventKind } from "../../../src/validation/history/history.ts";
import { createPlanner, type EndedRun } from "../../../src/validation/plan/index.ts";
import type { GuardSettings } from "../../../src/validation/settings.ts";
import {
  checkOf,
  dayMs,
  hourMs,
  inputOf,
  minuteMs,
  nodeOf,
  noonMs,
  settingsOf,
} from "./small-cluster.ts";

const checks = ["dl", "io"];
const rng = createRng("1");
const riskSettings = (guard: Partial<GuardSettings> = {}) => settingsOf({ policy: "risk", guard });

const event = (
  kind: NodeEventKind,
  node: string,
  atMs: number,
  details: NodeEvent["details"] = {},
): NodeEvent => ({ cluster: "c", node, atMs, kind, details });

const nodes = Array.from({ length: 12 }, (_, at) => nodeOf(`n${at}`));
const tested = Object.fromEntries(
  nodes.flatMap(({ name }) => checks.map((check) => [`${name}/${check}`, 3])),
);
const busySince = (hours: number) =>
  nodes.map(({ name }) => event("busy", name, noonMs - hours * hourMs));
const allFree = nodes.map(({ name }) => event("free", name, noonMs - minuteMs));

/** The first run a planner would begin at noon, after these events. */
function firstAfter(events: readonly NodeEvent[], runs: readonly EndedRun[] = []) {
  const settings = riskSettings({ inFlightMax: 1, gpuHoursPerDay: 100 });
  const planner = createPlanner({ settings, rng, events, runs });
  return planner.plan(inputOf(nodes, { agesDays: tested })).chosen[0];
}

describe("the risk policy in the loop", () => {
  const crashes = [20, 10, 2].map((hours) =>
    event("crash", "n7", noonMs - hours * hourMs, { job: `j${hours}` }),
  );

  it("goes where crashes and kernel errors were, and says so", () => {
    const chosen = firstAfter([...busySince(48), ...crashes, ...allFree]);
    expect(chosen?.node.name).toBe("n7");
    expect(chosen?.reason).toMatch(/^p = 0\.\d+ .*3 crashes and 0 kernel events/);
    const kernel = event("kernel", "n4", noonMs - hourMs, { xid: 79 });
    expect(firstAfter([...busySince(48), kernel, ...allFree])?.node.name).toBe("n4");
  });

  it("blames no single node for a crash of a job that ran on all of them", () => {
    const everywhere = nodes.map(({ name }) =>
      event("crash", name, noonMs - 3 * hourMs, { job: "wide" }),
    );
    const own = event("crash", "n9", noonMs - 2 * hourMs, { job: "own" });
    const chosen = firstAfter([...busySince(48), ...everywhere, own, ...allFree]);
    expect(chosen?.node.name).toBe("n9");
  });

  it("leaves a node alone after it passed, and after it was found and released", () => {
    const events = [...busySince(48), ...crashes, ...allFree];
    const after = (outcome: EndedRun["outcome"]) =>
      firstAfter(
        events,
        [...checks, ...checks].map((check) => ({
          node: "n7",
          check,
          endedAtMs: noonMs - 30_000,
          outcome,
        })),
      )?.node.name;
    expect(after("passed")).not.toBe("n7");
    expect(after("found")).not.toBe("n7");
    expect(after("no-result")).toBe("n7");
  });

  it("learns from day to day how much a crash says", () => {
    const crash = event("crash", "n3", noonMs - hourMs, { job: "last" });
    const everyone = Array.from({ length: 60 }, (_, at) =>
      nodes.map(({ name }, place) =>
        event("crash", name, noonMs - (250 - 4 * at) * hourMs + place, { job: `j${at} ${name}` }),
      ),
    ).flat();
    const passes = everyone.map(
      ({ node, atMs }): EndedRun => ({ node, check: "dl", endedAtMs: atMs + 1, outcome: "passed" }),
    );
    const suspicion = (hours: number, events: readonly NodeEvent[], runs: readonly EndedRun[]) => {
      const planner = createPlanner({
        settings: riskSettings({ gpuHoursPerDay: 10_000 }),
        rng,
        events: [...busySince(hours), ...events, crash, ...allFree],
        runs,
      });
      const { chosen } = planner.plan(inputOf(nodes, { agesDays: tested }));
      const reason = chosen.find(({ node }) => node.name === "n3")?.reason ?? "";
      return Number(/^p = (?<p>\S+)/.exec(reason)?.groups?.["p"]);
    };
    expect(suspicion(6, [], [])).toBeGreaterThan(0.2);
    expect(suspicion(251, everyone, passes)).toBeLessThan(0.05);
  });

  it("takes events of nodes it does not know, and late ones, without harm", () => {
    const events = [
      event("crash", "gone", noonMs - hourMs, { job: "j" }),
      event("kernel", "n3", noonMs - hourMs, { xid: 79 }),
    ];
    const settings = riskSettings({ inFlightMax: 1, gpuHoursPerDay: 100 });
    const planner = createPlanner({ settings, rng });
    planner.plan(inputOf(nodes, { agesDays: tested }));
    planner.observe(events);
    const later = inputOf(nodes, { agesDays: tested, nowMs: noonMs + hourMs });
    expect(planner.plan(later).chosen[0]?.node.name).toBe("n3");
  });

  it("follows nodes that come, go and change", () => {
    const settings = riskSettings({ gpuHoursPerDay: 1000 });
    const planner = createPlanner({ settings, rng, events: [...busySince(48), ...crashes] });
    const names = (list: readonly ClusterNode[]) =>
      planner
        .plan(inputOf(list, { agesDays: tested }))
        .chosen.map(({ node }) => node.name)
        .toSorted();
    const some = nodes.slice(0, 3);
    expect(new Set(names(some)).size).toBeLessThanOrEqual(3);
    const grown = [...nodes, nodeOf("new")];
    expect(names(grown)).toContain("n7");
    expect(names(grown)).toContain("new");
    expect(names(some).every((name) => ["n0", "n1", "n2"].includes(name))).toBe(true);
    expect(planner.plan(inputOf([])).chosen).toEqual([]);
  });

  it("lists what is overdue and not worth its price", () => {
    const settings = riskSettings({ gpuHoursPerDay: 8 });
    const old = Object.fromEntries(Object.keys(tested).map((pair) => [pair, 9]));
    const planner = createPlanner({ settings, rng, events: busySince(48) });
    const { postponed } = planner.plan(inputOf(nodes, { agesDays: old, gpuHoursToday: 6 }));
    const rails = new Set(postponed.map(({ rail }) => rail));
    expect([...rails].every((rail) => ["price", "budget"].includes(rail))).toBe(true);
    expect(postponed.length).toBe(24);
  });

  it("tests nodes without GPUs with checks that do not say what they find", () => {
    const bare = [nodeOf("this-machine", { gpus: 0 })];
    const settings = settingsOf({ policy: "risk", checks: [checkOf("dl", { sensitivity: {} })] });
    const planner = createPlanner({ settings, rng });
    const { chosen } = planner.plan(inputOf(bare, { checks: ["dl"] }));
    expect(chosen).toMatchObject([{ check: "dl", gpuHours: 0 }]);
  });
});

/**
 * A loop that asks every half hour for some days; runs take half an hour and pass. Every so many
 * hours it also asks a planner that was started just now.
 */
function loopFor(
  days: number,
  guard: Partial<GuardSettings>,
  compareEveryHours = Number.POSITIVE_INFINITY,
) {
  const settings = riskSettings(guard);
  const runs: EndedRun[] = [];
  const lastTested = new Map<string, number>();
  const planner = createPlanner({ settings, rng, events: [event("free", "n0", noonMs)] });
  const begun: string[] = [];
  const spentByDay = new Map<number, number>();
  let asked = 0;
  let agreed = 0;
  for (let nowMs = noonMs; nowMs < noonMs + days * dayMs; nowMs += 30 * minuteMs) {
    const day = Math.floor(nowMs / dayMs);
    const input = {
      ...inputOf(nodes, { nowMs, gpuHoursToday: spentByDay.get(day) ?? 0 }),
      latest: {
        readAtMs: nowMs,
        checks,
        testedAtMs: (node: string, check: string) => lastTested.get(`${node}/${check}`),
      },
    };
    const { chosen } = planner.plan(input);
    const pairs = (list: typeof chosen) => list.map(({ node, check }) => `${node.name}/${check}`);
    if (((nowMs - noonMs) / hourMs) % compareEveryHours === 0 && nowMs > noonMs) {
      const events = [event("free", "n0", noonMs)];
      const restarted = createPlanner({ settings, rng, events, runs }).plan(input);
      asked++;
      if (pairs(chosen).join() === pairs(restarted.chosen).join()) agreed++;
    }
    for (const { node, check, gpuHours } of chosen) {
      begun.push(`${nowMs} ${node.name}/${check}`);
      spentByDay.set(day, (spentByDay.get(day) ?? 0) + gpuHours);
      const endedAtMs = nowMs + 29 * minuteMs;
      const run: EndedRun = { node: node.name, check, endedAtMs, outcome: "passed" };
      lastTested.set(`${node.name}/${check}`, endedAtMs);
      runs.push(run);
      planner.observeRun(run);
    }
  }
  const gpuHours = [...spentByDay.values()].reduce((sum, one) => sum + one, 0);
  return { begun, gpuHours, agreement: agreed / asked };
}

describe("over days, the risk policy in the loop", () => {
  it("spends the day's GPU-hours, spread over the day", () => {
    const { gpuHours, begun } = loopFor(10, { gpuHoursPerDay: 24, inFlightMax: 3 });
    expect(gpuHours / (10 * 24)).toBeGreaterThan(0.9);
    expect(gpuHours / (11 * 24)).toBeLessThanOrEqual(1);
    const hours = new Set(
      begun.map((text) => Math.floor((Number(text.split(" ")[0]) % dayMs) / hourMs)),
    );
    expect(hours.size).toBeGreaterThan(5);
  });

  it("spends about what testing everything in Z days costs when there is no budget", () => {
    const roundGpuHours = nodes.length * 2 * 4;
    const { gpuHours } = loopFor(21, { inFlightMax: 3 });
    expect(gpuHours / ((roundGpuHours * 21) / 7)).toBeGreaterThan(0.8);
    expect(gpuHours / ((roundGpuHours * 21) / 7)).toBeLessThan(1.25);
  });

  it("chooses what a planner chooses that was started just now with the same history", () => {
    const { agreement } = loopFor(6, { gpuHoursPerDay: 24, inFlightMax: 3 }, 2.5);
    expect(agreement).toBeGreaterThan(0.95);
  });
});
