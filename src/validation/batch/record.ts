import type { RunOutcome } from "../../platform/words.ts";
import type { RunNote } from "../history/history.ts";
import type { OpenRun, RunResult } from "../run.ts";
import type { BatchContext } from "./job-calls.ts";

/** All calls to the store are one step: if one fails the others would. */
export const storeStep = "store";

const lateMax = 1_000;
const lateGraces = 10;

/** Writes a note about a run; false when that failed. */
export async function noteRun(
  { history, episodes, isLeader }: BatchContext,
  runId: string,
  note: RunNote,
): Promise<boolean> {
  if (!isLeader()) return false;
  return (await episodes.attempt(storeStep, () => history.noteRun(runId, note))) !== undefined;
}

/** Writes down how a run ended that said nothing itself; false when that failed. */
export async function concludeRun(
  context: BatchContext,
  run: OpenRun,
  end: { readonly outcome: RunOutcome; readonly error: string },
): Promise<boolean> {
  const { cluster, history, episodes, memory, settings, isLeader } = context;
  if (!isLeader()) return false;
  const atMs = cluster.clock.nowMs();
  const result: RunResult = {
    runId: run.intent.id,
    outcome: end.outcome,
    ...(run.runningAtMs === undefined ? {} : { startedAtMs: run.runningAtMs }),
    endedAtMs: atMs,
    error: end.error,
    figures: {},
    hardFacts: [],
    facts: {},
  };
  const done = await episodes.attempt(storeStep, () =>
    history.recordResult(result, { origin: "loop", atMs }),
  );
  if (done === undefined) return false;
  if (memory.late.size < lateMax) {
    const untilMs = cluster.clock.monotonicMs() + lateGraces * settings.resultGraceMs;
    memory.late.set(run.intent.id, { run, untilMs });
  }
  return true;
}
