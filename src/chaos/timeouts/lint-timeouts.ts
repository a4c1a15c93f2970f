import assert from "node:assert/strict";
import { formatDurationMs, parseDurationMs } from "../../platform/units/index.ts";
import type { Timeouts } from "../plan/index.ts";
import { nesting, type TimeoutRule, timeoutRules } from "./timeout-rules.ts";

/** One timeout, as somebody set it. */
export interface NamedTimeout {
  readonly name: string;
  readonly valueUs: number;
}

/** Two timeouts that do not fit together. */
export interface TimeoutFinding {
  readonly rule: string;
  /** The one that must end first, and the one that must outlast it. */
  readonly inner: NamedTimeout;
  readonly outer: NamedTimeout;
  /** What goes wrong as it is. */
  readonly why: string;
  /** What to set, in a sentence. */
  readonly set: string;
}

export interface TimeoutLint {
  readonly findings: readonly TimeoutFinding[];
  /** Pairs that were compared. None: nothing was proven. */
  readonly compared: number;
}

interface Pair {
  readonly rule: string;
  readonly inner: string;
  readonly outer: string;
  readonly times: number;
  readonly why: string;
}

/**
 * Which timeouts would cut the recovery of others short. Rules about timeouts that are not given are left
 * out.
 *
 * @param timeouts microseconds by name
 * @param order names of the user's own, from the innermost outwards: each must be below the next
 */
export function lintTimeouts(
  timeouts: ReadonlyMap<string, number>,
  order: readonly string[] = [],
): TimeoutLint {
  const findings: TimeoutFinding[] = [];
  let compared = 0;
  for (const pair of pairsOf(timeouts, order)) {
    const innerUs = timeouts.get(pair.inner);
    const outerUs = timeouts.get(pair.outer);
    if (innerUs === undefined || outerUs === undefined) continue;
    assert(innerUs >= 0 && outerUs >= 0, "a timeout is not negative");
    compared++;
    const fits = pair.times > 1 ? innerUs * pair.times <= outerUs : innerUs < outerUs;
    if (fits) continue;
    findings.push({
      rule: pair.rule,
      inner: { name: pair.inner, valueUs: innerUs },
      outer: { name: pair.outer, valueUs: outerUs },
      why: pair.why,
      set: remedy(pair, innerUs, outerUs),
    });
  }
  return { findings, compared };
}

/** The timeouts of a plan by the names of the rules. */
export function timeoutsByName(timeouts: Timeouts): ReadonlyMap<string, number> {
  return new Map([
    ["heartbeatEvery", timeouts.heartbeatEveryUs],
    ["heartbeat", timeouts.heartbeatUs],
    ["collective", timeouts.collectiveUs],
    ["rendezvous", timeouts.rendezvousUs],
    ["save", timeouts.saveUs],
    ["load", timeouts.loadUs],
    ["drain", timeouts.drainUs],
  ]);
}

function pairsOf(timeouts: ReadonlyMap<string, number>, order: readonly string[]): readonly Pair[] {
  const own = order.slice(1).map(
    (outer, at): Pair => ({
      rule: "order",
      inner: order[at] ?? "",
      outer,
      times: 1,
      why: "what is outside ends before what is inside could recover",
    }),
  );
  const ruled = timeoutRules.map(
    ({ times = 1, ...rule }: TimeoutRule): Pair => ({ ...rule, times }),
  );
  return [...nestedPairs(timeouts), ...ruled, ...own];
}

/** Each level with the next one outwards of which something is given. */
function nestedPairs(timeouts: ReadonlyMap<string, number>): readonly Pair[] {
  const levels = nesting
    .map(({ names, why }) => ({ names: names.filter((name) => timeouts.has(name)), why }))
    .filter(({ names }) => names.length > 0);
  return levels
    .slice(0, -1)
    .flatMap(({ names, why }, at) =>
      names.flatMap((inner) =>
        (levels[at + 1]?.names ?? []).map(
          (outer): Pair => ({ rule: "nesting", inner, outer, times: 1, why }),
        ),
      ),
    );
}

function remedy({ inner, outer, times }: Pair, innerUs: number, outerUs: number): string {
  const larger = `set ${outer} to ${times > 1 ? "at least" : "more than"} ${text(innerUs * times, Math.ceil)}`;
  const limitUs = outerUs / times;
  if (limitUs < 1000) return larger;
  return `${larger}, or ${inner} to ${times > 1 ? "at most" : "less than"} ${text(limitUs, Math.floor)}`;
}

/** For people, but never rounded to the wrong side: whoever sets what is said must be well. */
function text(valueUs: number, round: (value: number) => number): string {
  const shown = formatDurationMs(valueUs / 1000);
  return parseDurationMs(shown) * 1000 === valueUs ? shown : `${round(valueUs / 1000)} ms`;
}
