import type { PlanGate, RunNote } from "../../../../src/validation/history/index.ts";
import type {
  OpenRun,
  ResultOrigin,
  RunIntent,
  RunRecord,
  RunResult,
  RunVerdict,
} from "../../../../src/validation/run.ts";

interface ModelRun {
  readonly intent: RunIntent;
  readonly notes: Map<string, RunNote>;
  readonly results: Map<ResultOrigin, RunResult>;
  verdict: RunVerdict | undefined;
  /** Whose results have been judged. */
  readonly settled: Set<ResultOrigin>;
}

/** What a history should do, as simply as it can be said: everything is searched every time. */
export class HistoryModel {
  readonly #runs: ModelRun[] = [];
  #fence = Number.NEGATIVE_INFINITY;

  plan(gate: PlanGate, intents: readonly RunIntent[]): readonly string[] {
    if (gate.fence < this.#fence) return intents.map(() => "superseded");
    this.#fence = gate.fence;
    return intents.map((intent) => {
      if (this.#find(intent.id) !== undefined) return "planned";
      const open = this.#open();
      if (open.some((run) => run.intent.node === intent.node)) return "node-in-use";
      if (open.length >= gate.inFlightMax) return "limit";
      this.#runs.push({
        intent,
        notes: new Map(),
        results: new Map(),
        verdict: undefined,
        settled: new Set(),
      });
      return "planned";
    });
  }

  note(id: string, note: RunNote): void {
    const notes = this.#find(id)?.notes;
    if (notes?.has(note.phase) === false) notes.set(note.phase, note);
  }

  record(result: RunResult, origin: ResultOrigin): string {
    const run = this.#find(result.runId);
    if (run === undefined) return "no-such-run";
    if (run.results.has(origin)) return "already";
    run.results.set(origin, result);
    return "recorded";
  }

  judge(verdict: RunVerdict): void {
    const run = this.#find(verdict.runId);
    if (run === undefined) return;
    const counting = originOf(run);
    const about = verdict.about ?? counting;
    if (about !== undefined && about === counting) run.settled.add(about);
    run.verdict = { ...verdict, ...(about === undefined ? {} : { about }) };
  }

  openRuns(): readonly OpenRun[] {
    return this.#open()
      .toSorted((one, other) => one.intent.plannedAtMs - other.intent.plannedAtMs)
      .map(({ intent, notes }) => {
        const ending = notes.get("cancelling");
        return {
          intent,
          submittedAtMs: notes.get("submitted")?.atMs,
          runningAtMs: notes.get("running")?.atMs,
          cancelling:
            ending?.phase === "cancelling"
              ? { atMs: ending.atMs, reason: ending.reason, outcome: ending.outcome }
              : undefined,
        };
      });
  }

  /** Every run that was ever planned, by id. */
  records(): readonly RunRecord[] {
    return this.#runs.map((run) => {
      const origin = originOf(run);
      const result = origin && run.results.get(origin);
      return {
        intent: run.intent,
        result: origin && result && { ...result, origin },
        verdict: run.verdict,
      };
    });
  }

  /** The ids of runs whose result that counts has no verdict. */
  unjudged(): readonly string[] {
    return this.#runs
      .filter((run) => {
        const origin = originOf(run);
        return origin !== undefined && !run.settled.has(origin);
      })
      .map(({ intent }) => intent.id);
  }

  lastMs(node: string, which: (record: RunRecord) => boolean): number | undefined {
    const times = this.records()
      .filter((record) => record.intent.node === node && which(record))
      .flatMap(({ result }) => (result === undefined ? [] : [result.endedAtMs]));
    return times.length === 0 ? undefined : Math.max(...times);
  }

  #open(): readonly ModelRun[] {
    return this.#runs.filter(({ results }) => results.size === 0);
  }

  #find(id: string): ModelRun | undefined {
    return this.#runs.find(({ intent }) => intent.id === id);
  }
}

function originOf({ results }: ModelRun): ResultOrigin | undefined {
  if (results.has("pod")) return "pod";
  return results.has("loop") ? "loop" : undefined;
}
