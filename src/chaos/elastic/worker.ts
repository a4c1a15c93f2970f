import assert from "node:assert/strict";
import { tagOfStep } from "./checkpoint-tag.ts";
import type { WorkerOptions } from "./job-options.ts";
import type { StepNews, ToWorker, TroubleCause } from "./messages.ts";
import { StepWords } from "./step-words.ts";
import type { Worker, WorkerPort } from "./worker-port.ts";

/**
 * The part of one rank. It decides what comes next; the port does it.
 * @param words shared by the ranks of one program. @default its own
 */
export function createWorker(
  options: WorkerOptions,
  port: WorkerPort,
  words: StepWords = new StepWords(),
): Worker {
  return new RankWorker(options, port, words);
}

class RankWorker implements Worker {
  readonly #options: WorkerOptions;
  readonly #port: WorkerPort;
  readonly #words: StepWords;
  #phase: Worker["phase"] = "idle";
  #generation = 0;
  #rank = -1;
  #step = 0;
  #stateDigest: (() => string) | null = null;
  /** No step after this one is begun: the end of the job, or where all stop before a part is taken away. */
  #lastStep: number;
  #isHeld = false;
  /** A save that was asked for, beside those of the rule. */
  #saveAtStep = -1;
  #comparedStep = -1;
  #saveBegunStep = -1;
  #saveInFlight = false;
  #isTroubled = false;

  constructor(options: WorkerOptions, port: WorkerPort, words: StepWords) {
    this.#options = options;
    this.#port = port;
    this.#words = words;
    this.#lastStep = options.steps;
  }

  get phase(): Worker["phase"] {
    return this.#phase;
  }

  get generation(): number {
    return this.#generation;
  }

  get rank(): number {
    return this.#rank;
  }

  get step(): number {
    return this.#step;
  }

