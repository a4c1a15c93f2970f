import { atOnce, type Steps } from "../../platform/concurrency/index.ts";
import { baselinesInForce, findDrift, scopeKey, scopeOfRun } from "../baselines/index.ts";
import { type ClassifiedRun, classifySteps } from "../classify/index.ts";
import { goldensIn, goldensOf } from "../goldens/index.ts";
import type { BaselineRecord, NodeEvent } from "../history/history.ts";
import type { WantedRun } from "../plan/planner.ts";
import type { RunRecord, RunVerdict } from "../run.ts";
import type { GuardSettings, ValidationSettings } from "../settings.ts";
import { CheckStates } from "./check-states.ts";
import { judgedRun } from "./judged-run.ts";
import { mayReplace } from "./may-replace.ts";
import { wantedRetests } from "./retests.ts";
import {
  type CompareLimits,
  compareLimits,
  isComparable,
  selectComparable,
} from "./select-comparable.ts";
import { type Repairs, repairsOf, toCheckRun } from "./to-check-run.ts";
import { withBaseline } from "./with-baseline.ts";

export interface JudgeInput {
  /** Runs with a result that nobody has judged yet, or whose result has changed since. */
  readonly newRuns: readonly RunRecord[];
  /** The runs they are compared with, of the same cluster and checks; may hold the new ones too. */
  readonly comparable: readonly RunRecord[];
  /** Those that are not in force are passed over. Goldens lie among them. */
  readonly baselines: readonly BaselineRecord[];
  /** What happened to the nodes; only repairs count. @default none */
  readonly events?: readonly NodeEvent[];
  readonly settings: Pick<ValidationSettings, "compareDays"> & {
    readonly guard: Pick<GuardSettings, "retestAfterMs">;
  };
  readonly nowMs: number;
  /** @default 16 runs of a node, 2,000 of a check */
  readonly limits?: CompareLimits;
}

export interface Judgement {
  /** One for each new run, and for each earlier one of which we now think otherwise. */
  readonly verdicts: readonly RunVerdict[];
  /** Retests of what is suspect among the runs given. */
  readonly wanted: readonly WantedRun[];
}

/** Flapping is judged over 14 days, however short the time in which nodes are compared. */
const ownDaysMin = 14;
const dayMs = 86_400_000;

/**
 * Judges runs by comparing them with their like, with the node's own past, with the baselines in
 * force and with the bits that goldens say their answers must have. A run that did not complete is
 * `unknown`, never healthy. What was concluded earlier is revised where a new run confirms or clears
 * it, or shows that it was part of an incident; a failure is never taken back for any other reason.
 */
export function judgeRuns(input: JudgeInput): Judgement {
  const verdicts = atOnce(judgeSteps(input));
  const records = [...runsInTime(input), ...input.newRuns];
  return { verdicts, wanted: retestsOf(records, verdicts, input.settings.guard) };
}

/** The verdicts alone, in steps, for those who have something else to do meanwhile. */
export function* judgeSteps(input: JudgeInput): Steps<readonly RunVerdict[]> {
  const { newRuns, nowMs } = input;
  const repairs = repairsOf(input.events ?? []);
  const comparable = runsInTime(input);
  const verdicts: RunVerdict[] = [];
  for (const check of new Set(newRuns.map(({ intent }) => intent.check))) {
    const ofCheck = ({ intent, result }: RunRecord) =>
      intent.check === check && result !== undefined;
    const own = newRuns.filter(ofCheck);
    verdicts.push(...own.filter((run) => !isComparable(run)).map((run) => ofNothing(run, nowMs)));
    const usable = own.filter(isComparable);
    if (usable.length === 0) continue;
    const ofThis = { ...input, newRuns: usable, comparable: comparable.filter(ofCheck) };
    verdicts.push(...(yield* judgeCheck(ofThis, repairs)));
    yield;
  }
  return verdicts;
}

/** The runs that are not too old to be compared with: of nodes with new runs a longer past. */
function runsInTime({ newRuns, comparable, nowMs, settings }: JudgeInput): readonly RunRecord[] {
  const fromMs = nowMs - settings.compareDays * dayMs;
  const ownFromMs = Math.min(fromMs, nowMs - ownDaysMin * dayMs);
  const newNodes = new Set(newRuns.map(({ intent }) => intent.node));
  return comparable.filter(({ intent, result }) => {
    const oldest = newNodes.has(intent.node) ? ownFromMs : fromMs;
    return result !== undefined && result.endedAtMs >= oldest;
  });
}

