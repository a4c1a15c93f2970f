import assert from "node:assert/strict";
import type { ChaosPlan } from "../plan/index.ts";
import { type Attempt, Attempts, type FailsHow } from "./attempts.ts";
import { takeAwayFaults, takeAwayOneByOne } from "./fewer-faults.ts";
import { makeMilder } from "./milder-faults.ts";
import { roundTimes } from "./rounder-times.ts";
import { makeWorldSmaller } from "./smaller-world.ts";

export interface MinimiseOptions {
  /** Runs of plans, the first and the last look included. @default 80 */
  readonly runsMax?: number;
  /** Runs at once; changes how long it takes, never what comes out. @default 1 */
  readonly parallel?: number;
  /**
   * Plans that may be tried; others are passed over without a run. Keeps what the plan expects true: a
   * smaller job must still be one that the claim is about. @default all
   */
  readonly admits?: (plan: ChaosPlan) => boolean;
  readonly signal?: AbortSignal;
  readonly onAttempt?: (attempt: Attempt) => void;
}

export interface Minimised {
  /**
   * `minimised`: the plan fails the same way as the first did, looked at twice. `passes`: the first did
   * not fail. `flaky`: a plan failed in one run and not, or otherwise, in another: nothing is proven.
   */
  readonly outcome: "minimised" | "passes" | "flaky";
  readonly plan: ChaosPlan;
  readonly signature: string | null;
  readonly runs: number;
  /** It was shown of every single fault that without it the plan does not fail this way. */
  readonly isMinimal: boolean;
  readonly history: readonly Attempt[];
}

/**
 * The smallest plan that fails the same way: first fewer faults, then milder ones, then a smaller world,
 * then rounder times. A plan says everything that happens by choice; the simulator has no further choices
 * that could be made smaller. Deterministic as long as `fails` is.
 */
export async function minimise(
  plan: ChaosPlan,
  fails: FailsHow,
  options: MinimiseOptions = {},
): Promise<Minimised> {
  const { runsMax = 80, parallel = 1, admits = () => true, signal, onAttempt } = options;
  assert(Number.isSafeInteger(runsMax) && runsMax >= 3, "two looks first and one at the end");
  const signature = await fails(plan);
  const attempts = new Attempts(plan, {
    fails,
    signature: signature ?? "",
    runsMax,
    parallel,
    admits,
    signal,
    onAttempt,
  });
  attempts.note("as it is", signature, signature !== null);
  const done = (outcome: Minimised["outcome"], isMinimal = false): Minimised => {
    const { current, runs, history } = attempts;
    return { outcome, plan: current, signature, runs, isMinimal, history };
  };
  if (signature === null) return done("passes");
  if ((await attempts.again("as it is, once more")) !== signature) return done("flaky");
  attempts.learn(plan, signature);
  try {
    const isMinimal = await makeSmaller(attempts);
    attempts.phase = "check";
    if (attempts.current === plan) return done("minimised", isMinimal);
    const last = await attempts.again("the result, once more");
    return last === signature ? done("minimised", isMinimal) : done("flaky");
  } finally {
    await attempts.settle();
  }
}

async function makeSmaller(attempts: Attempts): Promise<boolean> {
  attempts.phase = "faults";
  await takeAwayFaults(attempts);
  let isMinimal = await takeAwayOneByOne(attempts);
  const before = attempts.current;
  attempts.phase = "parameters";
  await makeMilder(attempts);
  attempts.phase = "world";
  await makeWorldSmaller(attempts);
  attempts.phase = "times";
  await roundTimes(attempts);
  // In a smaller world fewer faults may do.
  attempts.phase = "faults";
  if (attempts.current !== before) isMinimal = await takeAwayOneByOne(attempts);
  return isMinimal;
}