  start(): void {
    assert(this.#phase === "idle" && this.#generation === 0, "a worker starts once");
    this.#port.send({ type: "hello" });
  }

  message(message: ToWorker): void {
    switch (message.type) {
      case "assign":
        this.#reset();
        this.#generation = message.assignment.generation;
        this.#rank = message.assignment.rank;
        this.#phase = "joining";
        this.#port.join(message.assignment);
        return;
      case "restore":
        if (message.generation !== this.#generation || this.#phase === "drained") return;
        // Again, when somebody refused the one that was tried before.
        this.#reset();
        this.#phase = "restoring";
        this.#port.restore(message.tag);
        return;
      case "preempt":
        this.#hold();
        return;
      case "go-to":
        if (message.generation === this.#generation) this.#goTo(message.step, message.save);
        return;
      case "abort":
        if (message.generation !== this.#generation) return;
        this.#reset();
        this.#phase = "drained";
        this.#port.send({ type: "drained", generation: this.#generation });
        return;
      case "stop":
        this.#reset();
        this.#phase = "done";
        this.#port.exit(0);
    }
  }

  joined(): void {
    assert(this.#phase === "joining", "joined without an order to join");
    this.#phase = "waiting";
    this.#port.send({ type: "joined", generation: this.#generation });
  }

  restored(step: number, stateDigest: () => string): void {
    assert(this.#phase === "restoring", "restored without an order to restore");
    this.#step = step;
    this.#stateDigest = stateDigest;
    this.#comparedStep = step;
    this.#saveBegunStep = step;
    this.#port.send({ type: "restored", generation: this.#generation, step });
    this.#next();
  }

  refused(tag: string, reason: string): void {
    assert(this.#phase === "restoring", "refused without an order to restore");
    this.#phase = "waiting";
    this.#port.send({ type: "refused", generation: this.#generation, tag, reason });
  }

  stepped(report: StepNews, stateDigest: () => string): void {
    // Once per rank and step: a call of assert would cost more than all the rest.
    if (this.#phase !== "training") assert.fail("a step was done that nobody began");
    if (report.step !== this.#step + 1) assert.fail("steps follow each other");
    this.#step = report.step;
    this.#stateDigest = stateDigest;
    this.#port.send(this.#words.of(this.#generation, report));
    this.#next();
  }

  compared(): void {
    assert(this.#phase === "comparing", "compared without having begun to");
    this.#comparedStep = this.#step;
    this.#next();
  }

  saved(tag: string, step: number): void {
    this.#saveEnded();
    // The others know only that their own part was written.
    if (this.#rank === 0) this.#tellSave("committed", { tag, step });
    if (this.#phase === "saving") this.#next();
  }

  saveFailed(tag: string, step: number, reason: string): void {
    this.#saveEnded();
    this.#tellSave("failed", { tag, step, reason });
    if (this.#phase === "saving") this.#next();
  }

  troubled(cause: TroubleCause, suspects: readonly number[], reason: string): void {
    assert(this.#generation > 0 && this.#phase !== "drained", "trouble with nothing under way");
    this.#isTroubled = true;
    this.#phase = "waiting";
    const generation = this.#generation;
    this.#port.send({ type: "trouble", generation, cause, suspects, reason });
  }

  /** Whatever was under way is over, and so is all that was agreed about it. */
  #reset(): void {
    this.#port.cancel();
    this.#stateDigest = null;
    this.#saveInFlight = false;
    this.#saveAtStep = -1;
    this.#isTroubled = false;
    this.#isHeld = false;
    this.#lastStep = this.#options.steps;
  }

  /** After a step: compare, save, stop or go on. Where replicas compare, nothing is saved without it. */
  #next(): void {
    if (this.#isComparisonDue()) {
      this.#phase = "comparing";
      this.#port.compare();
      return;
    }
    if (this.#isSaveDue() && !this.#save()) return;
    if (this.#step < this.#lastStep) {
      this.#phase = "training";
      this.#port.step();
    } else if (this.#step < this.#options.steps) {
      this.#phase = "waiting";
    } else {
      this.#finish();
    }
  }

  #isComparisonDue(): boolean {
    const { compareEverySteps: every } = this.#options;
    if (every === 0 || this.#comparedStep === this.#step) return false;
    return this.#step % every === 0 || this.#isSaveDue();
  }

  #isSaveDue(): boolean {
    if (this.#saveBegunStep === this.#step) return false;
    const { saveEverySteps: every } = this.#options;
    return this.#saveAtStep === this.#step || (every > 0 && this.#step % every === 0);
  }

  /** True when training goes on beside it. */
  #save(): boolean {
    // The one before is waited for: if some ranks skipped a save that others begin, it would never end.
    if (this.#saveInFlight) {
      this.#phase = "saving";
      return false;
    }
    const tag = tagOfStep(this.#step);
    this.#saveBegunStep = this.#step;
    this.#saveInFlight = true;
    if (this.#rank === 0) this.#tellSave("begun", { tag, step: this.#step });
    const goesOn = this.#options.asynchronousSaves;
    if (!goesOn) this.#phase = "saving";
    this.#port.save(tag);
    return goesOn;
  }

  #saveEnded(): void {
    assert(this.#saveInFlight, "a save ended that nobody began");
    this.#saveInFlight = false;
  }

  #tellSave(
    phase: "begun" | "committed" | "failed",
    about: { readonly tag: string; readonly step: number; readonly reason?: string },
  ): void {
    this.#port.send({ type: "save", generation: this.#generation, phase, ...about });
  }

  #finish(): void {
    if (this.#saveInFlight) {
      this.#phase = "saving";
      return;
    }
    assert(this.#stateDigest !== null, "a job that is done has a state");
    this.#phase = "done";
    const stateDigest = this.#stateDigest();
    this.#port.send({ type: "finished", generation: this.#generation, stateDigest });
  }

  #hold(): void {
    // Without a state it takes part in nothing yet; in trouble, no more.
    if (this.#isTroubled || this.#stateDigest === null) return;
    const begunStep = this.#phase === "training" ? this.#step + 1 : this.#step;
    this.#isHeld = true;
    this.#lastStep = begunStep;
    this.#port.send({ type: "holding", generation: this.#generation, step: begunStep });
  }

  #goTo(step: number, save: boolean): void {
    if (!this.#isHeld || this.#isTroubled || this.#phase === "done") return;
    assert(step >= this.#lastStep, "nobody is asked to stop before the step that was begun");
    this.#lastStep = Math.min(step, this.#options.steps);
    if (save) this.#saveAtStep = step;
    if (this.#phase === "waiting") this.#next();
  }
}
