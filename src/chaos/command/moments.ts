import assert from "node:assert/strict";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Trigger } from "../plan/index.ts";

interface Waiting {
  readonly step: number;
  readonly resolve: () => void;
}

/** Tells when the moment of a fault has come, from the steps that a job tells of. */
export class Moments {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();
  #furthestStep = -1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A step is done; 0: the job was started. */
  reached(step: number): void {
    this.#furthestStep = Math.max(this.#furthestStep, step);
    for (const waiting of this.#waiting) {
      if (waiting.step > this.#furthestStep) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }

  /** Resolves when the moment has come. Rejects with the signal's reason. */
  async wait(trigger: Trigger, signal: AbortSignal): Promise<void> {
    switch (trigger.kind) {
      case "step":
        // It begins when the one before it is done.
        return this.#done(trigger.step - 1, signal);
      case "time":
        await this.#done(1, signal);
        return sleep(this.#clock, trigger.atUs / 1000, signal);
      default:
        assert.fail(`a ${trigger.kind} was refused`);
    }
  }

  #done(step: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (step <= this.#furthestStep) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        step,
        resolve: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}
