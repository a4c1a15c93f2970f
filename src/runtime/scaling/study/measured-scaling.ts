import { createRng, type Rng } from "../../../platform/rng/index.ts";
import { type FitOptions, fitScaling, type ScalingFits, type ScalingKind } from "../fits/index.ts";
import { type Run, samplesOf } from "../table/index.ts";
import { aboveIdealNotes } from "./above-ideal.ts";
import type { MeasuredStudy } from "./types.ts";

/**
 * What a table of somebody's own runs says: medians and confidence for each count, and the same laws
 * as for a modelled curve.
 *
 * @param options.table where the runs come from, for messages.
 * @throws TesseraError when there are fewer than two counts, or work that differs within one.
 */
export function measuredScaling(
  runs: readonly Run[],
  options: Omit<FitOptions, "rng"> & {
    readonly kind: ScalingKind;
    readonly table: string;
    /** @default chance of seed 0 */
    readonly rng?: Rng;
  },
): MeasuredStudy {
  const { kind, table, rng = createRng(0) } = options;
  const { samples, notes } = samplesOf(runs, kind, table);
  const { curve, fits } = fitScaling(samples, kind, { ...options, rng });
  const all = [...notes, ...aboveIdealNotes(curve, "as by caches or memory that are too small")];
  return { source: "measured", kind, table, curve, fits, reading: readingOf(fits), notes: all };
}

/** The cause as far as a curve alone can tell. */
function readingOf({ karpFlatt, best }: ScalingFits): string {
  if (karpFlatt.status === "inconclusive") {
    return `What limits the scaling is open: ${karpFlatt.reason}.`;
  }
  const law = best.status === "fitted" ? ` The law that fits best is ${lawNames[best.model]}.` : "";
  return `${karpFlatt.reading}${law}`;
}

/** What the laws are called. */
const lawNames = {
  linear: "a straight line",
  amdahl: "Amdahl's",
  gustafson: "Gustafson's",
  usl: "the universal scalability law",
} as const;
