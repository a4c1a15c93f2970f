/** The phases of a run that have a curve of their own. */
export const ratedPhases = ["baseline", "method"] as const;
export type RatedPhase = (typeof ratedPhases)[number];

interface PhaseBins {
  readonly units: readonly number[];
  readonly steps: number;
  /** What is known of the phase lies between these. */
  readonly fromS: number;
  readonly toS: number;
}

/** Units of steps by time, however many steps there were: bins get wider, never more. */
export interface RateBins {
  readonly widthS: number;
  readonly phases: Readonly<Record<RatedPhase, PhaseBins>>;
}

export interface Moment {
  readonly phase: RatedPhase;
  readonly atS: number;
  /** Of a step; null for whatever else happened: it tells that there was no step until then. */
  readonly units: number | null;
}

const binsMax = 512;
const nothing: PhaseBins = { units: [], steps: 0, fromS: 0, toS: 0 };
/** A power of two, so that bins of one width are whole bins of the next. */
export const emptyBins: RateBins = {
  widthS: 2 ** -10,
  phases: { baseline: nothing, method: nothing },
};

/** The bins with what happened next; `cut` is the phase whose beginning nobody here has seen. */
export function withMoments(
  bins: RateBins,
  moments: readonly Moment[],
  cut: RatedPhase | undefined,
): RateBins {
  const newestS = moments.reduce((most, { atS }) => Math.max(most, atS), 0);
  let { widthS } = bins;
  while (newestS >= widthS * binsMax && Number.isFinite(newestS)) widthS *= 2;
  const grown = (phase: RatedPhase) =>
    phaseWith(
      widened(bins.phases[phase], widthS / bins.widthS),
      moments.filter((one) => one.phase === phase),
      { widthS, isCut: phase === cut },
    );
  return { widthS, phases: { baseline: grown("baseline"), method: grown("method") } };
}

function widened(phase: PhaseBins, factor: number): PhaseBins {
  if (factor === 1) return phase;
  const units = new Array<number>(Math.ceil(phase.units.length / factor)).fill(0);
  for (const [at, one] of phase.units.entries()) {
    const wide = Math.floor(at / factor);
    units[wide] = (units[wide] ?? 0) + one;
  }
  return { ...phase, units };
}

function phaseWith(
  phase: PhaseBins,
  moments: readonly Moment[],
  { widthS, isCut }: { readonly widthS: number; readonly isCut: boolean },
): PhaseBins {
  const [first] = moments;
  if (first === undefined) return phase;
  const units = [...phase.units];
  let { steps, toS } = phase;
  for (const moment of moments) {
    toS = Math.max(toS, moment.atS);
    if (moment.units === null) continue;
    const at = Math.max(0, Math.floor(moment.atS / widthS));
    while (units.length <= at) units.push(0);
    units[at] = (units[at] ?? 0) + moment.units;
    steps += 1;
  }
  return { units, steps, toS, fromS: isCut && phase.toS === 0 ? first.atS : phase.fromS };
}

/** Few enough to be drawn anew four times a second. */
const windowsMax = 80;
/** Fewer steps in a window than this, and the curve shows the windows instead of the run. */
const stepsPerWindow = 6;

/** Units a second in windows of one width. A window that is known in part has no rate: it would seem a dip. */
export function ratesOf(bins: RateBins): {
  readonly times: readonly number[];
  readonly rates: Readonly<Record<RatedPhase, (number | null)[]>>;
} {
  const { baseline, method } = bins.phases;
  const endS = Math.max(baseline.toS, method.toS);
  const steps = Math.max(baseline.steps, method.steps);
  const wanted = Math.min(windowsMax, Math.max(2, Math.floor(steps / stepsPerWindow)));
  // Powers of two: the windows of the next answer are these, until they become twice as wide.
  const group = 2 ** Math.max(0, Math.ceil(Math.log2(endS / bins.widthS / wanted)));
  const windowS = group * bins.widthS;
  const windows = Math.floor(endS / windowS);
  const curve = ({ units, fromS, toS }: PhaseBins) =>
    Array.from({ length: windows }, (_, at) => {
      if (at * windowS < fromS || (at + 1) * windowS > toS) return null;
      const inside = units.slice(at * group, (at + 1) * group);
      return inside.reduce((sum, one) => sum + one, 0) / windowS;
    });
  return {
    times: Array.from({ length: windows }, (_, at) => (at + 0.5) * windowS),
    rates: { baseline: curve(baseline), method: curve(method) },
  };
}
