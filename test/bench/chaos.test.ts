import { describe, expect, it } from "vitest";
import { benches } from "../../bench/index.ts";

/** Those that need nothing but this repository; SimPy, the peer of `chaos/sim-events`, may have to be fetched. */
const names = ["chaos/campaign", "chaos/fleet-year", "chaos/job-year", "chaos/minimise"];

describe("a quick run of a benchmark of the chaos room", () => {
  it.each(names)("carries out %s and promises nothing", async (name) => {
    const load = benches[name];
    if (load === undefined) throw new Error(`${name} is a benchmark`);
    const { bench } = await load();
    const { metrics } = await bench.run({ quick: true, log: () => undefined });
    expect(metrics.length).toBeGreaterThan(2);
    for (const { value, limit } of metrics) {
      expect(Number.isFinite(value)).toBe(true);
      expect(limit).toBeUndefined();
    }
  });
});
