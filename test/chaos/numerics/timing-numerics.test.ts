import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTimingNumerics, type NumericStep } from "../../../src/chaos/numerics/index.ts";

const plain = (state: number) => ({ state, contributes: true });

describe("numbers that are only counted", () => {
  it("count steps and samples, at once, however many replicas there are", () => {
    const numerics = createTimingNumerics({ batch: 10 });
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 8 }), (steps, replicas) => {
        const inputs = Array.from({ length: replicas }, () => plain(steps));
        const done = numerics.step({ replicas: inputs }) as NumericStep;
        expect(numerics.stepsDone(done.states[0] ?? -1)).toBe(steps + 1);
        expect(done.states).toHaveLength(replicas);
        expect(done.samples).toEqual([10 * steps, 10 * steps + 10]);
      }),
    );
  });

  it("never call themselves values", () => {
    const numerics = createTimingNumerics({ batch: 1 });
    expect(numerics.digest(numerics.first)).toMatch(/^timing:/);
  });

  it("remember for ever what went wrong, and nothing when nothing did", () => {
    const numerics = createTimingNumerics({ batch: 4 });
    const bad = { first: 0, stride: 0, count: 1, bit: 3 };
    const odd = [
      numerics.corrupted(5, bad),
      numerics.mixed(5, 3, { of: 4, torn: 1 }),
      numerics.cursorMoved(5, 1),
    ];
    const digests = odd.map((state) => {
      const done = numerics.step({ replicas: [plain(state)] }) as NumericStep;
      return numerics.digest(done.states[0] ?? 0);
    });
    expect(new Set([...digests, numerics.digest(6)]).size).toBe(4);
    expect(numerics.mixed(5, 3, { of: 4, torn: 0 })).toBe(5);
    expect(numerics.cursorMoved(numerics.cursorMoved(5, 1), -1)).toBe(5);
  });

  it("tell a sum without a replica from a whole one", () => {
    const numerics = createTimingNumerics({ batch: 4 });
    const whole = numerics.step({ replicas: [plain(1), plain(1)] }) as NumericStep;
    const without = numerics.step({
      replicas: [plain(1), { state: 1, contributes: false }],
    }) as NumericStep;
    expect(whole.states).toEqual([2, 2]);
    expect(new Set(without.states).size).toBe(1);
    expect(numerics.digest(without.states[0] ?? 0)).not.toBe(numerics.digest(2));
  });
});