/** The verdicts on runs of one check, new or changed. */
function* judgeCheck(input: JudgeInput, repairs: Repairs): Steps<readonly RunVerdict[]> {
  const { newRuns, nowMs, limits = compareLimits } = input;
  const records = selectComparable(newRuns, input.comparable, limits);
  const goldens = goldensOf(goldensIn(input.baselines, nowMs));
  const checkRuns = records.map((record) => toCheckRun(record, repairs, goldens));
  yield;
  const classified = yield* classifySteps(checkRuns);
  const judge = baselineJudge(records, input);
  const newIds = new Set(newRuns.map(({ intent }) => intent.id));
  const newNodes = new Set(newRuns.map(({ intent }) => intent.node));
  return records.flatMap((record, at): readonly RunVerdict[] => {
    const own = classified[at];
    if (own === undefined) return [];
    const { baselineId, verdict } = judge(record, own);
    const next: RunVerdict = {
      runId: record.intent.id,
      atMs: nowMs,
      ...verdict,
      ...(baselineId === undefined ? {} : { baselineId }),
      ...(record.result === undefined ? {} : { about: record.result.origin }),
    };
    const context = {
      isNew: newIds.has(record.intent.id),
      hasNewRun: newNodes.has(record.intent.node),
      endedAgoMs: nowMs - (record.result?.endedAtMs ?? 0),
    };
    return mayReplace(record.verdict, next, context) ? [next] : [];
  });
}

/** How a run of these is held against the baseline of its scope. */
function baselineJudge(records: readonly RunRecord[], { baselines, nowMs }: JudgeInput) {
  const inForce = baselinesInForce(baselines, nowMs);
  const byScope = new Map<string, RunRecord[]>();
  for (const record of inForce.size === 0 ? [] : records) {
    const key = scopeKey(scopeOfRun(record));
    const known = byScope.get(key);
    if (known === undefined) byScope.set(key, [record]);
    else known.push(record);
  }
  const drifts = new Map(
    [...byScope].flatMap(([key, runs]) => {
      const baseline = inForce.get(key);
      return baseline === undefined ? [] : [[key, findDrift(runs, baseline, nowMs)] as const];
    }),
  );
  return (
    record: RunRecord,
    classified: ClassifiedRun,
  ): { readonly verdict: ClassifiedRun; readonly baselineId?: string } => {
    const key = scopeKey(scopeOfRun(record));
    const baseline = inForce.get(key);
    if (baseline === undefined) return { verdict: classified };
    const verdict = withBaseline(classified, { record, baseline, drift: drifts.get(key) });
    return { verdict, baselineId: baseline.id };
  };
}

/** The verdict on a run that came to nothing. */
function ofNothing({ intent, result }: RunRecord, nowMs: number): RunVerdict {
  const { outcome = "error", error } = result ?? {};
  const ended = {
    error: "ended with an error",
    timeout: "took too long",
    cancelled: "was cancelled",
  };
  const how = outcome === "completed" ? "completed" : ended[outcome];
  const cause = error === undefined ? "" : `: ${error.replace(/\.$/, "")}`;
  return {
    runId: intent.id,
    atMs: nowMs,
    verdict: "unknown",
    reason: `The run ${how}${cause}; it says nothing about the node.`,
    findings: [
      {
        metric: "*",
        rule: "incomplete",
        value: null,
        bound: null,
        cohort: `${intent.sku} ${intent.check}`,
      },
    ],
    ...(result === undefined ? {} : { about: result.origin }),
  };
}

function retestsOf(
  records: readonly RunRecord[],
  verdicts: readonly RunVerdict[],
  guard: Pick<GuardSettings, "retestAfterMs">,
): readonly WantedRun[] {
  const changed = new Map(verdicts.map((verdict) => [verdict.runId, verdict]));
  const states = new CheckStates();
  for (const record of records) {
    const judged = judgedRun(record, changed.get(record.intent.id));
    if (judged !== undefined) states.add(judged);
  }
  return wantedRetests(states, guard);
}
