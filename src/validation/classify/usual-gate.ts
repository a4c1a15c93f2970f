import type { GateProblem } from "./run-gate.ts";
import { medianOf } from "./stats/robust.ts";
import { amount } from "./text.ts";
import type { CheckRun } from "./types.ts";
import { conversionFactor } from "./units.ts";
import { isOwnGroup, learnUsual, MajorityOf, type MeasuredRun, type UsualRuns } from "./usual.ts";

/** More than this multiple of the usual median is no better node but another measurement. */
const tooMuch = 2;
const tooLittle = 1 / 50;

/** A sound run with what it takes to compare it with others. */
export interface ComparableRun {
  readonly problem: GateProblem | undefined;
  /** What each figure's samples are multiplied by to be in the usual unit, where it is not 1. */
  readonly factors: ReadonlyMap<string, number>;
  /** A figure has no unit though others say theirs: an alarm could be a matter of units. */
  readonly unitGuessed: boolean;
  /** A latency of more than twice the usual: bad, or at least not a pass. */
  readonly doubtful: GateProblem | undefined;
}

/** The units and directions that figures usually have. */
export interface Conventions {
  unitOf(check: string, name: string): string | undefined;
}

/** Holds sound runs against what the other runs usually have. The order is that of the input. */
export function gateByUsual(runs: readonly CheckRun[]): {
  readonly results: readonly ComparableRun[];
  readonly conventions: Conventions;
} {
  const units = new MajorityOf<string>();
  const directions = new MajorityOf<boolean>();
  for (const { check, figures } of runs) {
    for (const [name, { unit, higherIsBetter }] of figures) {
      if (unit !== undefined) units.vote(check, name, unit);
      directions.vote(check, name, higherIsBetter);
    }
  }
  const measured = runs.map((run) => measure(run, units));
  const levels = learnLevels(measured);
  const results = measured.map((one): ComparableRun => {
    const usual = levels(one.run);
    const problem =
      one.problem ??
      turnedAround(one.run, directions) ??
      unusualShape(one, usual) ??
      implausible(one, usual);
    const { factors, unitGuessed } = one;
    return { problem, factors, unitGuessed, doubtful: doubled(one, usual.narrow) };
  });
  return { results, conventions: { unitOf: (check, name) => units.of(check, name) } };
}

interface Measured extends MeasuredRun {
  readonly problem: GateProblem | undefined;
  readonly factors: ReadonlyMap<string, number>;
  readonly unitGuessed: boolean;
}

function measure(run: CheckRun, units: MajorityOf<string>): Measured {
  const factors = new Map<string, number>();
  const medians = new Map<string, number>();
  let problem: GateProblem | undefined;
  let unitGuessed = false;
  for (const [name, { samples, unit }] of run.figures) {
    const usual = units.of(run.check, name);
    unitGuessed ||= unit === undefined && usual !== undefined;
    const factor = unit === undefined || usual === undefined ? 1 : conversionFactor(unit, usual);
    if (factor === undefined) {
      const text = `${name} is in ${unit}, which cannot be converted to the usual ${usual}`;
      problem ??= { rule: "unit", metric: name, value: null, bound: null, text };
      continue;
    }
    if (factor !== 1) factors.set(name, factor);
    medians.set(name, factor * medianOf(samples));
  }
  return { run, medians, factors, problem, unitGuessed };
}

interface Levels {
  /** The cohort if it has nodes enough, else all runs of SKU and check. */
  readonly narrow: UsualRuns;
  readonly ofSku: UsualRuns;
}

function learnLevels(measured: readonly Measured[]): (run: CheckRun) => Levels {
  const sound = measured.filter(({ problem }) => problem === undefined);
  const groupedBy = (keyOf: (run: CheckRun) => string) => {
    const groups = new Map<string, Measured[]>();
    for (const one of sound) {
      const key = keyOf(one.run);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [one]);
      else group.push(one);
    }
    return groups;
  };
  const cohortKey = ({ sku, check, cohort }: CheckRun) =>
    JSON.stringify([sku, check, cohort ?? null]);
  const skuKey = ({ sku, check }: CheckRun) => JSON.stringify([sku, check]);
  const ofSkus = groupedBy(skuKey);
  const skus = new Map([...ofSkus].map(([key, group]) => [key, learnUsual(group)]));
  const cohorts = new Map(
    [...groupedBy(cohortKey)].flatMap(([key, group]) => {
      const sku = group[0] === undefined ? "" : skuKey(group[0].run);
      // A cohort that is the whole SKU has nothing of its own.
      return ofSkus.get(sku)?.length === group.length ? [] : [[key, learnUsual(group)] as const];
    }),
  );
  const nothing = learnUsual([]);
  return (run) => {
    const ofSku = skus.get(skuKey(run)) ?? nothing;
    const ofCohort = cohorts.get(cohortKey(run));
    return { ofSku, narrow: isOwnGroup(ofCohort) ? ofCohort : ofSku };
  };
}

function turnedAround(run: CheckRun, directions: MajorityOf<boolean>): GateProblem | undefined {
  for (const [name, { higherIsBetter }] of run.figures) {
    if (directions.of(run.check, name) === higherIsBetter) continue;
    const text = `${name} says that ${higherIsBetter ? "higher" : "lower"} is better, where other runs say the opposite`;
    return { rule: "garbled", metric: name, value: null, bound: null, text };
  }
  return undefined;
}

function unusualShape({ run }: Measured, { narrow, ofSku }: Levels): GateProblem | undefined {
  for (const name of ofSku.expected) {
    if (run.figures.has(name)) continue;
    const text = `${name} is missing, which this check's runs on this SKU usually have`;
    return { rule: "missing-figure", metric: name, value: null, bound: null, text };
  }
  for (const [name, { samples }] of run.figures) {
    const bound = narrow.figures.get(name)?.samplesMin ?? 1;
    if (samples.length >= bound) continue;
    const text = `${name} has ${samples.length} samples, where ${bound} are usual`;
    return { rule: "few-samples", metric: name, value: samples.length, bound, text };
  }
  return undefined;
}

function implausible({ run, medians }: Measured, { narrow }: Levels): GateProblem | undefined {
  for (const [name, value] of medians) {
    const usual = narrow.figures.get(name)?.median ?? Number.NaN;
    const higherIsBetter = run.figures.get(name)?.higherIsBetter ?? true;
    // A latency may well double on a bad node; fifty times is another unit.
    const most = (higherIsBetter ? tooMuch : 1 / tooLittle) * usual;
    const least = tooLittle * usual;
    if (!(value > most || value < least)) continue;
    const bound = value > most ? most : least;
    const text = `the median of ${name}, ${amount(value, undefined)}, is implausible beside the usual ${amount(usual, undefined)}`;
    return { rule: "implausible", metric: name, value, bound, text };
  }
  return undefined;
}

function doubled({ medians }: Measured, usual: UsualRuns): GateProblem | undefined {
  for (const [metric, value] of medians) {
    const bound = tooMuch * (usual.figures.get(metric)?.median ?? Number.NaN);
    if (!(value > bound)) continue;
    const text = `the median of ${metric}, ${amount(value, undefined)}, is more than twice the usual`;
    return { rule: "implausible", metric, value, bound, text };
  }
  return undefined;
}
