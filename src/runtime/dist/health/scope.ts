import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { type ActiveBreakage, activate } from "./active.ts";
import type { Breakage } from "./breakage.ts";
import { checked } from "./checked.ts";
import type { Effect } from "./effect.ts";
import { type Health, healthOf } from "./health.ts";

/** Enough for any experiment; more in one context is a scope that nobody ends. */
const breakagesMax = 10_000;

// Each async context has its own list. Lists are never changed, only replaced, so that what one
// context breaks cannot be seen in another; the flag of each breakage is shared, so that whatever
// a scope started sees its end too.
const inForce = new AsyncLocalStorage<readonly ActiveBreakage[]>();

/** Things that are broken together, and what that did so far. */
export interface Broken {
  /** How often operations failed, were slowed or came out wrong by it. */
  readonly met: number;
  /** The first thousand of them for each thing that is broken. */
  effects(): readonly Effect[];
}

/** What is broken here and now: in this async context. */
export function currentHealth(): Health {
  return healthOf(inForce.getStore() ?? []);
}

/**
 * Breaks something in this async context and in what it starts from now on, until the result is
 * disposed of. Scopes may end in any order; ending one twice is ending it once.
 *
 * Code before the first `await` of an async function shares the context of its caller: tasks that
 * run at the same time and must not see each other's breakages use `breakDuring`.
 */
export function breakNow(breakage: Breakage | readonly Breakage[]): Broken & Disposable {
  const active = activated(breakage);
  inForce.enterWith(withMore(active));
  const broken = brokenBy(active);
  return {
    get met() {
      return broken.met;
    },
    effects: broken.effects,
    [Symbol.dispose]: () => {
      end(active);
      inForce.enterWith(stillActive());
    },
  };
}

/**
 * Breaks something while `fn` runs; when it returns a promise, until that settles. The caller's own
 * context is left as it is.
 */
export function breakDuring<T>(
  breakage: Breakage | readonly Breakage[],
  fn: (broken: Broken) => T,
): T {
  const active = activated(breakage);
  let result: T;
  try {
    result = inForce.run(withMore(active), () => fn(brokenBy(active)));
  } catch (error) {
    end(active);
    throw error;
  }
  if (!(result instanceof Promise)) {
    end(active);
    return result;
  }
  return result.finally(() => end(active)) as T;
}

function activated(breakage: Breakage | readonly Breakage[]): readonly ActiveBreakage[] {
  const all: readonly Breakage[] = "kind" in breakage ? [breakage] : breakage;
  return all.map((one) => activate(checked(one)));
}

function end(active: readonly ActiveBreakage[]): void {
  for (const one of active) one.ended = true;
}

function brokenBy(active: readonly ActiveBreakage[]): Broken {
  return {
    get met() {
      return active.reduce((sum, one) => sum + one.met, 0);
    },
    effects: () => active.flatMap(({ effects }) => effects),
  };
}

function stillActive(): readonly ActiveBreakage[] {
  return (inForce.getStore() ?? []).filter(({ ended }) => !ended);
}

function withMore(more: readonly ActiveBreakage[]): readonly ActiveBreakage[] {
  const all = [...stillActive(), ...more];
  assert(all.length <= breakagesMax, "breakages are ended by whoever began them");
  return all;
}
