import {
  type Choice,
  type Fleet,
  type Openings,
  type Policy,
  type PublicEvent,
  secondsPerDay,
  secondsPerHour,
} from "../policy.ts";
import { Account } from "./account.ts";
import { FleetBelief } from "./fleet-belief.ts";
import { Gaps } from "./gaps.ts";
import { type RiskOptions, resolveRiskOptions } from "./options.ts";
import { Pace } from "./pace.ts";
import { explainRisk } from "./reason.ts";
import { StaleShadow } from "./stale-shadow.ts";
import { Worth, type Worthy } from "./worth.ts";

/** Rates are learned anew after a day, then whenever the log has grown by this share. */
const learnAfterShare = 0.1;

/**
 * The risk policy: tests where a check is most likely to find a defect for its GPU-hours, and keeps
 * GPU-hours back for evidence that is still to come. docs/policies.md describes it.
 */
export function createRiskPolicy(fleet: Fleet, options: RiskOptions = {}): Policy {
  return new RiskPolicy(fleet, options, false);
}

/** The risk policy on a cluster that goes on: what it does depends on what happened alone. */
export interface LiveRiskPolicy extends Policy {
  /** A result from before the first event: it has an age and nothing more. */
  noteAge(node: number, check: number, testedS: number): void;
  /** Learns from everything seen; to be called at the beginning of a day. */
  learn(nowS: number): void;
  /** What testing a pair would be worth now, and what it must be worth; hours per GPU-hour. */
  standing(
    pair: { readonly node: number; readonly check: number },
    at: { readonly nowS: number; readonly gpuHoursToday: number },
  ): { readonly worth: number; readonly price: number };
}

/**
 * The risk policy for a loop that is stopped and started: the usual price is worked out instead of
 * found by asking, rates are learned when told, and what it explores goes by the hour. Spends the daily limit.
 */
export function createLiveRiskPolicy(
  fleet: Fleet,
  options: Omit<RiskOptions, "spend"> = {},
): LiveRiskPolicy {
  return new RiskPolicy(fleet, { ...options, spend: "budget" }, true);
}

class RiskPolicy implements LiveRiskPolicy {
  readonly name = "risk";
  readonly #fleet: Fleet;
  readonly #options: Required<RiskOptions>;
  readonly #isLive: boolean;
  readonly #belief: FleetBelief;
  readonly #gaps: Gaps;
  readonly #worth: Worth;
  readonly #account: Account;
  readonly #shadow: StaleShadow | undefined;
  readonly #pace: Pace;
  #explored = 0;
  #learnAtS: number;

  constructor(fleet: Fleet, options: RiskOptions, isLive: boolean) {
    this.#fleet = fleet;
    this.#isLive = isLive;
    this.#options = resolveRiskOptions(options);
    this.#belief = new FleetBelief(fleet);
    this.#gaps = new Gaps(fleet.nodes.length, fleet.startS);
    this.#worth = new Worth(fleet, this.#belief, this.#gaps);
    this.#account = new Account(fleet);
    const shadow = this.#options.spend === "stale" ? new StaleShadow(fleet) : undefined;
    this.#shadow = shadow;
    this.#pace = new Pace(fleet, () => shadow?.forecast() ?? Number.POSITIVE_INFINITY);
    this.#learnAtS = fleet.startS + secondsPerDay;
    if (isLive) this.#pace.setUsual(this.#worth.steadyPrice());
  }

  observe(event: PublicEvent): void {
    this.#shadow?.observe(event);
    if (event.type === "free") this.#gaps.setFree(event.node, event.t);
    if (event.type === "busy" && !this.#belief.isBusy(event.node)) {
      this.#gaps.setBusy(event.node, event.t);
    }
    if (event.type === "tested") {
      this.#account.observe(event);
      if (event.outcome !== "preempted") this.#worth.tested(event.node, event.check, event.t);
    }
    for (const node of this.#belief.observe(event)) this.#worth.renewNode(node);
  }

  choose(openings: Openings): Choice | undefined {
    const { nowS } = openings;
    this.#shadow?.advance(nowS);
    if (!this.#isLive && nowS >= this.#learnAtS) this.#learnMore(nowS);
    const today = this.#fleet.limits.gpuHoursPerDay - openings.gpuHoursLeft;
    const spent = { total: this.#account.gpuHours, today };
    return this.#explore(openings, spent) ?? this.#followRisk(openings, spent);
  }

  noteAge(node: number, check: number, testedS: number): void {
    this.#worth.tested(node, check, testedS);
  }

  learn(nowS: number): void {
    this.#belief.fitAfresh(nowS);
    this.#worth.renew();
    this.#pace.setUsual(this.#worth.steadyPrice());
  }

  standing(
    { node, check }: { readonly node: number; readonly check: number },
    at: { readonly nowS: number; readonly gpuHoursToday: number },
  ): { readonly worth: number; readonly price: number } {
    const spent = { total: this.#account.gpuHours, today: at.gpuHoursToday };
    const price = this.#pace.priceAt(at.nowS, spent);
    return { worth: this.#worth.of(node, check, at.nowS), price };
  }

  #followRisk(openings: Openings, spent: { total: number; today: number }): Choice | undefined {
    const bySlot = this.#pace.isShortOfSlots(openings.nowS, spent);
    const best = this.#worth.best(openings, { bySlot });
    if (best === undefined) return undefined;
    if (!this.#isLive) this.#pace.settle(openings.nowS, spent, best.worth);
    const price = this.#pace.priceAt(openings.nowS, spent);
    if (best.worth < price) return undefined;
    const { node, check } = best;
    this.#begin(best, openings.nowS);
    const grounds = { fleet: this.#fleet, belief: this.#belief, chosen: best, price };
    return { node, check, reason: explainRisk(grounds) };
  }

  /** The oldest result, when that is due and nothing is taken from fresh evidence by it. */
  #explore(openings: Openings, spent: { total: number; today: number }): Choice | undefined {
    const { explorationShare, staleFloorDays } = this.#options;
    const isTurn = this.#isLive
      ? isExploringHour(openings.nowS, explorationShare)
      : this.#explored < explorationShare * spent.total;
    if (!isTurn) return undefined;
    if (!this.#pace.isBehind(openings.nowS, spent)) return undefined;
    const stalest = this.#worth.stalest(openings, staleFloorDays);
    if (stalest === undefined) return undefined;
    const { node, check } = stalest;
    this.#explored += this.#worth.costOf(node, check);
    this.#begin(stalest, openings.nowS);
    return { node, check, reason: () => `the oldest result, over ${staleFloorDays} d` };
  }

  #begin({ node, check }: Worthy, nowS: number): void {
    this.#account.begin(node, this.#worth.costOf(node, check), nowS);
  }

  #learnMore(nowS: number): void {
    this.#belief.refit(nowS);
    this.#worth.renew();
    const elapsedS = nowS - this.#fleet.startS;
    this.#learnAtS = nowS + Math.max(secondsPerDay, learnAfterShare * elapsedS);
  }
}

/** One hour in so many is for what is oldest; the cycle wanders through the day. */
function isExploringHour(nowS: number, share: number): boolean {
  if (share <= 0) return false;
  const every = Math.max(1, Math.round(1 / share));
  return Math.floor(nowS / secondsPerHour) % every === 0;
}
