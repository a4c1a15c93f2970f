import type { JobEvent, RunRecord } from "../../record/index.ts";

export type DetectEvent = Extract<JobEvent, { kind: "detect" }>;

/** A stretch in which a job was out of step, from the first word of it until it is back where it was. */
export interface Episode {
  readonly fromUs: number;
  readonly detects: readonly DetectEvent[];
  readonly isolateUs: number | null;
  readonly reformUs: number | null;
  readonly loadUs: number | null;
  /** Of the last attempt; those before it led nowhere. */
  readonly firstUs: number | null;
  /** The furthest step before it was reached again. */
  readonly regainUs: number | null;
  readonly wasPaused: boolean;
  readonly gaveUp: boolean;
  readonly ranksLost: readonly number[];
  /** Replicas before, and of the last generation that was formed; null: none was, or nobody said. */
  readonly dpBefore: number | null;
  readonly dpAfter: number | null;
  /** Members of the generations that were formed. */
  readonly ranksRestarted: number;
}

type Open = { -readonly [K in keyof Episode]: Episode[K] } & {
  readonly detects: DetectEvent[];
  readonly generation: number;
  readonly furthestStep: number;
  hasMoved: boolean;
};

/**
 * The episodes of a run. One that begins before the last was over belongs to it: faults that overlap make
 * one recovery, and its times are those of the attempt that worked.
 */
export function episodesOf(record: RunRecord): readonly Episode[] {
  const walk = new EpisodeWalk(record.events.some(({ kind }) => kind === "generation"));
  for (const event of record.events) walk.meet(event);
  return walk.end();
}

class EpisodeWalk {
  readonly #formsGenerations: boolean;
  readonly #episodes: Episode[] = [];
  #open: Open | null = null;
  #generation = 0;
  #dp: number | null = null;
  #furthestStep = 0;
  /** The first step since somebody last noticed something. */
  #stepSinceDetectUs: number | null = null;

  constructor(formsGenerations: boolean) {
    this.#formsGenerations = formsGenerations;
  }

  meet(event: JobEvent): void {
    switch (event.kind) {
      case "detect":
        this.#stepSinceDetectUs = null;
        this.#opened(event.atUs).detects.push(event);
        return;
      case "isolate":
        this.#move(event.atUs, { isolateUs: event.atUs, ranksLost: event.ranks });
        return;
      case "pause":
        this.#opened(event.atUs).wasPaused = true;
        return;
      case "generation":
        this.#formed(event);
        return;
      case "restore":
        this.#restored(event);
        return;
      case "step":
        this.#stepped(event);
        return;
      case "give-up":
        this.#opened(event.atUs).gaveUp = true;
        this.#close();
        return;
      case "finish":
        this.#finished(event.atUs);
        return;
      default:
    }
  }

  end(): readonly Episode[] {
    this.#close();
    return this.#episodes;
  }

  #opened(atUs: number): Open {
    this.#open ??= {
      fromUs: atUs,
      detects: [],
      isolateUs: null,
      reformUs: null,
      loadUs: null,
      firstUs: null,
      regainUs: null,
      wasPaused: false,
      gaveUp: false,
      ranksLost: [],
      dpBefore: this.#dp,
      dpAfter: null,
      ranksRestarted: 0,
      generation: this.#generation,
      furthestStep: this.#furthestStep,
      hasMoved: false,
    };
    return this.#open;
  }

  /** An attempt to go on. What an earlier one had reached is void. */
  #move(atUs: number, reached: Partial<Episode>): Open {
    const open = this.#opened(atUs);
    open.hasMoved = true;
    if (reached.isolateUs !== undefined) open.reformUs = null;
    if (reached.isolateUs !== undefined || reached.reformUs !== undefined) open.loadUs = null;
    open.firstUs = null;
    return Object.assign(open, reached);
  }

  #formed({ atUs, generation, ranks, dp }: Extract<JobEvent, { kind: "generation" }>): void {
    if (generation > 1) {
      const open = this.#move(atUs, { reformUs: atUs, dpAfter: dp });
      open.ranksRestarted += ranks;
    }
    this.#generation = generation;
    this.#dp = dp;
  }

  #restored(event: Extract<JobEvent, { kind: "restore" }>): void {
    // A job that begins from a checkpoint recovers from nothing.
    if (this.#open === null && this.#furthestStep === 0) return;
    this.#move(event.atUs, event.phase === "done" ? { loadUs: event.atUs } : {});
  }

  #stepped({ atUs, step, generation }: Extract<JobEvent, { kind: "step" }>): void {
    this.#stepSinceDetectUs ??= atUs;
    const open = this.#open;
    // Worlds without generations restart a job behind our back: it begins again at an earlier step.
    if (open === null && !this.#formsGenerations && step <= this.#furthestStep) {
      this.#move(atUs, {});
      this.#stepped({ kind: "step", atUs, step, generation, units: 0 });
      return;
    }
    if (open !== null && (!this.#formsGenerations || generation > open.generation)) {
      open.firstUs ??= atUs;
      if (step >= open.furthestStep) {
        open.regainUs = atUs;
        this.#close();
      }
    }
    this.#furthestStep = Math.max(this.#furthestStep, step);
  }

  /** Who has finished is back: no step was left to do, or the alarm led to nothing and the job went on as it was. */
  #finished(atUs: number): void {
    const open = this.#open;
    if (open !== null) {
      open.firstUs ??= open.hasMoved ? atUs : this.#stepSinceDetectUs;
      open.regainUs ??= open.hasMoved ? atUs : this.#stepSinceDetectUs;
    }
    this.#close();
  }

  #close(): void {
    if (this.#open === null) return;
    const { generation: _, furthestStep: __, hasMoved: ___, ...episode } = this.#open;
    this.#episodes.push(episode);
    this.#open = null;
  }
}
