import { describe, expect, it } from "vitest";
import {
  isFiltered,
  readFilter,
  readView,
  standingsParam,
  toggled,
} from "../../../web/src/pages/fleet/filter-query.ts";
import {
  countStandings,
  everything,
  searchNodes,
  shownNodes,
} from "../../../web/src/pages/fleet/heat/select.ts";
import { fleetOf } from "./support.ts";

const model = fleetOf([2, 2], {
  racks: ["rack-10", "rack-9"],
  standings: "pfwP",
  uses: "fbff",
  skus: ["h100", "a100"],
  skuOf: [0, 0, 1, 1],
});

describe("the shown nodes", () => {
  it("come rack by rack, as people count", () => {
    expect([...shownNodes(model, everything)]).toEqual([2, 3, 0, 1]);
  });

  it("fit every filter at once", () => {
    const standings = new Set(["pass" as const]);
    expect([...shownNodes(model, { ...everything, standings })]).toEqual([3, 0]);
    expect([...shownNodes(model, { ...everything, standings, sku: "a100" })]).toEqual([3]);
    expect([...shownNodes(model, { ...everything, use: "busy", rack: "rack-10" })]).toEqual([1]);
    expect([...shownNodes(model, { ...everything, rack: "rack-1" })]).toEqual([]);
  });

  it("are counted by standing without the filter on standings itself", () => {
    const standings = new Set(["fail" as const]);
    expect(countStandings(model, { ...everything, standings })).toMatchObject({ pass: 2, fail: 1 });
    expect(countStandings(model, { ...everything, rack: "rack-9" })).toMatchObject({
      pass: 1,
      warn: 1,
      fail: 0,
    });
  });
});

describe("the search", () => {
  it("finds names, racks and SKUs in any case", () => {
    expect([...(searchNodes(model, " NODE-3 ") ?? [])]).toEqual([0, 0, 0, 1]);
    expect([...(searchNodes(model, "rack-10") ?? [])]).toEqual([1, 1, 0, 0]);
    expect([...(searchNodes(model, "A100") ?? [])]).toEqual([0, 0, 1, 1]);
  });

  it("dims nothing while nothing is searched for", () => {
    expect(searchNodes(model, "  ")).toBeUndefined();
  });
});

describe("the filter in the page's address", () => {
  const param = (text: string) => (name: string) =>
    new URLSearchParams(text).get(name) ?? undefined;

  it("is read back as it was written", () => {
    const standings = toggled(new Set(["warn" as const]), "fail");
    const filter = readFilter(
      param(`standing=${standingsParam(standings) ?? ""}&use=busy&sku=h100`),
    );
    expect(filter).toEqual({ standings, use: "busy", sku: "h100", rack: undefined });
    expect(isFiltered(filter)).toBe(true);
    expect(readView(param("view=table"))).toBe("table");
  });

  it("passes over words that nobody knows", () => {
    const filter = readFilter(param("standing=great&use=lazy"));
    expect(isFiltered(filter)).toBe(false);
    expect(readView(param("view=hologram"))).toBe("checks");
    expect(standingsParam(toggled(new Set(["fail" as const]), "fail"))).toBeUndefined();
  });
});
