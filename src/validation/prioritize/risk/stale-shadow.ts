import { type Fleet, type PublicEvent, secondsPerDay } from "../policy.ts";
import { createStalePolicy, staleAfterDaysDefault } from "../stale.ts";
import { TestFloor } from "../test-floor.ts";

const askEveryS = 600;
/** How much the last day counts in the estimate of what a day costs. */
const dayWeight = 0.4;

/**
 * What the `stale` policy would have spent by now, seeing the same free and busy nodes under the
 * same limits: the measure for spending as much as it does. It finds nothing, because nobody knows
 * what it would have found; that changes its cost very little.
 */
export class StaleShadow {
  readonly #fleet: Fleet;
  readonly #floor: TestFloor;
  readonly #policy;
  readonly #testedS: Float64Array;
  #tickS: number;
  #mustAsk = true;
  #dayEndS: number;
  #atDayStart = 0;
  #perDay: number | undefined;
  #hadBacklog = true;
  #finished = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    this.#floor = new TestFloor(fleet);
    this.#policy = createStalePolicy(fleet);
    this.#tickS = fleet.startS;
    this.#dayEndS = (Math.floor(fleet.startS / secondsPerDay) + 1) * secondsPerDay;
    const pairs = fleet.nodes.length * fleet.checks.length;
    this.#testedS = new Float64Array(pairs).fill(Number.NEGATIVE_INFINITY);
  }

  /** GPU-hours it would have spent so far. */
  get gpuHours(): number {
    return this.#floor.gpuHours;
  }

  observe(event: PublicEvent): void {
    if (event.type !== "free" && event.type !== "busy") return;
    this.advance(event.t);
    this.#floor.setBusy(event.node, event.type === "busy");
    this.#mustAsk = true;
  }

  advance(toS: number): void {
    const floor = this.#floor;
    while (floor.nowS < toS) {
      if (this.#mustAsk) this.#ask();
      floor.advance(Math.min(toS, this.#tickS, floor.nextEndS(), this.#dayEndS));
      for (const { node, check } of floor.takeEnded()) {
        this.#testedS[node * this.#fleet.checks.length + check] = floor.nowS;
        this.#finished += floor.costOf(node, check);
        const done = { type: "tested", t: floor.nowS, node, check, outcome: "passed" } as const;
        this.#policy.observe(done);
        this.#mustAsk = true;
      }
      if (floor.nowS >= this.#tickS) {
        this.#tickS += askEveryS;
        this.#mustAsk = true;
      }
      if (floor.nowS >= this.#dayEndS) this.#endDay();
    }
  }

  /** GPU-hours it is expected to have spent at the end, going by what falls due until then. */
  forecast(): number {
    const { endS, limits } = this.#fleet;
    const nowS = this.#floor.nowS;
    const days = Math.max(0, (endS - nowS) / secondsPerDay);
    const daily = this.#hadBacklog
      ? (this.#perDay ?? limits.gpuHoursPerDay)
      : limits.gpuHoursPerDay;
    const dayShare = Math.min(1, (this.#dayEndS - nowS) / secondsPerDay);
    const today = Math.max(
      0,
      Math.min(this.#floor.gpuHoursLeft, daily - this.#floor.gpuHoursToday),
    );
    const capacity = today + daily * Math.max(0, days - dayShare);
    return this.gpuHours + Math.min(capacity, this.#dueUntil(endS) * this.#waste());
  }

  /** GPU-hours for each that led to a result: pre-empted tests have to be begun again. */
  #waste(): number {
    return this.#finished > 0 ? Math.max(1, this.gpuHours / this.#finished) : 1;
  }

  #dueUntil(endS: number): number {
    const nowS = this.#floor.nowS;
    const everyS = staleAfterDaysDefault * secondsPerDay;
    const checks = this.#fleet.checks.length;
    let due = 0;
    for (let pair = 0; pair < this.#testedS.length; pair++) {
      const dueS = Math.max(nowS, (this.#testedS[pair] ?? 0) + everyS);
      if (dueS >= endS) continue;
      const times = 1 + Math.floor((endS - dueS) / everyS);
      due += times * this.#floor.costOf(Math.floor(pair / checks), pair % checks);
    }
    return due;
  }

  #endDay(): void {
    const spent = this.gpuHours - this.#atDayStart;
    this.#atDayStart = this.gpuHours;
    this.#perDay =
      this.#perDay === undefined ? spent : this.#perDay + dayWeight * (spent - this.#perDay);
    this.#hadBacklog = this.#backlogShare() > 0.02;
    this.#dayEndS += secondsPerDay;
  }

  /** Share of all pairs that are overdue. */
  #backlogShare(): number {
    const nowS = this.#floor.nowS;
    const limitS = staleAfterDaysDefault * secondsPerDay;
    return this.#testedS.filter((at) => nowS - at > limitS).length / this.#testedS.length;
  }

  #ask(): void {
    this.#mustAsk = false;
    const floor = this.#floor;
    while (floor.hasRoom) {
      const choice = this.#policy.choose(floor);
      if (choice === undefined) return;
      floor.begin(choice.node, choice.check);
    }
  }
}
