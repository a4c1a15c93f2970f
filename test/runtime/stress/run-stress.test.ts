import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import {
  type HardwareNotes,
  runStress,
  type StressEngine,
  type StressProgress,
  type StressSlice,
} from "../../../src/runtime/stress/index.ts";

/** An engine that takes its slices from a list, each 100 ms long, and then goes on alike. */
function listed(
  clock: VirtualClock,
  slices: readonly StressSlice[],
  o: Partial<StressEngine> = {},
) {
  const calls: string[] = [];
  let at = 0;
  const engine: StressEngine = {
    device: "cpu",
    deviceName: "a list",
    description: "slices of a list",
    work: { iteration: "slice", amount: 2, unit: "GB" },
    verifies: true,
    facts: {},
    advance: async () => {
      calls.push("advance");
      await clock.advance(100);
      return slices[Math.min(at++, slices.length - 1)] as StressSlice;
    },
    finish: async () => {
      calls.push("finish");
      return { iterationsMs: [], wrong: 0, mismatches: [] };
    },
    failureOf: () => undefined,
    close: async () => {},
    ...o,
  };
  return { engine, calls };
}

const good: StressSlice = { iterationsMs: [50, 50], wrong: 0, mismatches: [] };
const forever = new AbortController().signal;

describe("a stress run", () => {
  it("lasts as long as asked and sums up what its slices say", async () => {
    const clock = new VirtualClock();
    const { engine, calls } = listed(clock, [good]);
    const seen: StressProgress[] = [];
    const onProgress = (progress: StressProgress) => void seen.push(progress);
    const result = await runStress({
      engine,
      clock,
      signal: forever,
      durationMs: 1000,
      onProgress,
    });
    expect(result).toMatchObject({ elapsedMs: 1000, iterations: 20, wrong: 0, interrupted: false });
    expect(result.stability?.mean).toBeCloseTo(40, 9);
    expect(result.stability?.drift).toBeCloseTo(0, 9);
    expect(result.points).toHaveLength(10);
    expect(seen.at(-1)).toMatchObject({ elapsedMs: 1000, iterations: 20, rate: 40, wrong: 0 });
    expect(calls.at(-1)).toBe("finish");
  });

  it("ends after the iterations asked for", async () => {
    const clock = new VirtualClock();
    const { engine } = listed(clock, [good]);
    const run = { engine, clock, signal: forever, durationMs: 1e6, iterationsMax: 5 };
    expect((await runStress(run)).iterations).toBe(6);
  });

  it("goes on after a wrong result, counts them all and keeps the first", async () => {
    const clock = new VirtualClock();
    const mismatch = { iteration: 3, place: "row 1", detail: "wrong" };
    const bad: StressSlice = { iterationsMs: [50], wrong: 20, mismatches: [mismatch] };
    const { engine } = listed(clock, [good, bad, good]);
    const result = await runStress({ engine, clock, signal: forever, durationMs: 500 });
    expect(result.wrong).toBe(20);
    expect(result.mismatches).toEqual([mismatch]);
    expect(result.elapsedMs).toBe(500);
  });

  it("keeps no more than the first wrong results, however many there are", async () => {
    const clock = new VirtualClock();
    const mismatches = [{ iteration: 0, place: "row 1", detail: "wrong" }];
    const { engine } = listed(clock, [{ iterationsMs: [1], wrong: 1, mismatches }]);
    const result = await runStress({ engine, clock, signal: forever, durationMs: 10_000 });
    expect(result.wrong).toBe(100);
    expect(result.mismatches).toHaveLength(32);
  });

  it("hands back what was measured when it is interrupted, also in the middle of a slice", async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    let left = 3;
    const { engine, calls } = listed(clock, [good], {
      advance: async () => {
        await clock.advance(100);
        if (--left > 0) return good;
        controller.abort(new Error("enough"));
        throw controller.signal.reason;
      },
    });
    const { signal } = controller;
    const result = await runStress({ engine, clock, signal, durationMs: 1e6 });
    expect(result).toMatchObject({ interrupted: true, iterations: 4, failure: null });
    expect(calls).toEqual(["finish"]);
  });

  it("says how the device failed when it did, with what was measured before", async () => {
    const clock = new VirtualClock();
    let left = 3;
    const { engine } = listed(clock, [], {
      advance: async () => {
        await clock.advance(100);
        if (--left > 0) return good;
        throw new Error("off the bus");
      },
      failureOf: (error) => (error instanceof Error ? error.message : undefined),
    });
    const result = await runStress({ engine, clock, signal: forever, durationMs: 1e6 });
    expect(result).toMatchObject({ failure: "off the bus", iterations: 4, interrupted: false });
  });

  it("does not swallow an error that is not the device's", async () => {
    const clock = new VirtualClock();
    const { engine } = listed(clock, [], { advance: () => Promise.reject(new Error("a bug")) });
    const run = runStress({ engine, clock, signal: forever, durationMs: 1000 });
    await expect(run).rejects.toThrow("a bug");
  });

  it("reads the hardware from before the first slice until after the last", async () => {
    const clock = new VirtualClock();
    const { engine, calls } = listed(clock, [good]);
    const notes = { unknown: ["a thing"] } as unknown as HardwareNotes;
    const hardware = {
      begin: () => void calls.push("begin"),
      read: () => null,
      end: async () => {
        calls.push("end");
        return notes;
      },
    };
    const result = await runStress({ engine, clock, signal: forever, durationMs: 100, hardware });
    expect(calls).toEqual(["begin", "advance", "finish", "end"]);
    expect(result.hardware).toBe(notes);
  });

  it("has no stability when no iteration took time", async () => {
    const clock = new VirtualClock();
    const { engine } = listed(clock, [{ iterationsMs: [0], wrong: 0, mismatches: [] }]);
    const result = await runStress({ engine, clock, signal: forever, durationMs: 200 });
    expect(result).toMatchObject({ stability: null, iterations: 2 });
  });
});
