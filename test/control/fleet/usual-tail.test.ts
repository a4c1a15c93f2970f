import { describe, expect, it } from "vitest";
import { usualTail } from "../../../src/control/fleet/usual-tail.ts";
import type { RunFigure } from "../../../src/validation/run.ts";

/** 100 samples around a middle, from 1 % below it to 1 % above. */
function runAround(middle: number, higherIsBetter = true): Record<string, RunFigure> {
  const samples = Array.from({ length: 101 }, (_, at) => middle * (0.99 + at * 0.0002));
  return { "busbw.gpu0": { samples, higherIsBetter, unit: "GB/s" } };
}

const meaning = { figure: "busbw.gpu3", unit: "GB/s", higherIsBetter: true };

describe("where slow samples begin", () => {
  it("is a share of the middle of a run, whatever the middles are, over all GPUs", () => {
    const share = usualTail([runAround(40), runAround(50), runAround(46_000)], meaning);
    expect(share).toBeCloseTo(0.9902, 4);
  });

  it("lies on the other side where lower is better", () => {
    const lower = { ...meaning, higherIsBetter: false };
    expect(usualTail([runAround(40, false), runAround(50, false)], lower)).toBeCloseTo(1.0098, 4);
  });

  it("is not known from few samples, from another figure or from another direction", () => {
    expect(usualTail([runAround(40)], meaning)).toBeUndefined();
    const runs = [runAround(40), runAround(50), runAround(60)];
    expect(usualTail(runs, { ...meaning, figure: "latency" })).toBeUndefined();
    expect(usualTail(runs, { ...meaning, higherIsBetter: false })).toBeUndefined();
  });
});
