import { describe, expect, it } from "vitest";
import { urlOf } from "../../../web/src/api/client.ts";
import { isFiltered, notKnown, readFilter } from "../../../web/src/pages/fleet/filter-query.ts";

const filterOf = (query: string) =>
  readFilter((name) => new URLSearchParams(query).get(name) ?? undefined);

describe("the filter of the fleet", () => {
  it("tells nodes without a known rack from all nodes", () => {
    const filter = filterOf(new URLSearchParams({ rack: notKnown }).toString());
    expect(filter.rack).toBe("");
    expect(isFiltered(filter)).toBe(true);
    expect(urlOf("nodes", { rack: null })).toBe("/api/v1/nodes?rack=");
  });

  it("is none without a word, and passes over words nobody knows", () => {
    expect(isFiltered(filterOf("use=nonsense&standing=nonsense"))).toBe(false);
    expect(urlOf("nodes", { rack: "", sku: undefined })).toBe("/api/v1/nodes");
  });
});
