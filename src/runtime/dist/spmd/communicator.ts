import assert from "node:assert/strict";
import type { Corrupt, Health } from "../health/index.ts";
import type { Call } from "./call.ts";
import type { PendingCall } from "./pending-call.ts";

/** A rank that has come to an operation. */
export interface Arrival {
  readonly rank: number;
  readonly call: Call;
  readonly pending: PendingCall;
  /** The rank's virtual time when it came. */
  readonly atUs: number;
  /** What is broken on the way to the others, as this rank sees it. */
  readonly trouble: Error | undefined;
  /** What is broken, as this rank sees it. */
  readonly health: Health;
  /** What this rank's device does wrong without noticing. */
  readonly corruptions: readonly Corrupt[];
}

/** One operation of a communicator: everyone's n-th call on it. */
export interface Slot {
  /** From 0. */
  readonly sequence: number;
  /** By seat; undefined is a member that has not come. */
  readonly arrivals: (Arrival | undefined)[];
  arrived: number;
  /** Set once the operation has failed: whoever comes late gets the same error. */
  failure: Error | undefined;
}

/**
 * Ranks that act together. A group of the mesh has one seat for each member; a channel of messages
 * has two, for the sender and the receiver. The n-th call of each seat belongs to the n-th slot.
 */
export class Communicator {
  /** The rank on each seat. */
  readonly members: readonly number[];
  /** The operations that not everyone has come to, oldest first. */
  readonly slots = new Map<number, Slot>();
  readonly #nextSequence: number[];

  constructor(members: readonly number[]) {
    this.members = members;
    this.#nextSequence = members.map(() => 0);
  }

  /** Seats the caller in the operation it has come to. The slot is gone once everyone is there. */
  arrive(seat: number, arrival: Arrival): Slot {
    assert(this.members[seat] === arrival.rank, "a rank sits on its own seat");
    const sequence = this.#nextSequence[seat] ?? 0;
    this.#nextSequence[seat] = sequence + 1;
    const slot = this.slots.get(sequence) ?? newSlot(sequence, this.members.length);
    assert(slot.arrivals[seat] === undefined, "a seat is taken once");
    slot.arrivals[seat] = arrival;
    slot.arrived++;
    if (slot.arrived === this.members.length) this.slots.delete(sequence);
    else this.slots.set(sequence, slot);
    return slot;
  }

  /** True when everyone has come to every operation. */
  get isIdle(): boolean {
    return this.slots.size === 0;
  }

  /** The ranks that an operation still waits for. */
  missing({ arrivals }: Slot): readonly number[] {
    return this.members.filter((_, seat) => arrivals[seat] === undefined);
  }
}

/** Those who have come, in the order of their seats. */
export function present({ arrivals }: Slot): readonly Arrival[] {
  return arrivals.filter((arrival) => arrival !== undefined);
}

function newSlot(sequence: number, seats: number): Slot {
  return {
    sequence,
    arrivals: Array.from({ length: seats }, () => undefined),
    arrived: 0,
    failure: undefined,
  };
}
