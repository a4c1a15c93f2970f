import { type Fleet, secondsPerDay, secondsPerHour } from "../policy.ts";

/** How strongly spending ahead of the plan, or behind it, changes what a test must be worth. */
const stiffness = 4;
/** How fast the usual price follows the market. */
const settleHours = 12;
/** The most of a day's plan that may be spent when the limits leave room for more. */
const overPlanMax = 3;
/** The share of the day in which the plan is to be used; the rest is for tests that do not fit. */
const dayUsed = 0.97;
/** Everything is taken when what is left needs more than this share of the time that is left. */
const lateShare = 0.8;

/** What was spent, in GPU-hours. */
export interface Spent {
  readonly total: number;
  readonly today: number;
}

/**
 * Spreads the GPU-hours over the day by a price: what a test must be worth. It rises when more was
 * spent than the plan says for the hour, so that something is kept back for fresh evidence, and
 * falls when less was, so that nothing is left over.
 */
export class Pace {
  readonly #fleet: Fleet;
  readonly #totalAtEnd: () => number;
  readonly #gpuHoursPerHour: number;
  #logPrice: number | undefined;
  #day = Number.NaN;
  #plan = 0;
  #atS: number;

  /** @param totalAtEnd what is to be spent until the end, as far as that is known now. */
  constructor(fleet: Fleet, totalAtEnd: () => number) {
    this.#fleet = fleet;
    this.#totalAtEnd = totalAtEnd;
    this.#atS = fleet.startS;
    const gpus = fleet.nodes.reduce((sum, node) => sum + node.gpus, 0) / fleet.nodes.length;
    this.#gpuHoursPerHour = fleet.limits.inFlight * gpus;
  }

  /**
   * Lets the price settle: it follows how far spending was ahead of the plan, or behind it.
   *
   * @param best the worth of the best test there is: where the first price comes from.
   */
  settle(nowS: number, spent: Spent, best: number): void {
    const ahead = this.#aheadOfPlan(nowS, spent);
    const hours = Math.min(1, (nowS - this.#atS) / secondsPerHour);
    this.#atS = nowS;
    this.#logPrice ??= Math.log(Math.max(best, Number.MIN_VALUE)) - 0.5;
    this.#logPrice += (hours / settleHours) * stiffness * ahead;
  }

  /** Sets the usual price, instead of letting it settle. */
  setUsual(price: number): void {
    this.#logPrice = Math.log(Math.max(price, Number.MIN_VALUE));
  }

  /** What a test must be worth now; infinity when the day's plan is used up, 0 when it is late. */
  priceAt(nowS: number, spent: Spent): number {
    const ahead = this.#aheadOfPlan(nowS, spent);
    if (spent.today >= overPlanMax * this.#plan) return Number.POSITIVE_INFINITY;
    if (this.#isLate(nowS, this.#plan - spent.today)) return 0;
    return Math.exp((this.#logPrice ?? Number.NEGATIVE_INFINITY) + stiffness * ahead);
  }

  /** True when slots are scarcer than GPU-hours: the day's plan needs nearly all of their time. */
  isShortOfSlots(nowS: number, spent: Spent): boolean {
    this.#planDay(nowS, spent);
    return this.#plan / this.#gpuHoursPerHour > lateShare * dayUsed * 24;
  }

  /** True while no more than the plan of the hour was spent. */
  isBehind(nowS: number, spent: Spent): boolean {
    this.#planDay(nowS, spent);
    return spent.today <= this.#plan * (nowS / secondsPerDay - this.#day);
  }

  /** How far spending is ahead of the plan for the hour, as a share of the day's plan. */
  #aheadOfPlan(nowS: number, spent: Spent): number {
    this.#planDay(nowS, spent);
    const elapsed = Math.min(1, (nowS / secondsPerDay - this.#day) / dayUsed);
    return Math.max(-1, Math.min(1, spent.today / this.#plan - elapsed));
  }

  /** Every day gets its share of what is still to be spent. */
  #planDay(nowS: number, spent: Spent): void {
    const day = Math.floor(nowS / secondsPerDay);
    if (day === this.#day) return;
    this.#day = day;
    const { endS, limits } = this.#fleet;
    const days = Math.max(1, Math.ceil((endS - nowS) / secondsPerDay));
    const open = (this.#totalAtEnd() - (spent.total - spent.today)) / days;
    this.#plan = Math.max(1e-9, Math.min(limits.gpuHoursPerDay, open));
  }

  #isLate(nowS: number, gpuHoursLeft: number): boolean {
    const hoursLeft = (secondsPerDay * (this.#day + dayUsed) - nowS) / secondsPerHour;
    return gpuHoursLeft > 0 && gpuHoursLeft / this.#gpuHoursPerHour > lateShare * hoursLeft;
  }
}
