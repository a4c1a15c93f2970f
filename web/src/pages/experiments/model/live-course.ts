import { recoveriesSoFar } from "./live-recoveries.ts";
import { ratesOf } from "./rate-bins.ts";
import type { RunSoFar } from "./run-so-far.ts";
import type { TimelineSource } from "./timeline-lanes.ts";

/**
 * The course of a run as far as its events and its faults so far tell it: what is drawn until the run is
 * over and the whole of it is known. The run without faults comes first and becomes the usual rate.
 */
export function liveCourse(
  run: RunSoFar,
  injections: TimelineSource["injections"],
): TimelineSource | undefined {
  const { baseline, method } = run.bins.phases;
  if (baseline.steps + method.steps === 0) return undefined;
  const { times, rates } = ratesOf(run.bins);
  return {
    injections,
    recoveries: recoveriesSoFar(run.episodes, injections),
    generations: [],
    saves: run.saves,
    endS: Math.max(baseline.toS, method.toS),
    rate: {
      unit: "units/s so far",
      times: [...times],
      withFaults: rates.method,
      usual: rates.baseline,
      dips: [],
    },
  };
}
