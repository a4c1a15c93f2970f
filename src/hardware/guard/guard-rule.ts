import type { FaultAction } from "../objects/index.ts";
import type { GuardFacts, GuardRequest, Known } from "./guard-facts.ts";
import type { GuardLimits } from "./guard-limits.ts";

export type GuardVerdict = "ok" | "warn" | "refuse";

/** What one rule says about a fault. */
export interface GuardFinding {
  readonly rule: string;
  readonly verdict: GuardVerdict;
  readonly reason: string;
}

/** All that a rule sees. */
export interface GuardCase<A extends FaultAction = FaultAction> {
  readonly request: GuardRequest;
  readonly action: A;
  readonly facts: GuardFacts;
  readonly limits: GuardLimits;
}

export type Ruling = Omit<GuardFinding, "rule">;

/** Undefined: the rule has nothing to do with such a fault. */
export type GuardRule = (guardCase: GuardCase) => Ruling | undefined;

export function ok(reason: string): Ruling {
  return { verdict: "ok", reason };
}

export function warn(reason: string): Ruling {
  return { verdict: "warn", reason };
}

export function refuse(reason: string): Ruling {
  return { verdict: "refuse", reason };
}

/** Judges by something that is known, and refuses where it is not. */
export function judging<T>(what: string, fact: Known<T>, judge: (value: T) => Ruling): Ruling {
  return fact.known ? judge(fact.value) : refuse(`${what} cannot be read: ${fact.problem}`);
}
