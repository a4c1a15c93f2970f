import { inTurns } from "../../platform/concurrency/index.ts";
import type { History } from "../history/history.ts";
import type { WantedRun } from "../plan/planner.ts";
import type { RunRecord, RunVerdict } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";
import { CheckStates, isTelling } from "./check-states.ts";
import { judgeSteps } from "./judge-runs.ts";
import { judgedRun } from "./judged-run.ts";
import { wantedRetests } from "./retests.ts";
import { RunWindow } from "./run-window.ts";
import { compareLimits } from "./select-comparable.ts";

/**
 * Judges the runs of a cluster as they end. Remembers what it compares with, so that a run costs no
 * more than looking at its cohort; everything it knows can be read from the history again.
 */
export interface RunJudge {
  /**
   * Judges runs that have a result and no verdict. The verdicts are the caller's to record, before
   * the next call: one that was not is noticed when its run comes again, and all is read anew.
   *
   * @returns verdicts on the new runs, newer ones on earlier runs, and the retests wanted now.
   */
  judge(input: { readonly newRuns: readonly RunRecord[]; readonly nowMs: number }): Promise<{
    readonly verdicts: readonly RunVerdict[];
    readonly wanted: readonly WantedRun[];
  }>;
  /** Where every node stands with every check; undefined before `judge` has read the history. */
  states(): CheckStates | undefined;
  /** Forgets everything: the next call reads the history again. For a change of leadership. */
  forget(): void;
}

export interface RunJudgeOptions {
  readonly history: History;
  readonly cluster: string;
  readonly settings: Pick<ValidationSettings, "compareDays" | "guard" | "checks">;
}

const dayMs = 86_400_000;
const ownDaysMin = 14;
const repairsMax = 10_000;

/** What a judge has read and concluded so far. */
interface Memory {
  readonly windows: ReadonlyMap<string, RunWindow>;
  readonly states: CheckStates;
  /** The runs whose verdicts were handed out by the last call. */
  handedOut: ReadonlySet<string>;
  /** What follows from the states; undefined when they have changed since. */
  wanted: readonly WantedRun[] | undefined;
}

/** A judge of the runs of one cluster. Only who leads the cluster should use one. */
export function createRunJudge(options: RunJudgeOptions): RunJudge {
  const { history, cluster, settings } = options;
  const daysBack = Math.max(settings.compareDays, ownDaysMin);
  let memory: Memory | undefined;
  return {
    judge: async ({ newRuns, nowMs }) => {
      if (newRuns.some(({ intent }) => memory?.handedOut.has(intent.id))) memory = undefined;
      const fromMs = nowMs - daysBack * dayMs;
      const known = (memory ??= await load(options, { fromMs, nowMs }));
      const verdicts: RunVerdict[] = [];
      if (newRuns.length > 0) {
        const comparable = await comparableRuns(newRuns, known.windows);
        const [baselines, events] = await Promise.all([
          history.baselines({ state: "active" }),
          history.nodeEvents({ cluster, kinds: ["repair"], fromMs, limit: repairsMax }),
        ]);
        const input = { newRuns, comparable, baselines, events, settings, nowMs };
        verdicts.push(...(await inTurns(judgeSteps(input))));
        remember(known, verdicts, [...comparable, ...newRuns]);
      }
      known.wanted ??= wantedRetests(known.states, settings.guard);
      return { verdicts, wanted: known.wanted };
    },
    states: () => memory?.states,
    forget: () => {
      memory = undefined;
    },
  };
}

/**
 * Reads the runs of the last days, newest first, until it is known where every node stands that
 * completed a check in them.
 */
async function load(
  options: RunJudgeOptions,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): Promise<Memory> {
  const { history, cluster, settings } = options;
  const names = settings.checks.map(({ name }) => name);
  const [ended, latest] = await Promise.all([
    history.lastEndedAtMs(cluster),
    history.latestStatus(cluster, names, nowMs),
  ]);
  const windows = new Map<string, RunWindow>();
  const states = new CheckStates();
  for (const check of names) {
    const missing = new Set(
      [...ended.keys()].filter((node) => (latest.testedAtMs(node, check) ?? 0) >= fromMs),
    );
    const filter = { cluster, check, plannedFromMs: fromMs };
    const window = new RunWindow({ history, filter, sizeMax: compareLimits.totalMax });
    const visit = (record: RunRecord) => {
      const judged = judgedRun(record);
      if (judged === undefined) return;
      states.add(judged);
      if (isTelling(judged)) missing.delete(judged.node);
    };
    await window.load(visit, () => missing.size === 0);
    windows.set(check, window);
  }
  return { windows, states, handedOut: new Set(), wanted: undefined };
}

/** The runs the new ones are compared with: of their checks, and of their nodes further back. */
async function comparableRuns(
  newRuns: readonly RunRecord[],
  windows: ReadonlyMap<string, RunWindow>,
): Promise<readonly RunRecord[]> {
  const runs: RunRecord[] = [];
  for (const [check, window] of windows) {
    const own = newRuns.filter(({ intent }) => intent.check === check);
    if (own.length === 0) continue;
    runs.push(...window.runs());
    const nodes = new Set(own.map(({ intent }) => intent.node));
    for (const node of nodes) runs.push(...(await window.runsOf(node, compareLimits.perNodeMax)));
  }
  return runs;
}

function remember(
  memory: Memory,
  verdicts: readonly RunVerdict[],
  runs: readonly RunRecord[],
): void {
  const records = new Map(runs.map((run) => [run.intent.id, run]));
  memory.handedOut = new Set(verdicts.map(({ runId }) => runId));
  memory.wanted = undefined;
  for (const verdict of verdicts) {
    const record = records.get(verdict.runId);
    if (record === undefined) continue;
    const judged: RunRecord = { ...record, verdict };
    memory.windows.get(record.intent.check)?.add(judged);
    const slim = judgedRun(judged);
    if (slim !== undefined) memory.states.add(slim);
  }
}
