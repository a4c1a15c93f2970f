/** A row or column whose sum is not what it must be. */
export interface LineError {
  readonly index: number;
  /** Found minus expected sum. */
  readonly residual: number;
  /** What it may be at most. */
  readonly threshold: number;
}

/** Errors of sums in units of their scales. */
export interface LineRatios {
  readonly residuals: Float64Array;
  readonly ratios: Float64Array;
  /** The largest; Infinity for a sum that is no number though it must be one. */
  readonly largest: number;
  /** Lines of operands that are not finite, or whose sums may overflow: nothing can be said of them. */
  readonly undecided: number;
  /** Sums of the others, with each set of signs. */
  readonly decided: number;
}

export interface RatioSettings {
  /** Of one rounding; the scale is multiplied by it. */
  readonly unit: number;
  /** What underflow may leave in a sum, absolute. */
  readonly slack: number;
  /** Sums of a scale from here on may have overflowed. */
  readonly overflow: number;
}

/** |found - expected| / (unit scale) of each line. */
export function lineRatios(
  lines: {
    readonly found: Float64Array;
    readonly expected: Float64Array;
    readonly scales: Float64Array;
  },
  { unit, slack, overflow }: RatioSettings,
): LineRatios {
  const { found, expected, scales } = lines;
  const residuals = new Float64Array(found.length);
  const ratios = new Float64Array(found.length);
  let [largest, undecided] = [0, 0];
  for (let at = 0; at < found.length; at++) {
    const scale = scales[at] as number;
    const residual = (found[at] as number) - (expected[at] as number);
    residuals[at] = residual;
    if (!Number.isFinite(residual) && !(scale < overflow)) {
      undecided++;
      continue;
    }
    const off = Math.max(0, Math.abs(residual) - slack);
    const ratio = off === 0 ? 0 : off / (unit * scale);
    // NaN, and an error where there is nothing to round.
    ratios[at] = ratio >= 0 ? ratio : Number.POSITIVE_INFINITY;
    largest = Math.max(largest, ratios[at] as number);
  }
  return { residuals, ratios, largest, undecided, decided: found.length - undecided };
}

/** The lines above a threshold, in order; at most so many. */
export function linesAbove(
  { residuals, ratios }: LineRatios,
  o: {
    readonly kappa: number;
    readonly unit: number;
    readonly scales: Float64Array;
    readonly most: number;
  },
): readonly LineError[] {
  const wrong: LineError[] = [];
  for (let index = 0; index < ratios.length && wrong.length < o.most; index++) {
    if ((ratios[index] as number) <= o.kappa) continue;
    const threshold = o.kappa * o.unit * (o.scales[index] as number);
    wrong.push({ index, residual: residuals[index] as number, threshold });
  }
  return wrong;
}

/** Line by line the larger of several ratios: an error that one set of signs hides, another shows. */
export function largerOf(all: readonly LineRatios[]): LineRatios {
  const [first, ...others] = all as [LineRatios, ...LineRatios[]];
  if (others.length === 0) return first;
  const ratios = Float64Array.from(first.ratios);
  const residuals = Float64Array.from(first.residuals);
  let { largest, undecided, decided } = first;
  for (const other of others) {
    largest = Math.max(largest, other.largest);
    undecided = Math.max(undecided, other.undecided);
    decided += other.decided;
    for (let at = 0; at < ratios.length; at++) {
      if (!((other.ratios[at] as number) > (ratios[at] as number))) continue;
      ratios[at] = other.ratios[at] as number;
      residuals[at] = other.residuals[at] as number;
    }
  }
  return { residuals, ratios, largest, undecided, decided };
}
