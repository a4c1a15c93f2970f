import type { JobEvent, RunRecord } from "../record/index.ts";
import { jobEndUs, type Lineage, type StepEvent } from "./lineage.ts";

/** Where the time of a job can go; all of it goes to one of these. */
export const timeUses = [
  /** Steps that stayed. */
  "productive",
  /** Until the first ranks agreed. */
  "startup",
  /** Saves that everybody waits for. */
  "save",
  /** From the effect of a fault until all have loaded. */
  "recovery",
  /** Steps that were done and did not stay, and the beginning of steps that were not ended. */
  "wasted",
  /** Waiting for a person. */
  "paused",
  /** After the last step. */
  "other",
] as const;
export type TimeUse = (typeof timeUses)[number];

export interface TimeSpan {
  readonly fromUs: number;
  readonly toUs: number;
  readonly use: TimeUse;
  /** The step that it was spent on, and how long that took in all. */
  readonly step?: StepEvent;
  readonly stepUs?: number;
}

export interface TimeSplit {
  /** One after the other, from the start of the workload to the end of the job. */
  readonly spans: readonly TimeSpan[];
  readonly totalsUs: Readonly<Record<TimeUse, number>>;
  readonly wallUs: number;
  /** Of every step whose begin is known, whether it stayed or not. */
  readonly stepsUs: readonly number[];
}

/** What the time of a job went to, from its events alone. */
export function timeSplitOf(record: RunRecord, lineage: Lineage): TimeSplit {
  const wallUs = jobEndUs(record);
  const walk = new TimeWalk(record, lineage);
  for (const event of record.events) {
    if (event.atUs > wallUs) break;
    walk.meet(event);
  }
  walk.end(wallUs);
  const totalsUs = Object.fromEntries(timeUses.map((use) => [use, 0])) as Record<TimeUse, number>;
  for (const { fromUs, toUs, use } of walk.spans) totalsUs[use] += toUs - fromUs;
  return { spans: walk.spans, totalsUs, wallUs, stepsUs: walk.stepsUs };
}

interface Stretch {
  readonly fromUs: number;
  readonly toUs: number;
}

type Mode = "startup" | "computing" | "saving" | "recovering" | "paused";

class TimeWalk {
  readonly spans: TimeSpan[] = [];
  readonly stepsUs: number[] = [];
  readonly #lineage: Lineage;
  readonly #effectsUs: readonly number[];
  readonly #savesBlock: boolean;
  /** Of a step that has not ended yet. */
  #open: Stretch[] = [];
  #mode: Mode = "startup";
  /** Of the save that is under way. */
  #savedStep = 0;
  #atUs = 0;

  constructor(record: RunRecord, lineage: Lineage) {
    const { workload } = record.plan;
    this.#lineage = lineage;
    this.#savesBlock = workload.kind !== "training" || !workload.checkpoint.asynchronous;
    this.#effectsUs = record.injections
      .flatMap(({ effectUs }) => (effectUs === null ? [] : [effectUs]))
      .toSorted((a, b) => a - b);
  }

  meet(event: JobEvent): void {
    switch (event.kind) {
      case "generation":
        this.#spend(this.#mode === "startup" ? "startup" : "recovery", event.atUs);
        this.#mode = event.generation === 1 ? "computing" : "recovering";
        return;
      case "restore":
        if (event.phase !== "done") return;
        this.#spend(this.#mode === "startup" ? "startup" : "recovery", event.atUs);
        this.#mode = "computing";
        return;
      case "step":
        this.#endStep(event);
        return;
      case "save":
        this.#save(event);
        return;
      case "detect":
        // Who got notice goes on until all can stop at one step.
        if (event.by !== "notice") this.#stop(event.atUs);
        return;
      case "isolate":
        this.#stop(event.atUs);
        return;
      case "pause":
        this.#spend("recovery", event.atUs);
        this.#mode = "paused";
        return;
      case "resume":
        this.#spend("paused", event.atUs);
        this.#mode = "recovering";
        return;
      default:
    }
  }

  end(atUs: number): void {
    if (this.#mode === "computing" && !this.#isHit(atUs)) this.#spend("other", atUs);
    else if (this.#mode === "paused") this.#spend("paused", atUs);
    else if (this.#mode === "startup") this.#spend("startup", atUs);
    else this.#stop(atUs);
  }

  /** True when something broke since the last step ended. */
  #isHit(atUs: number): boolean {
    const fromUs = this.#open[0]?.fromUs ?? this.#atUs;
    return this.#effectsUs.some((effectUs) => effectUs >= fromUs && effectUs <= atUs);
  }

  /** Everything until now went to this; of an unfinished step as well. */
  #spend(use: TimeUse, atUs: number): void {
    for (const { fromUs, toUs } of this.#take(atUs)) this.spans.push({ fromUs, toUs, use });
  }

  #take(atUs: number): readonly Stretch[] {
    const taken = this.#open;
    if (atUs > this.#atUs) taken.push({ fromUs: this.#atUs, toUs: atUs });
    this.#open = [];
    this.#atUs = Math.max(this.#atUs, atUs);
    return taken;
  }

  #endStep(event: StepEvent): void {
    if (this.#mode === "saving" && event.step <= this.#savedStep) {
      // The first rank saves while word of the last one's step is still on its way.
      this.#stepTook(event, this.#open);
      this.#open = [];
      return;
    }
    if (this.#mode === "computing" || this.#mode === "saving") {
      this.#stepTook(event, this.#take(event.atUs));
    } else {
      // Without word of when it began, a step is part of what came before it.
      this.#spend(this.#mode === "startup" ? "startup" : "recovery", event.atUs);
    }
    this.#mode = "computing";
  }

  #stepTook(event: StepEvent, taken: readonly Stretch[]): void {
    const use = this.#lineage.droppedAtUs.has(event) ? "wasted" : "productive";
    const stepUs = taken.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0);
    this.stepsUs.push(stepUs);
    for (const { fromUs, toUs } of taken) {
      this.spans.push({ fromUs, toUs, use, step: event, stepUs });
    }
  }

  #save(event: Extract<JobEvent, { kind: "save" }>): void {
    if (!this.#savesBlock) return;
    if (event.phase === "begun" && this.#mode === "computing") {
      this.#open = [...this.#take(event.atUs)];
      this.#mode = "saving";
      this.#savedStep = event.step;
    } else if (event.phase !== "begun" && this.#mode === "saving") {
      const open = this.#open;
      this.#open = [];
      this.#spend("save", event.atUs);
      this.#open = open;
      this.#mode = "computing";
    }
  }

  /** Nobody goes on. The step under way is lost; from the effect of the fault on, it is recovery. */
  #stop(atUs: number): void {
    if (this.#mode === "startup") {
      this.#spend("startup", atUs);
    } else if (this.#mode === "recovering" || this.#mode === "paused") {
      this.#spend(this.#mode === "paused" ? "paused" : "recovery", atUs);
    } else {
      const spans = this.#take(atUs);
      const sinceUs = spans[0]?.fromUs ?? atUs;
      const effectUs = this.#effectsUs.find((one) => one >= sinceUs && one <= atUs) ?? atUs;
      for (const { fromUs, toUs } of spans) {
        const cutUs = Math.min(Math.max(effectUs, fromUs), toUs);
        if (cutUs > fromUs) this.spans.push({ fromUs, toUs: cutUs, use: "wasted" });
        if (toUs > cutUs) this.spans.push({ fromUs: cutUs, toUs, use: "recovery" });
      }
    }
    this.#mode = "recovering";
  }
}
