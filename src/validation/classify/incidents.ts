import { groupBy } from "./cohorts.ts";
import type { PreparedRun } from "./prepare.ts";
import { binomialUpperTail } from "./stats/binomial.ts";

/** Many runs that are bad together: what they share is to blame, not their nodes. */
export interface Incident {
  /** `12 of 14 runs of storage-io between … and …` */
  readonly text: string;
  readonly badRuns: number;
  readonly allRuns: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nodesMin = 4;
/** As many bad nodes by chance, at the rate of the other runs, must be this unlikely. */
const chanceMax = 1e-6;
/** The rate of bad nodes that is believed without an incident. */
const rateMin = 0.05;
const rateMax = 0.35;

/**
 * Finds incidents: most runs of a check within an hour, or most nodes of one cohort within a day,
 * are bad.
 *
 * @returns for each bad run that is part of one, by its place in the list, the largest such incident.
 */
export function findIncidents(
  runs: readonly PreparedRun[],
  isBad: (index: number) => boolean,
): ReadonlyMap<number, Incident> {
  const incidents = new Map<number, Incident>();
  const cohortOf = ({ run }: PreparedRun) =>
    JSON.stringify([run.sku, run.check, run.cohort ?? null]);
  for (const ofCheck of groupBy(runs, ({ run }) => run.check).values()) {
    mark(incidents, ofCheck, { spanMs: hourMs, isBad });
    for (const cohort of groupBy(ofCheck, cohortOf).values()) {
      mark(incidents, cohort, { spanMs: dayMs, isBad });
    }
  }
  return incidents;
}

interface WindowOptions {
  readonly spanMs: number;
  isBad(index: number): boolean;
}

function mark(
  incidents: Map<number, Incident>,
  runs: readonly PreparedRun[],
  { spanMs, isBad }: WindowOptions,
): void {
  const sorted = runs.toSorted((a, b) => a.run.timestampMs - b.run.timestampMs);
  const badFlags = sorted.map(({ index }) => isBad(index));
  const badBefore = [0];
  for (const bad of badFlags) badBefore.push((badBefore.at(-1) ?? 0) + (bad ? 1 : 0));
  const badTotal = badBefore.at(-1) ?? 0;
  let end = 0;
  let checkedUntil = 0;
  for (let start = 0; start < sorted.length; start++) {
    if (badFlags[start] !== true) continue;
    const startMs = sorted[start]?.run.timestampMs ?? 0;
    while (end < sorted.length && (sorted[end]?.run.timestampMs ?? 0) < startMs + spanMs) end++;
    const bad = (badBefore[end] ?? 0) - (badBefore[start] ?? 0);
    // A window inside the one before it adds nothing.
    if (bad < nodesMin || 2 * bad <= end - start || end <= checkedUntil) continue;
    checkedUntil = end;
    const outside = sorted.length - (end - start);
    const rate = outside === 0 ? 0 : (badTotal - bad + 0.5) / (outside + 5);
    const window = densest(sorted.slice(start, end), isBad);
    if (!isCommonCause(window, isBad, rate === 0 ? 0 : Math.min(rateMax, Math.max(rateMin, rate))))
      continue;
    const badRuns = window.filter(({ index }) => isBad(index)).length;
    const incident = { text: describe(window, isBad), badRuns, allRuns: window.length };
    for (const { index } of window) {
      const known = incidents.get(index);
      if (isBad(index) && (known === undefined || known.badRuns < badRuns))
        incidents.set(index, incident);
    }
  }
}

/** The stretch in which bad runs outnumber the others most: without the quiet edges of a window. */
function densest(
  window: readonly PreparedRun[],
  isBad: (index: number) => boolean,
): readonly PreparedRun[] {
  let best = { from: 0, to: 0, surplus: 0 };
  let from = 0;
  let surplus = 0;
  for (const [at, { index }] of window.entries()) {
    surplus += isBad(index) ? 1 : -1;
    if (surplus > best.surplus) best = { from, to: at + 1, surplus };
    if (surplus <= 0) {
      surplus = 0;
      from = at + 1;
    }
  }
  return window.slice(best.from, best.to);
}

/** More nodes are bad at once than chance explains, and they are most of those tested. */
function isCommonCause(
  window: readonly PreparedRun[],
  isBad: (index: number) => boolean,
  rate: number,
): boolean {
  const nodes = groupBy(window, ({ run }) => run.node);
  let bad = 0;
  for (const runs of nodes.values()) {
    if (2 * runs.filter(({ index }) => isBad(index)).length > runs.length) bad++;
  }
  if (bad < nodesMin || 2 * bad <= nodes.size) return false;
  // Without any other run there is no rate to compare with, and most are bad.
  if (rate === 0) return true;
  return binomialUpperTail({ draws: nodes.size, hits: bad, rate }) < chanceMax;
}

function describe(window: readonly PreparedRun[], isBad: (index: number) => boolean): string {
  const bad = window.filter(({ index }) => isBad(index));
  const times = bad.map(({ run }) => run.timestampMs);
  const shared = (pick: (one: PreparedRun) => string | undefined, name: string) => {
    const values = new Set(bad.map(pick));
    const [only] = values;
    return values.size === 1 && only !== undefined ? `, all ${name} ${only}` : "";
  };
  const check = bad[0]?.run.check ?? "";
  const sku = shared(({ run }) => run.sku, "of SKU");
  const cohort = shared(({ run }) => run.cohort, "in cohort");
  const first = isoMinute(times.reduce((least, time) => Math.min(least, time)));
  const last = isoMinute(times.reduce((most, time) => Math.max(most, time)));
  return `${bad.length} of ${window.length} runs of ${check} from ${first} to ${last} are bad together${sku}${cohort}`;
}

/** A time to the minute; times beyond what a date can hold are given as they are. */
function isoMinute(timeMs: number): string {
  if (!Number.isFinite(timeMs) || Math.abs(timeMs) > 8.64e15) return String(timeMs);
  return `${new Date(timeMs).toISOString().slice(0, 16)}Z`;
}
