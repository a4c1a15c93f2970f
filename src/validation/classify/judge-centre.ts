import type { Steps } from "../../platform/concurrency/index.ts";
import type { Alarm } from "./alarm.ts";
import { buildSeries } from "./build-series.ts";
import { commonPopulations, type KnownFigure } from "./common-populations.ts";
import type { FigureGroup } from "./figure-group.ts";
import { type AlarmRates, judgeSeries } from "./judge-series.ts";
import { fromLog } from "./prepare.ts";
import { learnReference } from "./reference.ts";
import { amount, percent } from "./text.ts";

/** Scatter below this share of the value is not believed: clocks and rounding do worse. */
const sigmaMin = 0.0007;

/** Judges the centre of a figure: the middle of its samples, over all GPUs where it has several. */
export function judgeCentre(
  group: FigureGroup,
  { series, reference }: KnownFigure,
  rates: AlarmRates,
): readonly Alarm[] {
  const { higherIsBetter, unit, label } = group;
  return judgeSeries(series, reference, rates).map(({ run, kind, excess, value, bound }) => {
    const shown = fromLog(value, higherIsBetter);
    const limit = fromLog(bound, higherIsBetter);
    const off = percent(Math.abs(shown / limit - 1));
    const side = value < bound === higherIsBetter ? "below" : "above";
    const subject = subjects[kind](group.base);
    return {
      run,
      metric: group.base,
      rule: rules[kind],
      kind,
      excess,
      value: shown,
      bound: limit,
      text: `${subject} ${amount(shown, unit)}, ${off} ${side} ${bounds[kind]} ${amount(limit, unit)}`,
      cohort: label,
    };
  });
}

const rules = {
  run: "band",
  level: "band",
  history: "history",
  fall: "history",
  faster: "faster",
} as const;

const subjects = {
  run: (name: string) => `${name} is`,
  level: (name: string) => `${name} over the node's runs is`,
  history: (name: string) => `${name} has come to`,
  fall: (name: string) => `${name} is`,
  faster: (name: string) => `${name} is`,
} as const;

const bounds = {
  run: "the cohort's bound of",
  level: "the cohort's bound for nodes of",
  history: "the bound by the node's own history of",
  fall: "the bound by the node's own history of",
  faster: "the cohort's band, which ends at",
} as const;

/** What is usual for the centres of all figures of a cohort, in their order. */
export function* centreReferences(groups: readonly FigureGroup[]): Steps<readonly KnownFigure[]> {
  const known: KnownFigure[] = [];
  for (const group of groups) {
    known.push(centreReference(group));
    yield;
  }
  const homes = commonPopulations(known);
  if (homes === undefined) return known;
  return known.map(({ series, reference }) => ({
    series,
    reference: reference.centres.length > 1 ? { ...reference, homes } : reference,
  }));
}

function centreReference(group: FigureGroup): KnownFigure {
  const series = buildSeries(group.runs, group.runs.map(centreOf));
  return { series, reference: learnReference(series, { sigmaMin, populations: true }) };
}

/** The middle of a figure in one run: the mean over its GPUs where it has several. */
export function centreOf({ figures }: FigureGroup["runs"][number]): number {
  return figures.reduce((total, { centre }) => total + centre, 0) / figures.length;
}
