import { cohortNodesMin } from "./cohorts.ts";
import { splitName } from "./figure-names.ts";
import { medianOf } from "./stats/robust.ts";
import type { CheckRun } from "./types.ts";

/** What most runs of a group have in common for one figure. */
export interface UsualFigure {
  /** The least number of samples of a whole run. */
  readonly samplesMin: number;
  /** The median of medians, in the usual unit. */
  readonly median: number;
}

/** What is usual for the runs of one SKU and check, or one cohort of them. */
export interface UsualRuns {
  readonly runs: number;
  readonly nodes: number;
  readonly figures: ReadonlyMap<string, UsualFigure>;
  /** Figures that most of these runs have. */
  readonly expected: readonly string[];
}

/** With fewer runs than this nothing is usual. */
const runsMin = 3;
const presentShare = 0.6;
const commonCountShare = 0.5;
/** Where counts vary freely, a run needs this share of the typical one. */
const freeCountShare = 0.5;

/** One figure of one run in the usual unit. */
export interface MeasuredRun {
  readonly run: CheckRun;
  /** The median of each figure in the usual unit; without those that could not be converted. */
  readonly medians: ReadonlyMap<string, number>;
}

/** Learns what is usual for a set of runs. */
export function learnUsual(runs: readonly MeasuredRun[]): UsualRuns {
  const counts = new Map<string, number[]>();
  const medians = new Map<string, number[]>();
  for (const { run, medians: own } of runs) {
    for (const [name, { samples }] of run.figures) {
      append(counts, name, samples.length);
      const median = own.get(name);
      if (median !== undefined) append(medians, name, median);
    }
  }
  const figures = new Map<string, UsualFigure>();
  for (const [name, own] of counts) {
    const samplesMin = own.length < runsMin ? 1 : leastCount(own);
    const values = medians.get(name) ?? [];
    const median = values.length < runsMin ? Number.NaN : medianOf(values);
    figures.set(name, { samplesMin, median });
  }
  const expected = [...counts].filter(([, own]) => own.length >= presentShare * runs.length);
  return {
    runs: runs.length,
    nodes: new Set(runs.map(({ run }) => run.node)).size,
    figures,
    expected: runs.length < runsMin ? [] : expected.map(([name]) => name),
  };
}

/** True when there are enough nodes to prefer this group over a wider one. */
export function isOwnGroup(usual: UsualRuns | undefined): usual is UsualRuns {
  return usual !== undefined && usual.nodes >= cohortNodesMin;
}

interface Tally<T> {
  readonly votes: Map<T, number>;
  /** The value with most votes, once somebody has asked. */
  winner: T | undefined;
}

interface CheckTallies<T> {
  readonly byBase: Map<string, Tally<T>>;
  /** The same ones by full name: names are taken apart once, not for every run. */
  readonly byName: Map<string, Tally<T>>;
}

/** What is said most often, of (check, figure): a unit or a direction. GPUs share their figure's. */
export class MajorityOf<T extends string | boolean> {
  readonly #checks = new Map<string, CheckTallies<T>>();

  vote(check: string, name: string, value: T): void {
    const tally = this.#tallyOf(check, name);
    tally.votes.set(value, (tally.votes.get(value) ?? 0) + 1);
    tally.winner = undefined;
  }

  /** The value with most votes; of equal ones the first that was seen. */
  of(check: string, name: string): T | undefined {
    const tally = this.#tallyOf(check, name);
    if (tally.winner !== undefined) return tally.winner;
    let most = 0;
    for (const [value, votes] of tally.votes) {
      if (votes <= most) continue;
      tally.winner = value;
      most = votes;
    }
    return tally.winner;
  }

  #tallyOf(check: string, name: string): Tally<T> {
    const ofCheck = this.#checks.get(check) ?? { byName: new Map(), byBase: new Map() };
    const known = ofCheck.byName.get(name);
    if (known !== undefined) return known;
    const { base } = splitName(name);
    const shared = ofCheck.byBase.get(base) ?? { votes: new Map<T, number>(), winner: undefined };
    ofCheck.byBase.set(base, shared);
    ofCheck.byName.set(name, shared);
    this.#checks.set(check, ofCheck);
    return shared;
  }
}

/** The count most runs have, or half the typical one where counts vary freely. */
function leastCount(counts: readonly number[]): number {
  const votes = new Map<number, number>();
  for (const count of counts) votes.set(count, (votes.get(count) ?? 0) + 1);
  const [common, most] = [...votes].reduce((best, next) => (next[1] > best[1] ? next : best));
  if (most >= commonCountShare * counts.length) return common;
  return Math.ceil(freeCountShare * medianOf(counts));
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
