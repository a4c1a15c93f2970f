import type { Alarm } from "./alarm.ts";
import { buildSeries, type Observation } from "./build-series.ts";
import { groupBy } from "./cohorts.ts";
import type { FigureGroup } from "./figure-group.ts";
import { type AlarmRates, judgeSeries, type Mark } from "./judge-series.ts";
import type { PreparedFigure, PreparedRun } from "./prepare.ts";
import { learnReference } from "./reference.ts";
import { tailScore } from "./stats/tail-score.ts";
import { leastLowCount, scoreTails, type TailScores } from "./tails.ts";

/** Scores are standard normal by construction; a cohort may only show more scatter, not less. */
const sigmaMin = 1;
const pooledSamplesMax = 4000;

interface TailEntry {
  readonly prepared: PreparedRun;
  readonly figure: PreparedFigure;
  readonly at: number;
}

/**
 * Judges the slow samples of a figure, run by run and over all runs of a node together: a share of
 * slow iterations, or one slow GPU among the samples, which leave the middle untouched.
 */
export function judgeTails(group: FigureGroup, rates: AlarmRates): readonly Alarm[] {
  const entries = group.runs.flatMap(({ prepared, figures }) =>
    figures.map((figure) => ({ prepared, figure })),
  );
  const tails = scoreTails(
    entries.map(({ prepared, figure: { logs, centre, gpu } }) => {
      return { logs, centre, owner: keyOf(prepared.run.node, gpu), ofOneGpu: gpu !== undefined };
    }),
  );
  if (tails === undefined) return [];
  const placed = entries.map((entry, at): TailEntry => ({ ...entry, at }));
  const found = [...byRun(placed, tails, rates), ...byNode(placed, tails, rates)];
  const placeOf = new Map(
    placed.map((entry) => [keyOf(entry.prepared.index, entry.figure.gpu), entry]),
  );
  return found.map((mark) => {
    const entry = placeOf.get(keyOf(mark.run, mark.gpu));
    const low = tails.lowCounts[entry?.at ?? -1] ?? 0;
    const count = entry?.figure.logs.length ?? 0;
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

function byRun(
  entries: readonly TailEntry[],
  tails: TailScores,
  rates: AlarmRates,
): readonly Mark[] {
  const observations = entries.map(
    ({ prepared, figure, at }): Observation => ({
      prepared,
      gpu: figure.gpu,
      value: -(tails.scores[at] ?? 0),
    }),
  );
  const series = buildSeries(observations);
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
  const nodes = groupBy(entries, ({ prepared, figure }) => keyOf(prepared.run.node, figure.gpu));
  const pooled = [...nodes.values()].flatMap((own) => {
    // Where a single sample counts, GPUs differ for good, and their samples are no fresh evidence.
    const [first] = own;
    if (own.length < 2 || first === undefined || countsSingly(first.figure)) return [];
    const ordered = own.toSorted((a, b) => (tails.scores[a.at] ?? 0) - (tails.scores[b.at] ?? 0));
    const shares = mergeShares(ordered.slice(0, -1).map(({ at }) => tails.shares[at]));
    if (shares.length < 4) return [];
    const least = Math.max(2, Math.ceil(0.02 * shares.length));
    return [{ own, score: tailScore(shares, least) }];
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
      sinceFirstLow(pooled[at]?.own ?? [], tails).map(({ prepared, figure }): Mark => {
        return { run: prepared.index, gpu: figure.gpu, kind: "level", excess, value, bound };
      }),
    );
}

/** The runs of a node from the first on that was slow by itself, in the order of time. */
function sinceFirstLow(own: readonly TailEntry[], { scores }: TailScores): readonly TailEntry[] {
  const sorted = own.toSorted((a, b) => a.prepared.run.timestampMs - b.prepared.run.timestampMs);
  const first = sorted.findIndex(({ at }) => (scores[at] ?? 0) > 1.5);
  return first === -1 ? sorted : sorted.slice(first);
}

function countsSingly({ logs, gpu }: PreparedFigure): boolean {
  return leastLowCount(logs.length, gpu !== undefined) === 1;
}

function mergeShares(parts: readonly (Float64Array | undefined)[]): Float64Array {
  const total = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  const stride = Math.max(1, Math.ceil(total / pooledSamplesMax));
  const merged: number[] = [];
  let seen = 0;
  for (const part of parts) {
    for (const share of part ?? []) {
      if (seen++ % stride === 0) merged.push(share);
    }
  }
  return Float64Array.from(merged).toSorted();
}

function keyOf(owner: string | number, gpu: number | undefined): string {
  return `${gpu ?? ""}/${owner}`;
}
