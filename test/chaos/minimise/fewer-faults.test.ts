import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minimise } from "../../../src/chaos/minimise/index.ts";
import type { ChaosPlan } from "../../../src/chaos/plan/index.ts";
import { failsWhen, idsOf, manyFaults, needs } from "./lib/many-faults.ts";

const without = (plan: ChaosPlan, id: string): ChaosPlan => ({
  ...plan,
  faults: plan.faults.filter((fault) => fault.id !== id),
});

describe("taking faults away", () => {
  it("leaves exactly those that a monotone failure needs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }).chain((count) =>
          fc.record({
            count: fc.constant(count),
            needed: fc.uniqueArray(fc.nat({ max: count - 1 }), { maxLength: 5 }),
          }),
        ),
        async ({ count, needed }) => {
          const ids = needed.map((at) => `f${at}`);
          const result = await minimise(manyFaults(count), failsWhen(needs(...ids)).fails, {
            runsMax: 400,
          });
          expect(new Set(idsOf(result.plan))).toEqual(new Set(ids));
          expect(result).toMatchObject({ outcome: "minimised", isMinimal: true });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("gives a plan that fails and of which no fault can be spared, whatever the failure is like", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 16 }), async (salt, count) => {
        // Anything may fail or not: only the whole is sure to.
        const whole = manyFaults(count);
        const holds = (plan: ChaosPlan): boolean =>
          plan.faults.length === count || scrambled(salt, idsOf(plan)) % 3 === 0;
        const result = await minimise(whole, failsWhen(holds).fails, { runsMax: 5000 });
        expect(result.outcome).toBe("minimised");
        expect(holds(result.plan)).toBe(true);
        expect(result.isMinimal).toBe(true);
        for (const id of idsOf(result.plan)) expect(holds(without(result.plan, id))).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it("makes 200 faults with up to five that matter small in at most 80 runs", async () => {
    const worst: number[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat({ max: 199 }), { minLength: 1, maxLength: 5 }),
        async (needed) => {
          const { fails, runs } = failsWhen(needs(...needed.map((at) => `f${at}`)));
          const result = await minimise(manyFaults(200), fails, { runsMax: 80 });
          expect(result.plan.faults).toHaveLength(needed.length);
          expect(result.isMinimal).toBe(true);
          worst.push(runs());
        },
      ),
      { numRuns: 40 },
    );
    expect(Math.max(...worst)).toBeLessThanOrEqual(80);
  });

  it("keeps faults in their order", async () => {
    const result = await minimise(manyFaults(40), failsWhen(needs("f31", "f4", "f17")).fails);
    expect(idsOf(result.plan)).toEqual(["f4", "f17", "f31"]);
  });

  it("finds out that no fault is needed at all", async () => {
    const result = await minimise(manyFaults(40), failsWhen(() => true).fails);
    expect(idsOf(result.plan)).toEqual([]);
  });
});

/** A number that looks like chance and follows from what is asked. */
function scrambled(salt: number, ids: readonly string[]): number {
  let hash = salt | 0;
  for (const id of ids) {
    hash = Math.imul(hash ^ Number(id.slice(1)), 0x9e3779b1) + 0x7f4a7c15;
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
