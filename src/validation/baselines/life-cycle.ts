import { TesseraError } from "../../platform/errors/index.ts";
import { version } from "../../version.ts";
import type { Baseline, BaselineRecord, History } from "../history/history.ts";
import { baselinesInForce, scopeKey, scopeOf } from "./find-baseline.ts";
import { type GuardObjection, guardBaseline } from "./guard.ts";
import { learnBaselines, type UnlearnedScope } from "./learn.ts";
import { type BaselineOptions, resolveBaselineOptions } from "./options.ts";

/** Who does something to a baseline, when and why. */
export interface BaselineDeed {
  readonly actor: string;
  readonly reason: string;
  readonly atMs: number;
}

const dayMs = 86_400_000;
const runsMax = 50_000;
const baselinesMax = 10_000;

/** What was learned, and what could not be. */
export interface Proposal {
  readonly candidates: readonly BaselineRecord[];
  readonly unlearned: readonly UnlearnedScope[];
  /** Runs that were looked at; at most 50,000, the newest. */
  readonly runs: number;
}

/**
 * Learns candidates from the runs of the last days and keeps them. The same runs give the same
 * candidate, which is kept once.
 */
export async function proposeBaselines(
  history: History,
  given: BaselineDeed & {
    readonly cluster?: string;
    readonly check?: string;
    /** Which candidates are worth keeping. @default all */
    readonly isWanted?: (candidate: Baseline) => boolean;
    readonly options?: BaselineOptions;
  },
): Promise<Proposal> {
  const { cluster, check, actor, reason, atMs } = given;
  const { windowDays } = resolveBaselineOptions(given.options);
  const runs = await history.runs({
    ...(cluster === undefined ? {} : { cluster }),
    ...(check === undefined ? {} : { check }),
    plannedFromMs: atMs - windowDays * dayMs,
    limit: runsMax,
  });
  const { candidates: learned, unlearned } = learnBaselines(runs, {
    nowMs: atMs,
    code: version,
    ...(given.options === undefined ? {} : { options: given.options }),
  });
  const candidates = learned.filter(given.isWanted ?? (() => true));
  for (const candidate of candidates) await history.saveBaseline(candidate, { actor, reason });
  const ids = new Set(candidates.map(({ id }) => id));
  const kept = await history.baselines({ limit: baselinesMax });
  return { candidates: kept.filter(({ id }) => ids.has(id)), unlearned, runs: runs.length };
}

/**
 * A baseline by its id, or by a beginning of it that no other shares.
 *
 * @throws E_BASELINE_UNKNOWN.
 */
export async function findBaseline(
  history: History,
  id: string,
  store: string,
): Promise<BaselineRecord> {
  const all = await history.baselines({ limit: baselinesMax });
  const exact = all.find((baseline) => baseline.id === id);
  const alike = id.length >= 4 ? all.filter((baseline) => baseline.id.startsWith(id)) : [];
  const [only] = alike;
  const found = exact ?? (alike.length === 1 ? only : undefined);
  if (found === undefined) throw new TesseraError("E_BASELINE_UNKNOWN", { id, store });
  return found;
}

/** What speaks against activating a baseline now. */
export async function objectionsTo(
  history: History,
  baseline: BaselineRecord,
  given: { readonly atMs: number; readonly options?: BaselineOptions },
): Promise<readonly GuardObjection[]> {
  const { sku, check, cohort } = baseline;
  const active = await history.baselines({ sku, check, cohort, state: "active" });
  const inForce = baselinesInForce(active, given.atMs).get(scopeKey(scopeOf(baseline)));
  return guardBaseline(baseline, inForce, given.options);
}

/**
 * Brings a baseline into force; the one in force before is superseded. Interrupted half-way it
 * leaves two active ones, of which the newer counts and the next activation ends the older.
 *
 * @throws E_BASELINE_STATE when it is not a candidate; E_BASELINE_REFUSED when the guard rails are
 *   against it and `force` is not set.
 */
export async function activateBaseline(
  history: History,
  baseline: BaselineRecord,
  deed: BaselineDeed & { readonly force?: boolean; readonly options?: BaselineOptions },
): Promise<{ readonly superseded: readonly string[] }> {
  const { actor, reason, atMs, force = false } = deed;
  const { id, sku, check, cohort } = baseline;
  if (baseline.state !== "candidate") throw wrongState(baseline, "activated");
  const [objection] = force ? [] : await objectionsTo(history, baseline, deed);
  if (objection !== undefined) throw refused(id, objection);
  const scope = scopeKey(scopeOf(baseline));
  const active = await history.baselines({ sku, check, cohort, state: "active" });
  await history.changeBaseline(id, { state: "active", atMs, actor, reason });
  const before = active.filter((one) => one.id !== id && scopeKey(scopeOf(one)) === scope);
  for (const one of before) {
    const change = { state: "superseded", atMs, actor, reason: `Superseded by ${id}.` } as const;
    await history.changeBaseline(one.id, change);
  }
  return { superseded: before.map((one) => one.id) };
}

/**
 * Takes a baseline out of use: a candidate that is not wanted, or an active one that is wrong.
 *
 * @throws E_BASELINE_STATE when it is neither.
 */
export async function rejectBaseline(
  history: History,
  baseline: BaselineRecord,
  { actor, reason, atMs }: BaselineDeed,
): Promise<void> {
  if (baseline.state !== "candidate" && baseline.state !== "active") {
    throw wrongState(baseline, "rejected");
  }
  await history.changeBaseline(baseline.id, { state: "rejected", atMs, actor, reason });
}

/** Marks what has expired of a cluster's baselines, by that cluster's time. @returns their ids. */
export async function expireBaselines(
  history: History,
  { cluster, atMs }: { readonly cluster: string; readonly atMs: number },
): Promise<readonly string[]> {
  const expired: string[] = [];
  for (const state of ["active", "candidate"] as const) {
    for (const baseline of await history.baselines({ state, limit: baselinesMax })) {
      const { id, expiresAtMs } = baseline;
      if (expiresAtMs > atMs || scopeOf(baseline).cluster !== cluster) continue;
      const reason = `Expired at ${new Date(expiresAtMs).toISOString()}.`;
      await history.changeBaseline(id, { state: "expired", atMs, actor: "tessera", reason });
      expired.push(id);
    }
  }
  return expired;
}

function wrongState({ id, state }: BaselineRecord, wish: string): TesseraError {
  return new TesseraError("E_BASELINE_STATE", { id, state, wish });
}

function refused(id: string, { figure, movement, reason }: GuardObjection): TesseraError {
  const details = { id, problem: reason, figure, ...(movement === undefined ? {} : { movement }) };
  return new TesseraError("E_BASELINE_REFUSED", details);
}
