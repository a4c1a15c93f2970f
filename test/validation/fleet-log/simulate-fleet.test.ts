import { describe, expect, it } from "vitest";
import { type FleetLogOptions, simulateFleet } from "../../../src/validation/fleet-log/index.ts";
import { type LogEvent, parseLog } from "../../../src/validation/replay/index.ts";

const linesOf = (options: FleetLogOptions) => [...simulateFleet(options)];
const logOf = (options: FleetLogOptions) => parseLog(linesOf(options).join("\n"));
const base = { nodes: 60, days: 20, seed: "1" } as const;

function count(events: readonly LogEvent[], type: LogEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

/** Share of node-hours that jobs take. */
function busyShare({ fleet, events }: ReturnType<typeof logOf>): number {
  const since = new Map<number, number>();
  let seconds = 0;
  for (const event of events) {
    if (event.type === "busy") since.set(event.node, event.t);
    if (event.type !== "free") continue;
    seconds += event.t - (since.get(event.node) ?? event.t);
    since.delete(event.node);
  }
  for (const from of since.values()) seconds += fleet.endS - from;
  return seconds / (fleet.nodes.length * fleet.endS);
}

describe("a simulated fleet", () => {
  it("is the same for the same seed and another for another", () => {
    expect(linesOf(base)).toEqual(linesOf(base));
    expect(linesOf(base)).not.toEqual(linesOf({ ...base, seed: "2" }));
  });

  it("writes lines in order of time, free and busy in turn", () => {
    const { events } = logOf(base);
    const written = linesOf(base)
      .slice(1)
      .map((line) => (JSON.parse(line) as { t: number }).t);
    expect(written).toEqual(written.toSorted((a, b) => a - b));
    const busy = new Set<number>();
    for (const event of events) {
      if (event.type === "busy") {
        expect(busy.has(event.node)).toBe(false);
        busy.add(event.node);
      } else if (event.type === "free") expect(busy.delete(event.node)).toBe(true);
    }
  });

  it.each([0.5, 0.9])("is busy for the share of time asked for: %s", (utilisation) => {
    expect(busyShare(logOf({ ...base, utilisation }))).toBeGreaterThan(utilisation - 0.12);
    expect(busyShare(logOf({ ...base, utilisation }))).toBeLessThanOrEqual(utilisation);
  });

  it("has defects mostly on lemons, and the more evidence the stronger they show", () => {
    const options = {
      ...base,
      nodes: 300,
      defectsPer1000NodeDays: 30,
      lemonFactor: 50,
      repairDays: 2,
    };
    const { events } = logOf(options);
    const defects = events.filter((event) => event.type === "defect");
    expect(defects.length).toBeGreaterThan(80);
    expect(defects.length).toBeLessThan(260);
    const perNode = new Map<number, number>();
    for (const { node } of defects) perNode.set(node, (perNode.get(node) ?? 0) + 1);
    const worst = [...perNode.values()].toSorted((a, b) => b - a).slice(0, 24);
    expect(worst.reduce((sum, one) => sum + one, 0) / defects.length).toBeGreaterThan(0.6);
    const caused = (evidence: number) =>
      logOf({ ...options, evidence }).events.filter(
        (event) => event.type === "crash" && event.causes.length > 0,
      ).length;
    expect(caused(0)).toBe(0);
    expect(caused(2)).toBeGreaterThan(caused(0.5));
  });

  it("crashes jobs on all their nodes, also without a cause, and some again after a restart", () => {
    const { events } = logOf({ ...base, restartShare: 0.8, buggyJobShare: 0.2 });
    const crashes = events.filter((event) => event.type === "crash");
    expect(crashes.some(({ nodes }) => nodes.length > 1)).toBe(true);
    expect(crashes.some(({ causes }) => causes.length === 0)).toBe(true);
    expect(new Set(crashes.map(({ job }) => job)).size).toBeLessThan(crashes.length);
    expect(count(events, "repair")).toBeGreaterThan(0);
    expect(count(events, "kernel")).toBeGreaterThan(0);
  });

  it("frees broken nodes more often than sound ones", () => {
    const { events } = logOf({
      ...base,
      restartShare: 0,
      repairDays: 0,
      evidence: 2,
      defectsPer1000NodeDays: 20,
      lemonFactor: 30,
    });
    const onset = new Map<number, number>();
    let brokenHours = 0;
    let brokenFrees = 0;
    let frees = 0;
    for (const event of events) {
      if (event.type === "defect") onset.set(event.node, event.t);
      if (event.type !== "free") continue;
      frees++;
      if ((onset.get(event.node) ?? Number.POSITIVE_INFINITY) < event.t) brokenFrees++;
    }
    for (const t of onset.values()) brokenHours += (base.days * 86_400 - t) / 3600;
    const hours = base.nodes * base.days * 24;
    expect(brokenFrees / brokenHours).toBeGreaterThan(frees / hours);
  });

  it("has limits in proportion to its size", () => {
    const { fleet } = logOf({ ...base, budget: 1 });
    const round =
      fleet.nodes.length * fleet.checks.reduce((sum, { minutes }) => sum + (minutes / 60) * 8, 0);
    expect(fleet.limits.gpuHoursPerDay).toBeCloseTo(round / 7, 0);
    expect(fleet.limits.inFlight).toBe(4);
  });
});
