import type { History } from "../history/history.ts";
import { type EndedRun, endedRunOf, type WantedRun } from "../plan/index.ts";
import type { RunRecord, RunVerdict } from "../run.ts";
import type { Judge } from "./ports.ts";

/** Runs judged in one go; more wait for the next. */
export const judgedAtOnceMax = 500;

/** What judging gave. */
export interface Judged {
  /** The runs that had no verdict, with the ones they have now. */
  readonly runs: readonly RunRecord[];
  readonly verdicts: readonly RunVerdict[];
  readonly wanted: readonly WantedRun[];
  /** For the planner. */
  readonly ended: readonly EndedRun[];
}

/** Judges what has a result and no verdict, and writes the verdicts down. */
export async function judgeNewRuns(options: {
  readonly judge: Judge;
  readonly history: History;
  readonly cluster: string;
  readonly nowMs: number;
}): Promise<Judged> {
  const { judge, history, cluster, nowMs } = options;
  const newRuns = await history.unjudgedRuns(cluster, judgedAtOnceMax);
  const { verdicts, wanted } = await judge({ newRuns, nowMs });
  if (verdicts.length > 0) await history.recordVerdicts(verdicts);
  const byRun = new Map(verdicts.map((verdict) => [verdict.runId, verdict]));
  const runs = newRuns.map((run) => ({ ...run, verdict: byRun.get(run.intent.id) ?? run.verdict }));
  return { runs, verdicts, wanted, ended: runs.flatMap((run) => endedRunOf(run) ?? []) };
}
