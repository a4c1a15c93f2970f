import { describe, expect, it } from "vitest";
import { benches } from "../../bench/index.ts";
import { root } from "../../scripts/lib/repository.ts";
import { readTree } from "../tidy/lib/tree.ts";

describe("the list of benchmarks", () => {
  it.each(Object.entries(benches))("calls %s what it calls itself", async (name, load) => {
    const { bench } = await load();
    expect(bench.name).toBe(name);
    expect(bench.description.length).toBeGreaterThan(20);
  });

  it("leaves none out", () => {
    const found = readTree(root)
      .filter(({ path, text }) => path.startsWith("bench/") && /^export const bench\b/m.test(text))
      .map(({ path }) => path.replace(/^bench\//, "").replace(/\.ts$/, ""));
    expect(Object.keys(benches).toSorted()).toEqual(found.toSorted());
  });
});
