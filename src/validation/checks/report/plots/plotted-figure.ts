import { splitName } from "../../../classify/figure-names.ts";
import type { RunFigure } from "../../../run.ts";
import { type FloorSubject, figureFloor, type Spread, spreadOf } from "../figures.ts";
import type { OnAxis } from "./share-axis.ts";

/** A figure as plots need it. */
export interface PlottedFigure extends OnAxis {
  readonly name: string;
  /** The name without its GPU. */
  readonly base: string;
  readonly gpu: number | undefined;
  readonly samples: readonly number[];
  /** Undefined where a sample is no number: it is drawn as missing. */
  readonly spread: Spread | undefined;
  /** In the figure's unit. */
  readonly floor: number | undefined;
}

export function plottedFigures(
  figures: Readonly<Record<string, RunFigure>>,
  subject: FloorSubject,
): readonly PlottedFigure[] {
  return Object.entries(figures).map(([name, figure]): PlottedFigure => {
    const { samples, higherIsBetter, unit = "" } = figure;
    const spread = spreadOf(figure);
    const { base, gpu } = splitName(name);
    return {
      name,
      base,
      gpu,
      unit,
      higherIsBetter,
      samples,
      spread,
      level: Math.abs(spread?.median ?? 0),
      floor: figureFloor(name, figure, subject)?.value,
    };
  });
}

const namesMax = 3;

/** What a plot of several figures is called. */
export function titleOf(names: readonly string[], how: string): string {
  const distinct = [...new Set(names)];
  const shown = distinct.slice(0, namesMax).join(", ");
  const more = distinct.length > namesMax ? ` and ${distinct.length - namesMax} more` : "";
  return `${shown}${more}, ${how}`;
}

/** Which way is good, for all figures of an axis. */
export function directionOf(figure: OnAxis | undefined): string {
  return figure?.higherIsBetter === false ? "lower is better" : "higher is better";
}

/** What bars with their error bars are. */
export function spreadLabel(figure: OnAxis | undefined): string {
  return `Middle of the samples, and where 9 of 10 lie; ${directionOf(figure)}`;
}

/** The GPUs that figures name, in order. */
export function gpusOf(figures: readonly PlottedFigure[]): readonly number[] {
  return [...new Set(figures.flatMap(({ gpu }) => gpu ?? []))].toSorted((a, b) => a - b);
}

/** The floors of figures on one axis: one line for each height. */
export function floorLines(
  figures: readonly PlottedFigure[],
): readonly { readonly value: number; readonly label: string }[] {
  const basesAt = new Map<number, Set<string>>();
  for (const { base, floor } of figures) {
    if (floor === undefined) continue;
    basesAt.set(floor, (basesAt.get(floor) ?? new Set()).add(base));
  }
  const isOne = new Set(figures.map(({ base }) => base)).size === 1;
  return [...basesAt].map(([value, bases]) => {
    return { value, label: isOne ? "floor" : `floor of ${[...bases].join(", ")}` };
  });
}
