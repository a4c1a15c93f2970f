import assert from "node:assert/strict";
import { TesseraError } from "../../../platform/errors/index.ts";
import { dropped } from "../collectives/dropped.ts";
import { currentHealth, type Fate } from "../health/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { Call } from "./call.ts";
import { type Arrival, present, type Slot } from "./communicator.ts";
import { corruptedCall, corruptedResult } from "./corruption.ts";
import { deadlock, stuckRanks, type Wait, type Waits } from "./deadlock.ts";
import { doomOf } from "./doom.ts";
import { type Meeting, Meetings, type OpenOperation } from "./meetings.ts";
import { PendingCall, type Result } from "./pending-call.ts";
import { troubleOf } from "./preflight.ts";
import { newRankState, type RankState } from "./rank-state.ts";

/** More unanswered calls of one rank than this are a loop that forgot to await. */
const unansweredMax = 100_000;

/** Told of each operation that was carried out; returns how long it takes, in virtual time. */
export type OnCarriedOut = (
  calls: readonly Call[],
  members: readonly number[],
  delayUs: number,
) => number;

/**
 * Where the calls of all ranks meet. A call is answered when the last member has come. What can no
 * longer be answered is found out whenever all ranks have run as far as they can by themselves.
 */
export class World {
  readonly states: readonly RankState[];
  readonly #mesh: Mesh;
  readonly #onCarriedOut: OnCarriedOut;
  readonly #meetings = new Meetings();
  readonly #failedCalls: PendingCall[] = [];
  readonly #told = new WeakSet<object>();
  #firstFailure: Error | undefined;
  #isReviewDue = false;
  #finish: () => void = () => undefined;

  /** Settles when all programs have ended and nothing waits any more. */
  readonly finished: Promise<void>;

  constructor(mesh: Mesh, onCarriedOut: OnCarriedOut) {
    this.#mesh = mesh;
    this.#onCarriedOut = onCarriedOut;
    this.states = mesh.devices.map((_, rank) => newRankState(rank));
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Takes a rank to a meeting; the promise is its part of the outcome. */
  call(state: RankState, meeting: Meeting, call: Call): PendingCall {
    assert(state.unanswered < unansweredMax, `rank ${state.rank} awaits its calls`);
    state.calls++;
    const pending = new PendingCall({
      onAwaited: () => this.#reviewSoon(),
      onTaken: (atUs) => {
        state.nowUs = Math.max(state.nowUs, atUs);
      },
    });
    if (state.status === "running") {
      state.unanswered++;
      this.#receive(meeting, this.#arrival(state, meeting, call, pending));
    } else {
      this.#refuse(pending, calledTooLate(call, state));
    }
    this.#reviewSoon();
    return pending;
  }

  /** Notes that a rank's program has returned. */
  ended(state: RankState): void {
    state.status = "done";
    this.#reviewSoon();
  }

  /** Notes that a rank's program has thrown. */
  failed(state: RankState, thrown: unknown): void {
    state.status = "failed";
    state.failure = this.#asRankFailure(state, thrown);
    this.#firstFailure ??= state.failure;
    this.#reviewSoon();
  }

  /** Counts a wait for something that is no communication. */
  waitsOutside(state: RankState, by: 1 | -1): void {
    state.outside += by;
    this.#reviewSoon();
  }

  /** What the whole run failed with: the first rank's error, or one that no rank has looked at. */
  get failure(): Error | undefined {
    const unseen = this.#failedCalls.find(({ isAwaited }) => !isAwaited);
    return this.#firstFailure ?? unseen?.failure;
  }

  /** What the caller brings, and what is broken as its async context sees it. */
  #arrival(state: RankState, { members }: Meeting, call: Call, pending: PendingCall): Arrival {
    const { rank, nowUs: atUs } = state;
    const health = currentHealth();
    const corruptions = health.corruptions(this.#mesh.deviceOf(rank), call.op);
    const trouble = troubleOf({ mesh: this.#mesh, health, call, members });
    const handedIn = corruptedCall(call, { health, own: corruptions });
    return { rank, pending, atUs, health, corruptions, trouble, call: handedIn };
  }

  #receive(meeting: Meeting, arrival: Arrival): void {
    const operation = this.#meetings.arrive(meeting, arrival);
    const { slot } = operation;
    if (slot.failure !== undefined) {
      this.#answerWithError(arrival, slot.failure);
    } else if (slot.arrived === meeting.members.length) {
      const doom = doomOf(operation, this.states);
      if (doom === undefined) this.#carryOut(operation);
      else this.#failSlot(slot, doom);
    }
  }

  #carryOut({ communicator, slot }: OpenOperation): void {
    const arrivals = present(slot);
    const [first] = arrivals;
    const fate = currentHealth().fateOf(first?.call.op ?? "");
    if (first !== undefined && fate.droppedAfterMs !== undefined) {
      fate.noteDropped();
      this.#failSlot(slot, dropped(first.call, first.call.phase, fate.droppedAfterMs));
      return;
    }
    const calls = arrivals.map(({ call, rank }) => this.#asHandedIn(call, rank, fate));
    let results: readonly Result[];
    let endUs: number;
    try {
      const combined = calls[0]?.combine(calls) ?? [];
      results = arrivals.map((one, seat) => corruptedResult(combined[seat], one));
      const startUs = arrivals.reduce((latest, { atUs }) => Math.max(latest, atUs), 0);
      fate.noteDelayed();
      endUs = startUs + this.#onCarriedOut(calls, communicator.members, fate.delayUs);
    } catch (error) {
      // Whatever it is, nobody may be left waiting.
      this.#failSlot(slot, error instanceof Error ? error : new Error(String(error)));
      return;
    }
    for (const [seat, arrival] of arrivals.entries()) {
      this.#noteAnswered(arrival);
      arrival.pending.settle(results[seat], endUs);
    }
  }

  /** With what happens on the way to this operation alone. */
  #asHandedIn(call: Call, rank: number, { corruptions }: Fate): Call {
    const device = this.#mesh.deviceOf(rank);
    const own = corruptions.filter((one) => one.device === device);
    return own.length === 0 ? call : corruptedCall(call, { health: currentHealth(), own });
  }

  #failSlot(slot: Slot, error: Error): void {
    slot.failure = error;
    for (const arrival of present(slot)) this.#answerWithError(arrival, error);
  }

