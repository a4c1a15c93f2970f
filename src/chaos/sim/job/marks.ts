import type { JobEvent } from "../../record/index.ts";

/** What a campaign should see at least once; the words of `sometimes` events of a simulated training job. */
export const trainingMarks = [
  "recovered while a checkpoint was in flight",
  "restore fell back twice",
  "a checkpoint was refused",
  "went on from the beginning",
  "a spare took a place",
  "went on with fewer replicas",
  "paused and resumed",
  "preempted with a save",
  "corruption was caught by comparison",
  "a number that is none was caught",
  "a save failed and the job went on",
  "a further fault hit a recovery",
  "gave up",
] as const;
export type TrainingMark = (typeof trainingMarks)[number];

/** Knows the rare things when they happen. */
export class MarkWatch {
  readonly #mark: (mark: TrainingMark) => void;
  #isSaving = false;
  #wasSaving = false;
  #savedUnderNotice = false;
  #refusals = 0;
  #hasFailedSave = false;
  #dp = 0;

  constructor(mark: (mark: TrainingMark) => void) {
    this.#mark = mark;
  }

  /** A fault begins; `isRecovering`: while the job is busy with another one. */
  injected(isRecovering: boolean): void {
    if (isRecovering) this.#mark("a further fault hit a recovery");
  }

  noticed(): void {
    this.#savedUnderNotice = false;
  }

  usesSpare(): void {
    this.#mark("a spare took a place");
  }

  see(event: JobEvent): void {
    switch (event.kind) {
      case "save":
        this.#save(event.phase);
        return;
      case "detect":
        this.#wasSaving ||= this.#isSaving;
        if (event.by === "comparison") this.#mark("corruption was caught by comparison");
        if (event.by === "numerics") this.#mark("a number that is none was caught");
        if (event.by === "notice" && this.#savedUnderNotice) this.#mark("preempted with a save");
        return;
      case "generation":
        if (event.dp < this.#dp) this.#mark("went on with fewer replicas");
        this.#dp = event.dp;
        this.#refusals = 0;
        return;
      case "restore":
        this.#restore(event.phase, event.tag);
        return;
      case "resume":
        this.#mark("paused and resumed");
        return;
      case "step":
        if (this.#wasSaving) this.#mark("recovered while a checkpoint was in flight");
        if (this.#hasFailedSave) this.#mark("a save failed and the job went on");
        this.#wasSaving = false;
        this.#hasFailedSave = false;
        return;
      case "give-up":
        this.#mark("gave up");
        return;
      default:
    }
  }

  #save(phase: "begun" | "committed" | "failed"): void {
    this.#isSaving = phase === "begun";
    if (phase === "committed") this.#savedUnderNotice = true;
    if (phase === "failed") this.#hasFailedSave = true;
  }

  #restore(phase: "begun" | "done" | "refused" | "failed", tag: string | null): void {
    if (phase === "refused") {
      this.#refusals++;
      this.#mark("a checkpoint was refused");
      if (this.#refusals === 2) this.#mark("restore fell back twice");
    }
    if (phase === "done" && tag === null) this.#mark("went on from the beginning");
  }
}
