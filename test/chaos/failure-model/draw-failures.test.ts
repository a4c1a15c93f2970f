import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChance } from "../../../src/chaos/chance/index.ts";
import {
  defectiveDevices,
  drawFailures,
  type FailureModel,
  FailureSource,
  failureModels,
  type Incident,
  type ModelChanges,
  nodesHit,
  torShare,
  withChanges,
} from "../../../src/chaos/failure-model/index.ts";

const dayUs = 86_400e6;
const { llama3 } = failureModels;
const draw = (
  seed: string,
  nodes: number,
  { days = 54, changes = {} }: { readonly days?: number; readonly changes?: ModelChanges } = {},
) =>
  drawFailures(withChanges(llama3, changes), {
    chance: createChance(seed),
    nodes,
    devicesPerNode: 8,
    horizonUs: days * dayUs,
  });

/** Nodes that forget: the rate is the published one at all times. */
const plain = { "lemons.growth": 1, "repair.drainShare": 0 };

describe("failures drawn from a model", () => {
  it("come as often as was published", () => {
    const { incidents, stops } = draw("rate", 4096, { days: 270, changes: plain });
    const expected = (3.282 / 1000) * 4096 * 270;
    // Three deviations.
    expect(Math.abs(incidents.length - expected)).toBeLessThan(3 * Math.sqrt(expected));
    const software = stops.filter(({ isPlanned }) => !isPlanned).length;
    expect(software).toBeGreaterThan(210);
    expect(software).toBeLessThan(350);
  });

  it("have the causes of the table in its proportions", () => {
    const { incidents } = draw("causes", 4096, { days: 270 });
    const machine = llama3.causes.filter(({ scope }) => scope !== "job");
    const total = machine.reduce((sum, { count }) => sum + count, 0);
    for (const { name, count } of machine.slice(0, 4)) {
      const index = llama3.causes.findIndex((cause) => cause.name === name);
      const seen = incidents.filter(({ cause }) => cause === index).length / incidents.length;
      expect(seen).toBeCloseTo(count / total, 1.5);
    }
    expect(incidents.some(({ cause }) => llama3.causes[cause]?.scope === "job")).toBe(false);
  });

  it("hit lemons more often, and the same node more often each time", () => {
    const count = (model: FailureModel, node: number) => {
      const source = new FailureSource(model, createChance("lemon"), 8);
      let [fromUs, incidents] = [0, 0];
      for (; incidents < 10_000; incidents++) {
        const next = source.incident(node, fromUs);
        if (next === null || next.atUs > 1000 * 365 * dayUs) break;
        fromUs = next.atUs;
      }
      return incidents;
    };
    const calm = { "lemons.growth": 1, "lemons.share": 0 };
    const base = count(withChanges(llama3, calm), 0);
    const all = { ...calm, "lemons.share": 1 };
    // When all are lemons, nobody is: the total is the published one.
    expect(count(withChanges(llama3, all), 0) / base).toBeCloseTo(1, 1);
    const some = withChanges(llama3, { ...calm, "lemons.share": 0.1 });
    const source = new FailureSource(some, createChance("lemon"), 8);
    const nodes = Array.from({ length: 200 }, (_, node) => node);
    const lemons = nodes.filter((node) => source.isLemon(node));
    const sound = nodes.find((node) => !lemons.includes(node));
    expect(lemons.length).toBeGreaterThan(8);
    expect(lemons.length).toBeLessThan(36);
    expect(count(some, lemons[0] ?? -1) / count(some, sound ?? -1)).toBeGreaterThan(5);
    const grown = withChanges(llama3, { "lemons.share": 0 });
    expect(count(grown, 0) / base).toBeGreaterThan(3.5);
    expect(count(grown, 0) / base).toBeLessThan(4.8);
  });

  it("are the same for every node, whoever else is there", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer(), (nodes, seed) => {
        const few = draw(`${seed}`, nodes, { days: 200 });
        const more = draw(`${seed}`, nodes + 7, { days: 200 });
        const kept = <T extends { readonly node: number }>(events: readonly T[]) =>
          events.filter(({ node }) => node < nodes);
        expect(kept(more.incidents)).toEqual(few.incidents);
        expect(kept(more.stragglers)).toEqual(few.stragglers);
        expect(more.stops).toEqual(few.stops);
      }),
      { numRuns: 20 },
    );
  });

  it("are the same for a node that is asked alone, or last", () => {
    const all = draw("alone", 12, { days: 2000 }).incidents.filter(({ node }) => node === 7);
    const source = new FailureSource(llama3, createChance("alone"), 8);
    const alone: Incident[] = [];
    for (let fromUs = 0; alone.length < all.length; ) {
      const next = source.incident(7, fromUs);
      if (next === null) break;
      alone.push(next);
      fromUs = next.atUs + next.repairUs;
    }
    expect(all.length).toBeGreaterThan(3);
    expect(alone).toEqual(all);
  });

  it("do not shift when another part of the model changes", () => {
    const changes = { "stragglers.perThousandNodeDays": 9, "software.perJobDay": 0 };
    const [one, other] = [draw("s", 500), draw("s", 500, { changes })];
    expect(other.incidents).toEqual(one.incidents);
    expect(other.stragglers.length).toBeGreaterThan(3 * one.stragglers.length);
    expect(other.stops.every(({ isPlanned }) => isPlanned)).toBe(true);
  });

  it("never happen to a node that is out", () => {
    const { incidents } = draw("out", 200, { days: 3000 });
    const freeUs = new Map<number, number>();
    for (const { node, atUs, repairUs } of incidents) {
      expect(atUs).toBeGreaterThan(freeUs.get(node) ?? 0);
      freeUs.set(node, atUs + repairUs);
    }
    expect(incidents.length).toBeGreaterThan(1000);
  });

  it("take their neighbours with them as far as the model says", () => {
    const always = withChanges(llama3, { "together.rack": 1 });
    const { incidents } = drawFailures(always, {
      chance: createChance("rack"),
      nodes: 400,
      devicesPerNode: 8,
      horizonUs: 365 * dayUs,
    });
    const ofNodes = incidents.filter(({ cause }) => llama3.causes[cause]?.scope === "node");
    expect(ofNodes.every(({ extent }) => extent === "rack" || extent === "power")).toBe(true);
    expect(nodesHit(always, 400, { node: 6, extent: "rack" })).toEqual([4, 5, 6, 7]);
    expect(nodesHit(always, 6, { node: 5, extent: "rack" })).toEqual([4, 5]);
    expect(nodesHit(always, 400, { node: 20, extent: "tor" })).toHaveLength(16);
    expect(nodesHit(always, 400, { node: 20, extent: "power" })).toHaveLength(64);
    expect(nodesHit(always, 400, { node: 20, extent: "device" })).toEqual([20]);
    // 0.051 % of switches against 0.057 % of each of 128 links.
    expect(torShare(llama3)).toBeCloseTo(0.00694, 4);
  });

  it("draws one device in a thousand that computes wrong, from the faintest to the worst", () => {
    const of = (nodes: number) =>
      defectiveDevices(llama3, { chance: createChance("sdc"), nodes, devicesPerNode: 8 });
    const defects = of(12_500);
    expect(defects.length).toBeGreaterThan(70);
    expect(defects.length).toBeLessThan(130);
    const rates = defects.map(({ perOperation }) => perOperation);
    expect(Math.min(...rates)).toBeLessThan(1e-6);
    expect(Math.max(...rates)).toBeGreaterThan(1e-2);
    expect(of(6250)).toEqual(defects.filter(({ device }) => device < 50_000));
  });

  it("draws nothing where all rates are 0", () => {
    const changes = {
      "hardware.perThousandNodeDays": 0,
      "stragglers.perThousandNodeDays": 0,
      "software.perJobDay": 0,
      "software.plannedPerJobDay": 0,
      "sdc.defectiveShare": 0,
    };
    expect(draw("0", 500, { changes })).toEqual({
      incidents: [],
      stragglers: [],
      stops: [],
      defects: [],
    });
  });
});