  #answerWithError(arrival: Arrival, error: Error): void {
    this.#noteAnswered(arrival);
    this.#refuse(arrival.pending, error);
    this.#reviewSoon();
  }

  #noteAnswered({ rank }: Arrival): void {
    const state = this.states[rank];
    assert(state !== undefined && state.unanswered > 0, "a call is answered once");
    state.unanswered--;
  }

  #refuse(pending: PendingCall, error: Error): void {
    this.#told.add(error);
    this.#failedCalls.push(pending);
    pending.fail(error);
  }

  /** An error that came from us goes on as it is; any other is the rank's own. */
  #asRankFailure({ rank }: RankState, thrown: unknown): Error {
    if (thrown instanceof Error && this.#told.has(thrown)) return thrown;
    const problem = thrown instanceof Error ? thrown.message : String(thrown);
    const device = this.#mesh.deviceOf(rank);
    return new TesseraError("E_RANK_FAILED", { rank, device, problem }, { cause: thrown });
  }

  /** Has `#review` run once the programs have gone as far as they can by themselves. */
  #reviewSoon(): void {
    if (this.#isReviewDue) return;
    this.#isReviewDue = true;
    // Ticks that a microtask asks for come after all microtasks: then every program has come to
    // a call, to its end, or to a wait that is not ours.
    queueMicrotask(() => process.nextTick(() => this.#review()));
  }

  #review(): void {
    this.#isReviewDue = false;
    if (this.#failDoomed() || this.#failStuck()) return;
    const isOver = this.states.every(({ status }) => status !== "running");
    if (isOver && !this.#isReviewDue) this.#finish();
  }

  /** Fails every operation that cannot succeed any more. */
  #failDoomed(): boolean {
    let failed = false;
    for (const operation of this.#meetings.open()) {
      const doom = doomOf(operation, this.states);
      if (doom === undefined) continue;
      this.#failSlot(operation.slot, doom);
      failed = true;
    }
    return failed;
  }

  /** Fails every operation that ranks await who can never go on. */
  #failStuck(): boolean {
    const waits = this.#waits();
    const stuck = new Set(stuckRanks(waits));
    if (stuck.size === 0) return false;
    const error = deadlock(waits, [...stuck]);
    for (const { slot } of this.#meetings.open()) {
      const isHeld = present(slot).some((one) => stuck.has(one.rank) && one.pending.isAwaited);
      if (isHeld) this.#failSlot(slot, error);
    }
    return true;
  }

  /** What each program waits in that has not ended, unless it waits for something outside too. */
  #waits(): Waits {
    const waits = new Map<number, Wait[]>();
    for (const state of this.states) {
      if (state.status === "running") waits.set(state.rank, []);
    }
    for (const { communicator, slot } of this.#meetings.open()) {
      const missing = communicator.missing(slot);
      for (const { rank, call, pending } of present(slot)) {
        if (!pending.isAwaited || this.states[rank]?.outside !== 0) continue;
        waits.get(rank)?.push({ wish: call.wish, missing });
      }
    }
    return waits;
  }
}

function calledTooLate({ op, wish }: Call, { rank }: RankState): TesseraError {
  const problem = `rank ${rank} called ${wish} after its program had ended`;
  const hint = "Await everything a program starts before it returns.";
  return new TesseraError("E_DESYNC", { op, what: "number of calls", problem }, { hint });
}
