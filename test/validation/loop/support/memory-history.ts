import assert from "node:assert/strict";
import type { History, NodeEvent, RunNote } from "../../../../src/validation/history/history.ts";
import type {
  OpenRun,
  ResultOrigin,
  RunIntent,
  RunRecord,
  RunResult,
  RunVerdict,
} from "../../../../src/validation/run.ts";

interface Kept {
  readonly intent: RunIntent;
  readonly notes: RunNote[];
  readonly results: Map<ResultOrigin, RunResult>;
  verdict: RunVerdict | undefined;
}

/** A history in memory that outlives the loops of a simulation, with the rules of the real one. */
export class MemoryHistory implements History {
  readonly runsById = new Map<string, Kept>();
  readonly events: NodeEvent[] = [];
  #fence = 0;

  async planRuns(
    ...[gate, intents]: Parameters<History["planRuns"]>
  ): ReturnType<History["planRuns"]> {
    const refusals: { intent: RunIntent; why: "superseded" | "limit" | "node-in-use" }[] = [];
    if (gate.fence < this.#fence) {
      return { planned: [], refused: intents.map((intent) => ({ intent, why: "superseded" })) };
    }
    this.#fence = gate.fence;
    const planned: RunIntent[] = [];
    for (const intent of intents) {
      const open = this.#open(gate.cluster);
      if (this.runsById.has(intent.id)) planned.push(intent);
      else if (open.some((run) => run.intent.node === intent.node)) {
        refusals.push({ intent, why: "node-in-use" });
      } else if (open.length >= gate.inFlightMax) refusals.push({ intent, why: "limit" });
      else {
        const kept = { intent, notes: [], results: new Map(), verdict: undefined };
        this.runsById.set(intent.id, kept);
        planned.push(intent);
      }
    }
    return { planned, refused: refusals };
  }

  async openRuns(cluster: string): Promise<readonly OpenRun[]> {
    return this.#open(cluster);
  }

  async noteRun(runId: string, note: RunNote): Promise<void> {
    const kept = this.#find(runId);
    if (!kept.notes.some(({ phase }) => phase === note.phase)) kept.notes.push(note);
  }

  async findIntent(runId: string): Promise<RunIntent | undefined> {
    return this.runsById.get(runId)?.intent;
  }

  async recordResult(
    ...[result, from]: Parameters<History["recordResult"]>
  ): ReturnType<History["recordResult"]> {
    const kept = this.runsById.get(result.runId);
    if (kept === undefined) return "no-such-run";
    if (kept.results.has(from.origin)) return "already";
    kept.results.set(from.origin, result);
    return "recorded";
  }

  async recordVerdicts(verdicts: readonly RunVerdict[]): Promise<void> {
    for (const verdict of verdicts) this.#find(verdict.runId).verdict = verdict;
  }

  async unjudgedRuns(cluster: string, limit: number): Promise<readonly RunRecord[]> {
    return this.records(cluster)
      .filter(({ result, verdict }) => {
        if (result === undefined) return false;
        return verdict === undefined || (verdict.about === "loop" && result.origin === "pod");
      })
      .slice(0, limit);
  }

  async runs(filter: Parameters<History["runs"]>[0]): Promise<readonly RunRecord[]> {
    const { node, check, plannedFromMs = 0, plannedBeforeMs = Infinity } = filter;
    return this.records(filter.cluster ?? "").filter(({ intent }) => {
      if (node !== undefined && intent.node !== node) return false;
      if (check !== undefined && intent.check !== check) return false;
      return intent.plannedAtMs >= plannedFromMs && intent.plannedAtMs < plannedBeforeMs;
    });
  }

  async latestStatus(
    cluster: string,
    checks: readonly string[],
    readAtMs: number,
  ): ReturnType<History["latestStatus"]> {
    return {
      readAtMs,
      checks,
      testedAtMs: (node, check) =>
        this.records(cluster)
          .filter(({ intent, result }) => {
            return (
              intent.node === node && intent.check === check && result?.outcome === "completed"
            );
          })
          .map(({ result }) => result?.endedAtMs ?? 0)
          .toSorted((a, b) => b - a)[0],
    };
  }

  async lastEndedAtMs(cluster: string): Promise<ReadonlyMap<string, number>> {
    const ended = new Map<string, number>();
    for (const { intent, result } of this.records(cluster)) {
      if (result !== undefined) {
        ended.set(intent.node, Math.max(ended.get(intent.node) ?? 0, result.endedAtMs));
      }
    }
    return ended;
  }

  async gpuHoursSince(): Promise<number> {
    return 0;
  }

  async recordNodeEvents(events: readonly NodeEvent[]): Promise<void> {
    this.events.push(...events);
  }

  async nodeEvents({ kinds }: Parameters<History["nodeEvents"]>[0]): Promise<readonly NodeEvent[]> {
    return this.events.filter(({ kind }) => kinds?.includes(kind) ?? true);
  }

  async recordRuns(): Promise<void> {
    throw new Error("a loop imports nothing");
  }

  async saveBaseline(): Promise<void> {
    throw new Error("a loop makes no baselines");
  }

  async changeBaseline(): Promise<void> {
    throw new Error("a loop changes no baselines");
  }

  async baselines(): Promise<readonly never[]> {
    return [];
  }

  /** Everything about a cluster's runs, oldest first. */
  records(cluster: string): RunRecord[] {
    return [...this.runsById.values()]
      .filter(({ intent }) => intent.cluster === cluster)
      .map(({ intent, results, verdict }) => {
        const origin: ResultOrigin = results.has("pod") ? "pod" : "loop";
        const result = results.get(origin);
        return {
          intent,
          verdict,
          result: result === undefined ? undefined : { ...result, origin },
        };
      });
  }

  /** Whether it is on record that the cluster had the job of a run. */
  isSubmitted(runId: string): boolean {
    return this.#find(runId).notes.some(({ phase }) => phase !== "cancelling");
  }

  #open(cluster: string): OpenRun[] {
    return [...this.runsById.values()]
      .filter(({ intent, results }) => intent.cluster === cluster && results.size === 0)
      .map(({ intent, notes }) => {
        const at = (phase: RunNote["phase"]) => notes.find((note) => note.phase === phase);
        const cancelling = at("cancelling");
        return {
          intent,
          submittedAtMs: at("submitted")?.atMs,
          runningAtMs: at("running")?.atMs,
          cancelling: cancelling?.phase === "cancelling" ? cancelling : undefined,
        };
      });
  }

  #find(runId: string): Kept {
    const kept = this.runsById.get(runId);
    assert(kept !== undefined, `there is a run ${runId}`);
    return kept;
  }
}
