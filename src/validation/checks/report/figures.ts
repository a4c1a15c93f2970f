import type { Fact, ReportItem } from "../../../platform/reporters/index.ts";
import { splitName } from "../../classify/figure-names.ts";
import { floorOf, type SkuFloor, skuFloors } from "../../classify/floors.ts";
import { judgeFloor } from "../../classify/judge-floors.ts";
import { amount } from "../../classify/text.ts";
import { conversionFactor } from "../../classify/units.ts";
import type { RunFigure } from "../../run.ts";

/** What decides which floors hold. */
export interface FloorSubject {
  readonly check: string;
  /** The SKU of the machine: its GPUs, or `host`. */
  readonly sku: string;
}

/** A floor that holds for a figure, in the figure's own unit. */
export interface FigureFloor {
  readonly floor: SkuFloor;
  /** By what the figure is multiplied to be in the floor's unit. */
  readonly factor: number;
  /** What a median must not be worse than, in the figure's unit. */
  readonly value: number;
}

/** The floor of a figure; undefined where none is known for this machine. */
export function figureFloor(
  name: string,
  { higherIsBetter, unit }: Omit<RunFigure, "samples">,
  { check, sku }: FloorSubject,
): FigureFloor | undefined {
  const floor = floorOf(skuFloors, { sku, check, figure: splitName(name).base });
  if (floor === undefined || floor.higherIsBetter !== higherIsBetter) return undefined;
  const factor = conversionFactor(unit ?? floor.unit, floor.unit);
  return factor === undefined ? undefined : { floor, factor, value: floor.fail / factor };
}

/** The samples of a figure in short; undefined where there is none, or one is no number. */
export interface Spread {
  readonly median: number;
  /** The bad end: a twentieth of the samples is worse. */
  readonly worst: number;
  /** A twentieth of the samples is beyond each of these. */
  readonly low: number;
  readonly high: number;
}

export function spreadOf({ samples, higherIsBetter }: RunFigure): Spread | undefined {
  const sorted = samples.filter((sample) => Number.isFinite(sample)).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))];
  const [low, median, high] = [at(0.05), at(0.5), at(0.95)];
  if (low === undefined || median === undefined || high === undefined) return undefined;
  if (sorted.length < samples.length) return undefined;
  return { median, low, high, worst: higherIsBetter ? low : high };
}

/**
 * A figure as it was measured. Nobody judges it here; that it misses a floor is remarked, and that it
 * is no number leaves the run undecided.
 */
export function figureItem(name: string, figure: RunFigure, subject: FloorSubject): ReportItem {
  const { samples, higherIsBetter, unit = "" } = figure;
  const spread = spreadOf(figure);
  const held = figureFloor(name, figure, subject);
  const bound = held === undefined ? {} : { bound: boundText(held.floor) };
  if (spread === undefined) {
    const left = samples.filter((sample) => !Number.isFinite(sample)).length;
    const isNone = samples.length === 0;
    const reason = isNone
      ? "There is no sample."
      : `${left} of ${samples.length} samples are no numbers.`;
    return { name, status: "unknown", reason, ...bound, facts: [] };
  }
  const { median, worst } = spread;
  const fact = (what: string, value: number, factUnit: string): Fact => {
    return { name: what, value, unit: factUnit, provenance: "measured" };
  };
  const shown = (value: number) => amount(value, unit).trim();
  const better = higherIsBetter ? "higher is better" : "lower is better";
  const floor =
    held === undefined ? "" : `; it must be ${boundText(held.floor)} (${held.floor.sku})`;
  const measured = `${shown(median)} in the middle, ${shown(worst)} at the worst 5 %, of ${samples.length} samples; ${better}${floor}.`;
  const missed = missedFloor(name, figure, subject);
  return {
    name,
    status: missed === undefined ? "skipped" : "warn",
    label: missed === undefined ? "measured" : `measured (${missed.short})`,
    reason: missed === undefined ? measured : `${missed.text}: ${measured}`,
    ...bound,
    facts: [
      fact("median", median, unit),
      fact("worst 5 %", worst, unit),
      fact("samples", samples.length, ""),
    ],
  };
}

/** That a figure misses its floor, in the words of classification, and in one or two. */
export interface MissedFloor {
  readonly text: string;
  readonly short: string;
}

/** How a figure misses its floor; undefined where it does not, or has none. */
export function missedFloor(
  name: string,
  figure: RunFigure,
  subject: FloorSubject,
): MissedFloor | undefined {
  const held = figureFloor(name, figure, subject);
  const spread = spreadOf(figure);
  if (held === undefined || spread === undefined) return undefined;
  const { verdict, text } = judgeFloor(held.factor * spread.median, name, held.floor);
  if (text === undefined) return undefined;
  const side = figure.higherIsBetter ? "below floor" : "above floor";
  return { text, short: verdict === "unknown" ? "implausible" : side };
}

function boundText({ higherIsBetter, fail, unit }: SkuFloor): string {
  return `at ${higherIsBetter ? "least" : "most"} ${amount(fail, unit)}`;
}
