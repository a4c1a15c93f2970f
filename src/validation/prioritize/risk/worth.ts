import { costOf, type Fleet, type Openings, secondsPerDay, secondsPerHour } from "../policy.ts";
import type { FleetBelief } from "./fleet-belief.ts";
import type { Gaps } from "./gaps.ts";

/** A sign leads to a test only now and then: the node is busy, or the budget is used. */
const signsLeadToTest = 0.12;
/** A state that gives a sign every so many hours is as much seen as hidden. */
const halfSeenHours = 24;
/** Beyond this, waiting longer does not make a test more urgent. */
const ageHoursMax = 30 * 24;
/** How long before the log a pair that was never tested may have been tested last. */
const neverTestedHours = 5 * 24;
const routineHours = { min: 24, max: 14 * 24 } as const;
/** Halvings of the logarithm of the price between its bounds: enough for six digits. */
const priceSteps = 28;
/** Stale's rhythm: the slowest that routine tests need to be when the budget is loose. */
const sweepDaysMin = 7;

/** A pair and what testing it now is worth: hours of an undetected defect saved per GPU-hour. */
export interface Worthy {
  readonly node: number;
  readonly check: number;
  readonly worth: number;
}

/**
 * What each (node, check) pair is worth: the chance that this check finds a defect there, times the
 * hours the defect would else stay, per GPU-hour.
 *
 * How long it would else stay depends on the state. One that shows itself would be met by the next
 * signs. One that does not waits for routine, and routine is best when the hours already waited
 * weigh in: then a node that breaks four times as often is tested twice as often, not four times.
 */
export class Worth {
  readonly #fleet: Fleet;
  readonly #belief: FleetBelief;
  readonly #gaps: Gaps;
  readonly #costs: Float64Array;
  readonly #routineHours: number;
  readonly #testedS: Float64Array;
  /** For each state, hours saved at once, and hours saved per hour since the pair's last test. */
  readonly #saved: Float64Array;
  readonly #savedByAge: Float64Array;
  /** For each pair, four parts: worth and its growth per hour; the same two per hour of age. */
  readonly #parts: Float64Array;

  constructor(fleet: Fleet, belief: FleetBelief, gaps: Gaps) {
    this.#fleet = fleet;
    this.#belief = belief;
    this.#gaps = gaps;
    const costs = fleet.nodes.flatMap((node) => fleet.checks.map((check) => costOf(node, check)));
    this.#costs = Float64Array.from(costs);
    this.#routineHours = routineHoursOf(fleet, costs);
    const pairs = costs.length;
    this.#testedS = new Float64Array(pairs).fill(fleet.startS - neverTestedHours * secondsPerHour);
    this.#saved = new Float64Array(belief.space.states);
    this.#savedByAge = new Float64Array(belief.space.states);
    this.#parts = new Float64Array(4 * pairs);
    this.renew();
  }

  costOf(node: number, check: number): number {
    return this.#costs[node * this.#fleet.checks.length + check] ?? Number.NaN;
  }

  /** Takes note of a result. */
  tested(node: number, check: number, nowS: number): void {
    this.#testedS[node * this.#fleet.checks.length + check] = nowS;
  }

