import type { JobEvent, RunRecord } from "../record/index.ts";

export type StepEvent = Extract<JobEvent, { kind: "step" }>;

/** Which steps of a run are part of what it left behind, and which were done for nothing. */
export interface Lineage {
  /** In the order of their numbers. */
  readonly survivors: readonly StepEvent[];
  /** Rolled back, or lost with a job that gave up. In the order in which they were done. */
  readonly dropped: readonly StepEvent[];
  /** Of each dropped step, when that was certain. */
  readonly droppedAtUs: ReadonlyMap<StepEvent, number>;
}

/**
 * Follows a run through its rollbacks: a restore takes back every step after it, and a step that is done
 * again takes back its earlier self. A training job that gave up leaves its newest committed checkpoint.
 */
export function lineageOf(record: RunRecord): Lineage {
  const survivors: StepEvent[] = [];
  const droppedAtUs = new Map<StepEvent, number>();
  const takeBack = (downToStep: number, atUs: number): void => {
    while ((survivors.at(-1)?.step ?? 0) > downToStep) {
      const step = survivors.pop();
      if (step !== undefined) droppedAtUs.set(step, atUs);
    }
  };
  for (const event of record.events) {
    if (event.kind === "step") {
      takeBack(event.step - 1, event.atUs);
      survivors.push(event);
    } else if (event.kind === "restore" && event.phase === "done") {
      takeBack(event.step, event.atUs);
    } else if (event.kind === "give-up" && record.plan.workload.kind === "training") {
      takeBack(newestCommitted(record.events, event.atUs), event.atUs);
    }
  }
  return { survivors, dropped: [...droppedAtUs.keys()], droppedAtUs };
}

/** The step of the newest checkpoint that was committed and that nobody refused; 0 without one. */
function newestCommitted(events: readonly JobEvent[], untilUs: number): number {
  const committed = new Set<number>();
  for (const event of events) {
    if (event.atUs > untilUs) break;
    if (event.kind === "save" && event.phase === "committed") committed.add(event.step);
    if (event.kind === "restore" && event.phase === "refused") committed.delete(event.step);
  }
  return [...committed].reduce((newest, step) => Math.max(newest, step), 0);
}

/** When the job itself was over: afterwards faults are undone and the world is looked at. */
export function jobEndUs(record: RunRecord): number {
  const end = record.events.findLast(({ kind }) => kind === "finish" || kind === "give-up");
  return end?.atUs ?? record.endUs;
}
