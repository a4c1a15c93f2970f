import type { Alarm } from "./alarm.ts";
import { buildSeries } from "./build-series.ts";
import type { FigureGroup } from "./figure-group.ts";
import { type AlarmRates, judgeSeries, type Mark } from "./judge-series.ts";
import { keyOfEntity, type PreparedFigure, type PreparedRun } from "./prepare.ts";
import { learnReference } from "./reference.ts";
import { sortInPlace } from "./stats/sort-in-place.ts";
import { tailScore } from "./stats/tail-score.ts";
import { leastLowCount, lowCountOf, scoreTails, type TailInput, type TailScores } from "./tails.ts";

/** Scores are standard normal by construction; a cohort may only show more scatter, not less. */
const sigmaMin = 1;
const pooledSamplesMax = 4000;

/** One figure of one run; the owner is its node (and GPU), counted from 0. */
interface TailEntry extends TailInput {
  readonly prepared: PreparedRun;
  readonly gpu: number | undefined;
  readonly at: number;
}

/**
 * Judges the slow samples of a figure, run by run and over all runs of a node together: a share of
 * slow iterations, or one slow GPU among the samples, which leave the middle untouched.
 */
export function judgeTails(group: FigureGroup, rates: AlarmRates): readonly Alarm[] {
  const entries = entriesOf(group);
  const tails = scoreTails(entries);
  if (tails === undefined) return [];
  const found = [...byRun(entries, tails, rates), ...byNode(entries, tails, rates)];
  if (found.length === 0) return [];
  const placeOf = new Map(
    entries.map((entry) => [keyOfEntity(entry.prepared.index, entry.gpu), entry]),
  );
  return found.map((mark) => {
    const entry = placeOf.get(keyOfEntity(mark.run, mark.gpu));
    const low = entry === undefined ? 0 : lowCountOf(tails, entry.at);
    const count = entry?.logs.length ?? 0;
    const metric = mark.gpu === undefined ? group.base : `${group.base}.gpu${mark.gpu}`;
    const whose = mark.kind === "run" ? "" : " in this run, and over the node's runs together,";
    return {
      run: mark.run,
      metric,
      rule: "tail",
      kind: mark.kind,
      excess: mark.excess,
      value: -mark.value,
      bound: -mark.bound,
      text: `${low} of ${count} samples of ${metric}${whose} are slower than 99 % usually are (score ${(-mark.value).toFixed(1)}, at most ${(-mark.bound).toFixed(1)})`,
      cohort: group.label,
    };
  });
}

function entriesOf({ runs }: FigureGroup): readonly TailEntry[] {
  const owners = new Map<number, number>();
  const entries: TailEntry[] = [];
  const add = (prepared: PreparedRun, { logs, centre, gpu }: PreparedFigure) => {
    const key = keyOfEntity(prepared.nodeId, gpu);
    const owner = owners.get(key) ?? owners.size;
    owners.set(key, owner);
    const ofOneGpu = gpu !== undefined;
    entries.push({ prepared, gpu, at: entries.length, logs, centre, owner, ofOneGpu });
  };
  for (const { prepared, figures } of runs) {
    for (const figure of figures) add(prepared, figure);
  }
  return entries;
}

function byRun(
  entries: readonly TailEntry[],
  { scores }: TailScores,
  rates: AlarmRates,
): readonly Mark[] {
  const series = buildSeries(
    entries,
    scores.map((score) => -score),
  );
  const reference = learnReference(series, { sigmaMin, populations: false, skewed: true });
  return judgeSeries(series, reference, rates).filter(
    ({ kind }) => kind === "run" || kind === "level",
  );
}

/** All samples of a node's runs together, less its worst run: that one alone is for a retest. */
function byNode(
  entries: readonly TailEntry[],
  tails: TailScores,
  rates: AlarmRates,
): readonly Mark[] {
  const pool = new Float64Array(pooledSamplesMax);
  const pooled = byOwner(entries).flatMap((own) => {
    // Where a single sample counts, GPUs differ for good, and their samples are no fresh evidence.
    const [first] = own;
    if (own.length < 2 || first === undefined || countsSingly(first)) return [];
    const ordered = own.toSorted((a, b) => (tails.scores[a.at] ?? 0) - (tails.scores[b.at] ?? 0));
    const { count, low } = mergeShares(pool, ordered.slice(0, -1), tails);
    if (count < 4) return [];
    const least = Math.max(2, Math.ceil(0.02 * count));
    return [{ own, score: tailScore(low, least, count) }];
  });
  if (pooled.length < 8) return [];
  const series = pooled.map(({ score }, at) => ({
    node: String(at),
    gpu: undefined,
    points: [{ run: at, timeMs: 0, value: -score }],
  }));
  const reference = learnReference(series, { sigmaMin, populations: false, skewed: true });
  const marks = judgeSeries(series, reference, { ...rates, run: rates.node });
  return marks
    .filter(({ kind }) => kind === "run")
    .flatMap(({ run: at, excess, value, bound }) =>
      sinceFirstLow(pooled[at]?.own ?? [], tails).map(({ prepared, gpu }): Mark => {
        return { run: prepared.index, gpu, kind: "level", excess, value, bound };
      }),
    );
}

function byOwner(entries: readonly TailEntry[]): readonly (readonly TailEntry[])[] {
  const owners: TailEntry[][] = [];
  for (const entry of entries) {
    const own = owners[entry.owner];
    if (own === undefined) owners[entry.owner] = [entry];
    else own.push(entry);
  }
  return owners;
}

/** The runs of a node from the first on that was slow by itself, in the order of time. */
function sinceFirstLow(own: readonly TailEntry[], { scores }: TailScores): readonly TailEntry[] {
  const sorted = own.toSorted((a, b) => a.prepared.run.timestampMs - b.prepared.run.timestampMs);
  const first = sorted.findIndex(({ at }) => (scores[at] ?? 0) > 1.5);
  return first === -1 ? sorted : sorted.slice(first);
}

function countsSingly({ logs, ofOneGpu }: TailEntry): boolean {
  return leastLowCount(logs.length, ofOneGpu) === 1;
}

/**
 * The shares of all samples of some runs, evenly taken where they are too many: how many they are,
 * and those below one half, ascending, in the space given.
 */
function mergeShares(
  pool: Float64Array,
  runs: readonly TailEntry[],
  { shares: { values, starts } }: TailScores,
): { readonly count: number; readonly low: Float64Array } {
  const total = runs.reduce((sum, { logs }) => sum + logs.length, 0);
  const stride = Math.max(1, Math.ceil(total / pooledSamplesMax));
  let skip = 0;
  let lowCount = 0;
  for (const { at } of runs) {
    const end = starts[at + 1] ?? 0;
    let next = (starts[at] ?? 0) + skip;
    for (; next < end; next += stride) {
      const share = values[next] ?? 1;
      if (!(share >= 0.5)) pool[lowCount++] = share;
    }
    skip = next - end;
  }
  sortInPlace(pool, 0, lowCount);
  return { count: Math.ceil(total / stride), low: pool.subarray(0, lowCount) };
}
