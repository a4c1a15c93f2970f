import { describe, expect, it } from "vitest";
import {
  changesProblem,
  citations,
  failureModels,
  parametersOf,
  withChanges,
} from "../../../src/chaos/failure-model/index.ts";
import { faultEntry } from "../../../src/chaos/fault/catalogue/index.ts";

const models = Object.entries(failureModels);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe("failure models", () => {
  it.each(models)("%s names a unit, a source and a note for every number", (name, model) => {
    const parameters = parametersOf(model);
    expect(parameters.length).toBeGreaterThan(30);
    for (const { citation, note, value, unit } of parameters) {
      expect(Object.keys(citations)).toContain(citation);
      expect(note.length).toBeGreaterThan(2);
      expect(Number.isFinite(value)).toBe(true);
      expect(typeof unit).toBe("string");
    }
    expect(model.name).toBe(name);
  });

  it.each(models)("%s breaks things that the catalogue knows", (_, { causes }) => {
    for (const { fault } of causes) expect(faultEntry(fault).name).toBe(fault);
    expect(new Set(causes.map(({ name }) => name)).size).toBe(causes.length);
  });

  it("counts what the papers count, not what they print", () => {
    const count = (causes: readonly { readonly count: number }[]) =>
      sum(causes.map((cause) => cause.count));
    const { llama3, "ft-hsdp": ftHsdp } = failureModels;
    expect(count(llama3.causes)).toBe(419);
    expect(count(ftHsdp.causes)).toBe(678);
    const gpu = llama3.causes.find(({ name }) => name === "faulty GPU")?.count ?? 0;
    expect(gpu / 419).toBeCloseTo(0.353, 3);
  });

  it("splits each total into machines and programs without losing any", () => {
    const { llama3, "ft-hsdp": ftHsdp } = failureModels;
    const days = 54;
    const machines = (llama3.hardware.perThousandNodeDays.value / 1000) * 2048 * days;
    expect(machines + llama3.software.perJobDay.value * days).toBeCloseTo(419, 0);
    const nodes = 12_288;
    const perDay = (ftHsdp.hardware.perThousandNodeDays.value / 1000) * nodes;
    expect((perDay + ftHsdp.software.perJobDay.value) / nodes).toBeCloseTo(0.0023, 4);
  });

  it("changes a value and says what it was", () => {
    const changed = withChanges(failureModels.rsc1, { "lemons.share": 0.05 });
    expect(changed.lemons.share).toMatchObject({
      value: 0.05,
      citation: "assumption",
      note: "changed from 0.012 (rsc)",
    });
    expect(changed.lemons.growth).toBe(failureModels.rsc1.lemons.growth);
    expect(failureModels.rsc1.lemons.share.value).toBe(0.012);
  });

  it("refuses changes of what is not there, and values that are none", () => {
    const { rsc1 } = failureModels;
    expect(changesProblem(rsc1, { "lemons.share": 0.1 })).toBeUndefined();
    expect(changesProblem(rsc1, { "lemon.share": 0.1 })).toContain("no parameter lemon.share");
    expect(changesProblem(rsc1, { "lemons.share": -1 })).toContain("from 0");
  });
});
