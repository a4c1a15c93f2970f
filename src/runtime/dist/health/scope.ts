import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import type { Breakage, Side } from "./breakage.ts";
import { type ActiveBreakage, activate, type Health, healthOf } from "./health.ts";

/** Enough for any experiment; more in one context is a scope that nobody ends. */
const breakagesMax = 10_000;

// Each async context has its own list. Lists are never changed, only replaced, so that what one
// context breaks cannot be seen in another; the flag of each breakage is shared, so that whatever
// a scope started sees its end too.
const inForce = new AsyncLocalStorage<readonly ActiveBreakage[]>();

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
export function breakNow(breakage: Breakage): Disposable {
  const active = activate(checked(breakage));
  inForce.enterWith(withMore([active]));
  return {
    [Symbol.dispose]: () => {
      active.ended = true;
      inForce.enterWith(stillActive());
    },
  };
}

/**
 * Breaks something while `fn` runs; when it returns a promise, until that settles. The caller's own
 * context is left as it is.
 */
export function breakDuring<T>(breakage: Breakage | readonly Breakage[], fn: () => T): T {
  const all: readonly Breakage[] = "kind" in breakage ? [breakage] : breakage;
  const active = all.map((one) => activate(checked(one)));
  const end = () => {
    for (const one of active) one.ended = true;
  };
  let result: T;
  try {
    result = inForce.run(withMore(active), fn);
  } catch (error) {
    end();
    throw error;
  }
  if (!(result instanceof Promise)) {
    end();
    return result;
  }
  return result.finally(end) as T;
}

function stillActive(): readonly ActiveBreakage[] {
  return (inForce.getStore() ?? []).filter(({ ended }) => !ended);
}

function withMore(more: readonly ActiveBreakage[]): readonly ActiveBreakage[] {
  const all = [...stillActive(), ...more];
  assert(all.length <= breakagesMax, "breakages are ended by whoever began them");
  return all;
}

/** What a caller inside Tessera must have made sure of already. */
function checked(breakage: Breakage): Breakage {
  if (breakage.kind === "slow") {
    assert(breakage.factor >= 1 && Number.isFinite(breakage.factor), "a slowdown is from 1");
  }
  if (breakage.kind === "corrupt") {
    assert(
      Number.isSafeInteger(breakage.element) && breakage.element >= 0,
      "an element has an index",
    );
    assert(Number.isInteger(breakage.bit) && breakage.bit >= 0, "a bit has a number from 0");
  }
  if (breakage.kind === "cut") {
    assert(
      breakage.sides !== undefined || breakage.links !== undefined,
      "a cut names sides or links",
    );
  }
  if (breakage.kind === "cut" || breakage.kind === "slow") breakage.sides?.forEach(checkSide);
  return breakage;
}

function checkSide(side: Side): void {
  if ("devices" in side) return;
  const [from, to] = "range" in side ? side.range : "nodes" in side ? side.nodes : side.deviceRange;
  assert(Number.isSafeInteger(from) && Number.isSafeInteger(to), "a range is of whole numbers");
  assert(from >= 0 && from <= to, "a range goes up from 0");
}
