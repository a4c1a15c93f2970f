import type { ExperimentEventView } from "../../../../../src/control/api/experiments.ts";
import type { TimelineSource } from "./timeline-lanes.ts";

/** Few enough to be drawn anew four times a second. */
const windowsMax = 80;
const windowsMin = 8;
/** Fewer steps in a window than this, and the curve shows the windows instead of the run. */
const stepsPerWindow = 6;

/**
 * The course of a run as far as its events and its faults so far tell it: what is drawn until the run is
 * over and the whole of it is known. The run without faults comes first and becomes the usual rate.
 */
export function liveCourse(
  events: readonly ExperimentEventView[],
  injections: TimelineSource["injections"],
): TimelineSource | undefined {
  const steps = events.filter(({ kind, units }) => kind === "step" && units !== null);
  const endS = steps.reduce((most, { atS }) => Math.max(most, atS), 0);
  if (endS <= 0) return undefined;
  const windows = Math.round(
    Math.min(windowsMax, Math.max(windowsMin, steps.length / stepsPerWindow)),
  );
  const widthS = endS / windows;
  const curve = (phase: ExperimentEventView["phase"]) =>
    ratesOf(
      steps.filter((step) => step.phase === phase),
      { windows, widthS },
    );
  return {
    injections,
    recoveries: [],
    generations: [],
    saves: events.flatMap(saveOf),
    endS,
    rate: {
      unit: "units/s so far",
      times: Array.from({ length: windows }, (_, at) => (at + 0.5) * widthS),
      withFaults: curve("method"),
      usual: curve("baseline"),
      dips: [],
    },
  };
}

/** Units a second in each window; not known beyond the newest step, nor before the oldest that is kept. */
function ratesOf(
  steps: readonly ExperimentEventView[],
  { windows, widthS }: { readonly windows: number; readonly widthS: number },
): (number | null)[] {
  const windowOf = (atS: number): number => Math.min(windows - 1, Math.floor(atS / widthS));
  const last = steps.reduce((most, { atS }) => Math.max(most, windowOf(atS)), -1);
  const first = steps.reduce((least, { atS }) => Math.min(least, windowOf(atS)), windows);
  const sums = new Array<number>(last + 1).fill(0);
  for (const { atS, units } of steps) {
    const at = windowOf(atS);
    sums[at] = (sums[at] ?? 0) + (units ?? 0);
  }
  return Array.from({ length: windows }, (_, at) =>
    at >= first && at <= last ? (sums[at] ?? 0) / widthS : null,
  );
}

function saveOf({ kind, phase, atS, step, text }: ExperimentEventView): TimelineSource["saves"] {
  const isOver = /\b(?:committed|failed)\b/.test(text);
  if (kind !== "save" || phase !== "method" || !isOver) return [];
  return [{ atS, tag: `step ${step ?? "?"}`, ok: !text.includes("failed") }];
}
