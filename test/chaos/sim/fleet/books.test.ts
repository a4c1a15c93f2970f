import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fleetPolicies } from "../../../../src/chaos/sim/fleet/index.ts";
import { NodePool } from "../../../../src/chaos/sim/fleet/node-pool.ts";
import { RecoveryBook } from "../../../../src/chaos/sim/fleet/recovery-book.ts";
import { smallJob } from "./lib.ts";

describe("the book of recoveries", () => {
  it("knows quantiles within 1 %, and the mean and the longest exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1000, max: 1e11 }), { minLength: 1 }), (times) => {
        const book = new RecoveryBook();
        for (const time of times) book.add(time);
        const sorted = times.toSorted((one, other) => one - other);
        const median = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
        expect((book.quantileUs(0.5) ?? 0) / median).toBeGreaterThan(0.985);
        expect((book.quantileUs(0.5) ?? 0) / median).toBeLessThan(1.015);
        expect(book.maxUs).toBe(sorted.at(-1));
        expect(book.count).toBe(times.length);
        const counts = book.between([1e6, 1e9]);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(times.length);
      }),
    );
  });

  it("has no quantile of nothing", () => {
    const book = new RecoveryBook();
    expect([book.quantileUs(0.5), book.meanUs, book.maxUs]).toEqual([null, null, null]);
    expect(book.between([1])).toEqual([0, 0]);
  });
});

describe("the nodes of a fleet", () => {
  it("each have one place, or none, whatever happens", () => {
    const action = fc.record({
      node: fc.nat({ max: 6 }),
      does: fc.constantFrom("out", "back", "fill"),
      untilUs: fc.integer({ min: 1, max: 100 }),
    });
    const policy = fc.constantFrom(...fleetPolicies);
    fc.assert(
      fc.property(policy, fc.array(action), (policy, actions) => {
        const pool = new NodePool({ ...smallJob, spareNodes: 3, policy });
        const out = new Set<number>();
        for (const { node, does, untilUs } of actions) {
          if (does === "out" && pool.takeOut(node, untilUs)) out.add(node);
          if (does === "back" && out.delete(node)) pool.bringBack(node);
          if (does === "fill") pool.fill();
          const replicas = Array.from({ length: pool.nodes }, (_, one) => pool.replicaOf(one));
          // Two places each, whoever has them.
          for (const replica of [0, 1]) {
            expect(replicas.filter((one) => one === replica)).toHaveLength(2);
          }
        }
        expect(pool.missing).toBeLessThanOrEqual(out.size);
        pool.fill();
        if (policy === "spare") expect(pool.missing === 0 || pool.idle === 0).toBe(true);
        expect(pool.brokenReplicas().size > 0).toBe(pool.missing > 0);
      }),
    );
  });

  it("are replaced where that is the policy, and waited for where not", () => {
    for (const [policy, missing] of [
      ["spare", 0],
      ["drainThenResume", 1],
    ] as const) {
      const pool = new NodePool({ ...smallJob, spareNodes: 1, policy });
      pool.takeOut(2, 100);
      expect(pool.brokenReplicas()).toEqual(new Set([1]));
      pool.fill();
      expect(pool.missing).toBe(missing);
    }
  });
});