  /** Works everything out anew, after the rates were learned. */
  renew(): void {
    const { rates, space } = this.#belief;
    for (let state = 1; state < space.states; state++) {
      const signs = Math.max(0, (rates.total[state] ?? 0) - (rates.total[0] ?? 0));
      const seen = signs / (signs + 1 / halfSeenHours);
      this.#saved[state] = seen / (1 / this.#routineHours + signs * signsLeadToTest);
      this.#savedByAge[state] = (1 - seen) / 2;
    }
    for (let node = 0; node < this.#fleet.nodes.length; node++) this.renewNode(node);
  }

  /** Works a node out anew, after something was seen of it. */
  renewNode(node: number): void {
    const { space, rates } = this.#belief;
    const belief = this.#belief.of(node);
    const onset = (belief[0] ?? 0) * this.#belief.onsetPerHour(node);
    const checks = this.#fleet.checks.length;
    for (let check = 0; check < checks; check++) {
      const finds = space.findsBy[check];
      const pair = node * checks + check;
      const parts: [number, number, number, number] = [0, 0, 0, 0];
      for (let state = 1; state < space.states; state++) {
        const found = (finds?.[state] ?? 0) / (this.#costs[pair] ?? 1);
        const now = found * (belief[state] ?? 0);
        const perHour = found * onset * (rates.share[state] ?? 0);
        parts[0] += now * (this.#saved[state] ?? 0);
        parts[1] += perHour * (this.#saved[state] ?? 0);
        parts[2] += now * (this.#savedByAge[state] ?? 0);
        parts[3] += perHour * (this.#savedByAge[state] ?? 0);
      }
      this.#parts.set(parts, 4 * pair);
    }
  }

  /**
   * The pair that is worth most of those that can be begun: for its GPU-hours, or for the time it
   * takes a slot.
   */
  best(openings: Openings, { bySlot }: { readonly bySlot: boolean }): Worthy | undefined {
    const checks = this.#fleet.checks.length;
    let best = -1;
    let bestRank = 0;
    let bestWorth = 0;
    this.#fleet.nodes.forEach(({ gpus }, node) => {
      if (!openings.isOpen(node)) return;
      const scale = bySlot ? gpus : 1;
      for (let check = 0; check < checks; check++) {
        const pair = node * checks + check;
        const undisturbed = this.#worthOf(pair, node, openings.nowS);
        if (scale * undisturbed <= bestRank || !openings.fits(node, check)) continue;
        const worth = undisturbed * this.#yieldOf(node, check, openings.nowS);
        if (scale * worth <= bestRank) continue;
        best = pair;
        bestRank = scale * worth;
        bestWorth = worth;
      }
    });
    if (best === -1) return undefined;
    return { node: Math.floor(best / checks), check: best % checks, worth: bestWorth };
  }

  /** What testing a pair now is worth. */
  of(node: number, check: number, nowS: number): number {
    const pair = node * this.#fleet.checks.length + check;
    return this.#worthOf(pair, node, nowS) * this.#yieldOf(node, check, nowS);
  }

  /**
   * The price at which routine alone would use the daily limit: each pair is tested again when its
   * worth has grown to the price.
   */
  steadyPrice(): number {
    const { limits } = this.#fleet;
    let low = -40;
    let high = 20;
    for (let step = 0; step < priceSteps; step++) {
      const middle = (low + high) / 2;
      if (this.#gpuHoursPerDayAt(Math.exp(middle)) > limits.gpuHoursPerDay) low = middle;
      else high = middle;
    }
    return Math.exp(high);
  }

  /** What routine costs in a day when sound nodes are tested as soon as they are worth this much. */
  #gpuHoursPerDayAt(price: number): number {
    let perHour = 0;
    for (let pair = 0; pair < this.#costs.length; pair++) {
      const growth = this.#parts[4 * pair + 1] ?? 0;
      const growthByAge = this.#parts[4 * pair + 3] ?? 0;
      // Hours t until growth·t + growthByAge·t² is the price.
      const root = Math.sqrt(growth ** 2 + 4 * growthByAge * price);
      perHour += ((this.#costs[pair] ?? 0) * (growth + root)) / (2 * price);
    }
    return perHour * 24;
  }

  /** Of the pairs that can be begun, the one whose result is oldest, if it is older than this. */
  stalest(openings: Openings, olderThanDays: number): Worthy | undefined {
    const checks = this.#fleet.checks.length;
    let best = -1;
    let bestS = openings.nowS - olderThanDays * secondsPerDay;
    for (let node = 0; node < this.#fleet.nodes.length; node++) {
      if (!openings.isOpen(node)) continue;
      for (let check = 0; check < checks; check++) {
        const atS = this.#testedS[node * checks + check] ?? 0;
        if (atS >= bestS || !openings.fits(node, check)) continue;
        best = node * checks + check;
        bestS = atS;
      }
    }
    if (best === -1) return undefined;
    return { node: Math.floor(best / checks), check: best % checks, worth: 0 };
  }

  #worthOf(pair: number, node: number, nowS: number): number {
    const hours = (nowS - this.#belief.asOfS(node)) / secondsPerHour;
    const age = Math.min(ageHoursMax, (nowS - (this.#testedS[pair] ?? 0)) / secondsPerHour);
    const parts = this.#parts;
    const at = 4 * pair;
    const now = (parts[at] ?? 0) + hours * (parts[at + 1] ?? 0);
    return now + age * ((parts[at + 2] ?? 0) + hours * (parts[at + 3] ?? 0));
  }

  /** What is left of the worth, because a job may take the node; half of such a test is paid for. */
  #yieldOf(node: number, check: number, nowS: number): number {
    const hours = (this.#fleet.checks[check]?.minutes ?? 0) / 60;
    const stays = this.#gaps.chanceToStay(this.#gaps.freeHours(node, nowS), hours);
    return stays / (stays + (1 - stays) / 2);
  }
}

/** How long a defect that gives no signs waits for its test: half of a round through the fleet. */
function routineHoursOf({ limits }: Fleet, costs: readonly number[]): number {
  const sweep = costs.reduce((sum, cost) => sum + cost, 0);
  const days = Math.max(sweepDaysMin, sweep / Math.max(limits.gpuHoursPerDay, 1e-9));
  return Math.max(routineHours.min, Math.min(routineHours.max, (days * 24) / 2));
}
