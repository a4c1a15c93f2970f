import type { JobEvent, RunRecord } from "../../record/index.ts";
import type { StepEvent } from "../lineage.ts";

/** Why going back to a checkpoint does not count as a success. */
export const rollbackFailures = [
  /** A checkpoint that is not whole was taken. */
  "false-accept",
  /** It could not be read, or everybody was stopped again before it was. */
  "failed",
  /** The run ended while it was read. */
  "not-ended",
  "too-late",
  /** A newer one was committed, and nobody had refused it. */
  "not-newest",
  /** What was loaded is not what was saved. */
  "not-as-saved",
  /** The steps after it differ from those of the run without faults. */
  "diverged",
  /** A sample was lost or repeated right after it. */
  "samples",
] as const;
export type RollbackFailure = (typeof rollbackFailures)[number];

/** One return to an earlier state, with all checkpoints that were tried for it. */
export interface Rollback {
  readonly beginUs: number;
  readonly endUs: number | null;
  /** What was loaded in the end; null: the beginning, or nothing. */
  readonly tag: string | null;
  readonly step: number;
  /** Checkpoints that were rightly passed over. */
  readonly refused: readonly string[];
  /** Null: it went well. */
  readonly failure: RollbackFailure | null;
}

/** Steps after a rollback that are compared with the run without faults. */
const stepsCompared = 3;

type RestoreEvent = Extract<JobEvent, { kind: "restore" }>;

/** All returns to earlier states, each held against everything that is known about it. */
export function rollbacksOf(record: RunRecord, baseline: RunRecord | null): readonly Rollback[] {
  const usual = new Map(stepsOf(baseline?.events ?? []).map((step) => [step.step, step]));
  const walk = new RollbackWalk(record, usual);
  for (const [at, event] of record.events.entries()) walk.meet(event, at);
  return walk.end();
}

function stepsOf(events: readonly JobEvent[]): readonly StepEvent[] {
  return events.filter((event): event is StepEvent => event.kind === "step");
}

class RollbackWalk {
  readonly #record: RunRecord;
  readonly #usual: ReadonlyMap<number, StepEvent>;
  readonly #rollbacks: Rollback[] = [];
  readonly #eligible = new Set<number>();
  readonly #samplesEnd = new Map<number, number>();
  #begun: RestoreEvent | null = null;
  #refused: string[] = [];
  /** Somebody doubts values, so the newest checkpoint need not be the best. */
  #hasDoubt = false;

  constructor(record: RunRecord, usual: ReadonlyMap<number, StepEvent>) {
    this.#record = record;
    this.#usual = usual;
  }

  meet(event: JobEvent, at: number): void {
    if (event.kind === "save" && event.phase === "committed") this.#eligible.add(event.step);
    if (event.kind === "detect") {
      this.#hasDoubt = event.by === "numerics" || event.by === "comparison";
    }
    if (event.kind === "step" && event.samples !== undefined) {
      this.#samplesEnd.set(event.step, event.samples[1]);
    }
    if (event.kind === "restore") this.#restore(event, at);
  }

  end(): readonly Rollback[] {
    if (this.#begun !== null) this.#push(this.#begun, null, "not-ended");
    return this.#rollbacks;
  }

  #restore(event: RestoreEvent, at: number): void {
    switch (event.phase) {
      case "begun":
        this.#begun ??= event;
        return;
      case "refused":
        if (event.tag !== null) this.#refused.push(event.tag);
        this.#eligible.delete(event.step);
        return;
      case "failed":
        this.#push(event, event.atUs, "failed");
        return;
      case "done":
        this.#push(event, event.atUs, this.#failureOf(event, at));
        for (const step of this.#eligible) if (step > event.step) this.#eligible.delete(step);
    }
  }

  #push(event: RestoreEvent, endUs: number | null, failure: RollbackFailure | null): void {
    const { tag, step } = event;
    const beginUs = this.#begun?.atUs ?? event.atUs;
    this.#rollbacks.push({ beginUs, endUs, tag, step, refused: this.#refused, failure });
    this.#begun = null;
    this.#refused = [];
  }

  #failureOf(event: RestoreEvent, at: number): RollbackFailure | null {
    if (event.falseAccept === true) return "false-accept";
    const tookUs = event.atUs - (this.#begun?.atUs ?? event.atUs);
    const limitUs = this.#record.plan.timeouts.loadUs * (this.#refused.length + 1);
    if (tookUs > limitUs) return "too-late";
    const isNewest = [...this.#eligible].every((step) => step <= event.step);
    if (!isNewest && !this.#hasDoubt) return "not-newest";
    if (event.sameAsSaved === false) return "not-as-saved";
    return this.#failureAfter(event, at);
  }

  /** The next steps tell what a digest of the state might have missed. */
  #failureAfter(event: RestoreEvent, at: number): RollbackFailure | null {
    const { events } = this.#record;
    let wanted = event.step + 1;
    for (let next = at + 1; next < events.length && wanted <= event.step + stepsCompared; next++) {
      const step = events[next];
      if (step === undefined || step.kind === "restore" || step.kind === "generation") break;
      if (step.kind !== "step" || step.step !== wanted) continue;
      const usual = this.#usual.get(wanted);
      const begin = this.#samplesEnd.get(wanted - 1) ?? usual?.samples?.[0];
      if (wanted === event.step + 1 && isOther(step.samples?.[0], begin)) return "samples";
      if (isOther(step.loss, usual?.loss)) return "diverged";
      wanted++;
    }
    return null;
  }
}

/** Both are known, and they differ. */
function isOther(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && !Object.is(one, other);
}
