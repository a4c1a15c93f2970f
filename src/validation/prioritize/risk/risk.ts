import {
  type Choice,
  type Fleet,
  type Openings,
  type Policy,
  type PublicEvent,
  secondsPerDay,
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
  return new RiskPolicy(fleet, options);
}

class RiskPolicy implements Policy {
  readonly name = "risk";
  readonly #fleet: Fleet;
  readonly #options: Required<RiskOptions>;
  readonly #belief: FleetBelief;
  readonly #gaps: Gaps;
  readonly #worth: Worth;
  readonly #account: Account;
  readonly #shadow: StaleShadow | undefined;
  readonly #pace: Pace;
  #explored = 0;
  #learnAtS: number;

  constructor(fleet: Fleet, options: RiskOptions) {
    this.#fleet = fleet;
    this.#options = resolveRiskOptions(options);
    this.#belief = new FleetBelief(fleet);
    this.#gaps = new Gaps(fleet.nodes.length, fleet.startS);
    this.#worth = new Worth(fleet, this.#belief, this.#gaps);
    this.#account = new Account(fleet);
    const shadow = this.#options.spend === "stale" ? new StaleShadow(fleet) : undefined;
    this.#shadow = shadow;
    this.#pace = new Pace(fleet, () => shadow?.forecast() ?? Number.POSITIVE_INFINITY);
    this.#learnAtS = fleet.startS + secondsPerDay;
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
    if (nowS >= this.#learnAtS) this.#learn(nowS);
    const today = this.#fleet.limits.gpuHoursPerDay - openings.gpuHoursLeft;
    const spent = { total: this.#account.gpuHours, today };
    return this.#explore(openings, spent) ?? this.#followRisk(openings, spent);
  }

  #followRisk(openings: Openings, spent: { total: number; today: number }): Choice | undefined {
    const best = this.#worth.best(openings);
    if (best === undefined) return undefined;
    const price = this.#pace.priceAt(openings.nowS, spent, best.worth);
    if (best.worth < price) return undefined;
    const { node, check } = best;
    this.#begin(best, openings.nowS);
    const grounds = { fleet: this.#fleet, belief: this.#belief, chosen: best, price };
    return { node, check, reason: explainRisk(grounds) };
  }

  /** The oldest result, when that is due and nothing is taken from fresh evidence by it. */
  #explore(openings: Openings, spent: { total: number; today: number }): Choice | undefined {
    const { explorationShare, staleFloorDays } = this.#options;
    if (this.#explored >= explorationShare * spent.total) return undefined;
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

  #learn(nowS: number): void {
    this.#belief.refit(nowS);
    this.#worth.renew();
    const elapsedS = nowS - this.#fleet.startS;
    this.#learnAtS = nowS + Math.max(secondsPerDay, learnAfterShare * elapsedS);
  }
}
