import type { FleetSpec } from "./fleet-spec.ts";
import { makeFleet } from "./make-fleet.ts";
import type { JudgedRun } from "./score.ts";

/** What many fleets use today, for comparison: the median of a run against 3.5 deviations by MAD. */
export function judgeByMad(spec: FleetSpec): readonly JudgedRun[] {
  const fleet = makeFleet(spec);
  const medians = new Map<string, number[]>();
  const own = fleet.map(({ run, garbled }) => {
    const figures = [...run.figures].map(([name, { samples, higherIsBetter, unit }]) => {
      const key = `${run.cohort ?? ""}/${name}/${unit ?? ""}`;
      const value = (higherIsBetter ? 1 : -1) * median([...samples]);
      if (!garbled) medians.set(key, [...(medians.get(key) ?? []), value]);
      return { key, value };
    });
    return { figures, garbled };
  });
  const bounds = new Map(
    [...medians].map(([key, values]) => {
      const centre = median(values);
      const spread = 1.4826 * median(values.map((value) => Math.abs(value - centre)));
      return [key, centre - 3.5 * spread];
    }),
  );
  return fleet.map((one, at) => {
    const { figures, garbled } = own[at] ?? { figures: [], garbled: true };
    const bad = figures.some(({ key, value }) => value < (bounds.get(key) ?? 0));
    return { ...one, verdict: garbled ? "unknown" : bad ? "fail" : "pass" };
  });
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  const middle = values.length / 2;
  const low = values[Math.ceil(middle) - 1] ?? Number.NaN;
  return (low + (values[Math.floor(middle)] ?? low)) / 2;
}
