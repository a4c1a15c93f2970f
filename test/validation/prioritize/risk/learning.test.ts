import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { FleetBelief } from "../../../../src/validation/prioritize/risk/fleet-belief.ts";
import { Gaps } from "../../../../src/validation/prioritize/risk/gaps.ts";
import { onsetRates } from "../../../../src/validation/prioritize/risk/hazard.ts";
import { hourS, smallLog } from "../../replay/small-log.ts";

const nodes = Array.from({ length: 120 }, (_, index) => ({
  name: `n${index}`,
  sku: index < 60 ? "old" : "new",
  rack: `r${index % 4}`,
  gpus: 8,
}));
const checks = [{ name: "x", minutes: 10, sensitivity: { hbm: 1, nic: 1 } }];

/** Busy nodes for 60 days; broken ones crash at `rate` until a test finds them after 40 hours. */
function learnFrom(rate: number, soundRate: number): FleetBelief {
  const { fleet } = smallLog([], { nodes, checks, end: 60 * 24 * hourS });
  const belief = new FleetBelief(fleet);
  const stream = createRng("learning").stream("crashes");
  nodes.forEach((_, node) => belief.observe({ type: "busy", t: 0, node }));
  for (let hour = 1; hour < 60 * 24; hour++) {
    const t = hour * hourS;
    for (let node = 0; node < nodes.length; node++) {
      const phase = (hour + node * 37) % 700;
      const isBroken = phase < 40 && hour > 40;
      if (stream.float() < (isBroken ? rate : soundRate)) {
        belief.observe({ type: "crash", t, job: `j${hour}-${node}`, nodes: [node] });
      }
      if (phase !== 40 || hour <= 80) continue;
      belief.observe({ type: "tested", t, node, check: 0, outcome: "found" });
      belief.observe({ type: "returned", t, node });
    }
  }
  for (let round = 0; round < 5; round++) belief.refit(60 * 24 * hourS);
  return belief;
}

describe("what is learned of a fleet", () => {
  it("are the rates of crashes of sound and of broken nodes", () => {
    const { rates } = learnFrom(0.2, 0.002);
    expect(rates.crash[0]).toBeGreaterThan(0.001);
    expect(rates.crash[0]).toBeLessThan(0.003);
    expect(rates.crash[1]).toBeGreaterThan(0.12);
    expect(rates.crash[1]).toBeLessThan(0.3);
    expect(rates.onsetPerHour * 700).toBeGreaterThan(0.6);
    expect(rates.onsetPerHour * 700).toBeLessThan(1.5);
  });

  it("is that crashes say nothing where they say nothing", () => {
    const { rates, space } = learnFrom(0.004, 0.004);
    const quiet = rates.share.filter((_, state) => state > 0 && state % 2 === 0);
    const quietShare = quiet.reduce((sum, one) => sum + one, 0);
    const loud = rates.crash[1] ?? 0;
    // Either the loud states have become quiet, or hardly any defect is in one.
    expect(loud < 0.02 || quietShare > 0.7).toBe(true);
    expect(space.kinds).toHaveLength(2);
  });

  it("is which nodes, racks and SKUs break more often", () => {
    const { fleet } = smallLog([], { nodes });
    const onsets = new Float64Array(120);
    for (let node = 0; node < 60; node++) onsets[node] = node % 4 === 1 ? 1 : 0.2;
    const rates = onsetRates(fleet, { onsets, hours: 1000, perHour: 0.0002 });
    expect(rates[1]).toBeGreaterThan(2 * (rates[0] ?? 0));
    expect(rates[0]).toBeGreaterThan(rates[60] ?? 0);
    expect(rates[61]).toBeGreaterThan(rates[60] ?? 0);
  });

  it("is how long nodes stay free", () => {
    const gaps = new Gaps(1, 0);
    for (let gap = 0; gap < 400; gap++) {
      gaps.setFree(0, gap * 10 * hourS);
      gaps.setBusy(0, (gap * 10 + (gap % 2 === 0 ? 0.15 : 8)) * hourS);
    }
    expect(gaps.chanceToStay(0, 0.5)).toBeGreaterThan(0.35);
    expect(gaps.chanceToStay(0, 0.5)).toBeLessThan(0.65);
    expect(gaps.chanceToStay(1, 0.5)).toBeGreaterThan(0.9);
    expect(gaps.freeHours(0, 4000 * hourS)).toBeGreaterThan(0);
  });
});
