import { type Clock, sleep } from "../../platform/time/clock.ts";
import type { Mismatch, StressEngine } from "./engine.ts";

/** Work in steps, one after the other: what an engine on this host is made of. */
export interface StepWork
  extends Pick<
    StressEngine,
    "device" | "deviceName" | "description" | "work" | "verifies" | "facts"
  > {
  /** Carries one iteration out, counted from 0, and says what was wrong with it. */
  step(iteration: number, signal: AbortSignal): readonly Mismatch[] | Promise<readonly Mismatch[]>;
  /** Verifies what is left to verify. */
  finish?(): Promise<readonly Mismatch[]>;
  failureOf?(error: unknown): string | undefined;
  close?(): Promise<void>;
}

// A wait of no time costs a millisecond, which short steps should not pay each.
const yieldEveryMs = 20;

/** An engine of such steps; each is timed as a whole, its verification included. */
export function createStepEngine(work: StepWork, clock: Clock): StressEngine {
  let iteration = 0;
  let yieldedMs = Number.NEGATIVE_INFINITY;
  let closed: Promise<void> | undefined;
  const { device, deviceName, description, verifies, facts } = work;
  return {
    device,
    deviceName,
    description,
    work: work.work,
    verifies,
    facts,
    advance: async (aboutMs, signal) => {
      const iterationsMs: number[] = [];
      const mismatches: Mismatch[] = [];
      const startedMs = clock.monotonicMs();
      let nowMs = startedMs;
      do {
        // Lets timers and signals be heard between steps.
        if (nowMs - yieldedMs >= yieldEveryMs) {
          await sleep(clock, 0, signal);
          yieldedMs = clock.monotonicMs();
        }
        const stepMs = clock.monotonicMs();
        mismatches.push(...(await work.step(iteration++, signal)));
        nowMs = clock.monotonicMs();
        iterationsMs.push(nowMs - stepMs);
      } while (nowMs - startedMs < aboutMs);
      return { iterationsMs, wrong: mismatches.length, mismatches };
    },
    finish: async () => {
      const mismatches = (await work.finish?.()) ?? [];
      return { iterationsMs: [], wrong: mismatches.length, mismatches };
    },
    failureOf: (error) => work.failureOf?.(error),
    close: () => {
      closed ??= work.close?.() ?? Promise.resolve();
      return closed;
    },
  };
}
