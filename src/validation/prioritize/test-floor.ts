import assert from "node:assert/strict";
import { costOf, type Fleet, type Openings, secondsPerDay, secondsPerHour } from "./policy.ts";

/** A test that holds a node. */
export interface RunningTest {
  readonly node: number;
  readonly check: number;
  readonly startS: number;
  readonly endS: number;
}

// Sums of many thirds of an hour must still fill a budget of whole hours.
const roundingGpuHours = 1e-9;

/**
 * What the limits mean: which nodes are open, which tests run, what they cost and what still fits
 * into the day. Nodes are open until they are said to be busy.
 */
export class TestFloor implements Openings {
  nowS: number;
  readonly #fleet: Fleet;
  readonly #costs: readonly (readonly number[])[];
  readonly #cheapest: number;
  readonly #busy: Uint8Array;
  readonly #away: Uint8Array;
  readonly #running = new Map<number, RunningTest>();
  #day: number;
  #begunToday = 0;
  #charged = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    this.#costs = fleet.nodes.map((node) => fleet.checks.map((check) => costOf(node, check)));
    this.#cheapest = this.#costs.flat().reduce((least, cost) => Math.min(least, cost));
    this.#busy = new Uint8Array(fleet.nodes.length);
    this.#away = new Uint8Array(fleet.nodes.length);
    this.nowS = fleet.startS;
    this.#day = Math.floor(fleet.startS / secondsPerDay);
  }

  get slots(): number {
    return this.#fleet.limits.inFlight - this.#running.size;
  }

  get gpuHoursLeft(): number {
    return this.#fleet.limits.gpuHoursPerDay - this.#begunToday;
  }

  /** GPU-hours charged so far: tests in flight in full, pre-empted ones with the time they used. */
  get gpuHours(): number {
    return this.#charged;
  }

  /** GPU-hours charged to today. */
  get gpuHoursToday(): number {
    return this.#begunToday;
  }

  isOpen(node: number): boolean {
    return this.#busy[node] === 0 && this.#away[node] === 0 && !this.#running.has(node);
  }

  isBusy(node: number): boolean {
    return this.#busy[node] === 1;
  }

  isAway(node: number): boolean {
    return this.#away[node] === 1;
  }

  costOf(node: number, check: number): number {
    return this.#costs[node]?.[check] ?? Number.NaN;
  }

  fits(node: number, check: number): boolean {
    return this.costOf(node, check) <= this.gpuHoursLeft + roundingGpuHours;
  }

  /** True when there is a slot, and GPU-hours for the cheapest test there is. */
  get hasRoom(): boolean {
    return this.slots > 0 && this.#cheapest <= this.gpuHoursLeft + roundingGpuHours;
  }

  /** Moves time on; a new day has its GPU-hours whole. */
  advance(toS: number): void {
    assert(toS >= this.nowS, "time does not go back");
    this.nowS = toS;
    const day = Math.floor(toS / secondsPerDay);
    if (day === this.#day) return;
    this.#day = day;
    this.#begunToday = 0;
  }

  /** When the next running test ends; infinity when none runs. */
  nextEndS(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { endS } of this.#running.values()) next = Math.min(next, endS);
    return next;
  }

  begin(node: number, check: number): RunningTest {
    assert(this.slots > 0, "a slot is free");
    assert(this.isOpen(node), "the node is open");
    assert(this.fits(node, check), "the test fits into the day");
    const minutes = this.#fleet.checks[check]?.minutes ?? Number.NaN;
    const test = { node, check, startS: this.nowS, endS: this.nowS + minutes * 60 };
    this.#running.set(node, test);
    const cost = this.costOf(node, check);
    this.#begunToday += cost;
    this.#charged += cost;
    return test;
  }

  /** Takes out the tests that end now, in the order they began. */
  takeEnded(): readonly RunningTest[] {
    const ended = [...this.#running.values()].filter(({ endS }) => endS <= this.nowS);
    for (const { node } of ended) this.#running.delete(node);
    return ended;
  }

  /** A job or nobody takes the node. Returns the test that a job pre-empts. */
  setBusy(node: number, busy: boolean): RunningTest | undefined {
    this.#busy[node] = busy ? 1 : 0;
    const test = busy ? this.#running.get(node) : undefined;
    if (test !== undefined) this.#cutShort(test);
    return test;
  }

  setAway(node: number, away: boolean): void {
    assert(!this.#running.has(node), "a node goes away after its test");
    this.#away[node] = away ? 1 : 0;
  }

  /** Ends what still runs; it is charged with the time it used. */
  close(): void {
    for (const test of this.#running.values()) this.#cutShort(test);
  }

  #cutShort(test: RunningTest): void {
    this.#running.delete(test.node);
    const gpus = this.#fleet.nodes[test.node]?.gpus ?? 0;
    const used = (gpus * (this.nowS - test.startS)) / secondsPerHour;
    const unused = this.costOf(test.node, test.check) - used;
    this.#charged -= unused;
    if (Math.floor(test.startS / secondsPerDay) === this.#day) this.#begunToday -= unused;
  }
}
