import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  breakerDefaults,
  breakerThreshold,
  checkBreaker,
  closedBreaker,
  countCordon,
} from "../../../../src/hardware/detectors/nvsentinel/breaker.ts";

const settings = breakerDefaults;

describe("the circuit breaker", () => {
  it("rounds its threshold up", () => {
    expect([1, 2, 3, 10, 11].map((nodes) => breakerThreshold(nodes, 50))).toEqual([1, 1, 2, 5, 6]);
  });

  it("trips at the event after the cordon that reaches the threshold, and stays so", () => {
    let state = closedBreaker;
    for (const node of ["a", "b", "c", "d"]) state = countCordon(state, node, 0);
    const at = (nowMs: number) => ({ gpuNodes: 10, nowMs, settings });
    expect(checkBreaker(state, at(1)).status).toBe("CLOSED");
    state = countCordon(state, "e", 1);
    expect(state.status).toBe("CLOSED");
    state = checkBreaker(state, at(2));
    expect(state.status).toBe("TRIPPED");
    expect(checkBreaker(state, at(10_000_000)).status).toBe("TRIPPED");
  });

  it("counts a node once, and forgets cordons that are older than its window", () => {
    let state = closedBreaker;
    for (let round = 0; round < 9; round++) state = countCordon(state, "a", round);
    expect(checkBreaker(state, { gpuNodes: 4, nowMs: 9, settings }).status).toBe("CLOSED");
    state = countCordon(state, "b", 10);
    const later = { gpuNodes: 4, nowMs: 10 + settings.windowMs, settings };
    expect(checkBreaker(state, later)).toEqual(closedBreaker);
  });

  it("trips exactly when half of the nodes or more were cordoned", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 50 }), (all, some) => {
        const cordoned = Math.min(all, some);
        let state = closedBreaker;
        for (let at = 0; at < cordoned; at++) state = countCordon(state, `n${at}`, 0);
        const { status } = checkBreaker(state, { gpuNodes: all, nowMs: 1, settings });
        expect(status === "TRIPPED").toBe(cordoned >= all / 2);
      }),
    );
  });
});
