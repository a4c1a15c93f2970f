import { describe, expect, it } from "vitest";
import { createChance } from "../../../src/chaos/chance/index.ts";
import {
  drawFailures,
  failureModels,
  plannedFaultsOf,
} from "../../../src/chaos/failure-model/index.ts";
import { faultEntry, resolveParams } from "../../../src/chaos/fault/catalogue/index.ts";

const dayUs = 86_400e6;
const model = failureModels["ft-hsdp"];
const fleet = { nodes: 40, devicesPerNode: 8, nodesPerRack: 4, spareNodes: 2 };

function planned(nodes: number) {
  const drawn = drawFailures(model, {
    chance: createChance("plan"),
    nodes,
    devicesPerNode: 8,
    horizonUs: 400 * dayUs,
  });
  return plannedFaultsOf(model, drawn, { fleet: { ...fleet, nodes }, transientUs: 1e6 });
}

describe("faults planned from a failure model", () => {
  it("are what the catalogue takes, in the order of time, each with its own name", () => {
    const faults = planned(40);
    expect(faults.length).toBeGreaterThan(100);
    for (const { fault, params, targets } of faults) {
      expect(resolveParams(fault, params)).toEqual(params);
      expect(targets.length).toBeGreaterThan(0);
      for (const { kind } of targets) expect(faultEntry(fault).targets).toContain(kind);
    }
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
    const times = faults.map(({ trigger }) => (trigger.kind === "time" ? trigger.atUs : -1));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.every((atUs) => atUs > 0)).toBe(true);
  });

  it("hit ranks that there are, and none of another node", () => {
    for (const { id, targets } of planned(40)) {
      const node = Number(/^node(\d+)-/.exec(id)?.[1] ?? Number.NaN);
      for (const target of targets) {
        if (target.kind !== "rank" || Number.isNaN(node)) continue;
        expect(Math.floor(target.rank / 8)).toBe(node);
      }
    }
  });

  it("keep their names and times when nodes go", () => {
    const of = (faults: ReturnType<typeof planned>) =>
      faults
        .filter(({ id }) => /^node[0-9]-/.test(id))
        .map(({ id, trigger, durationUs }) => ({ id, trigger, durationUs }));
    expect(of(planned(20))).toEqual(of(planned(40)));
    expect(of(planned(40)).length).toBeGreaterThan(0);
  });
});
