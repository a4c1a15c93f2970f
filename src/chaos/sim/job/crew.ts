import assert from "node:assert/strict";
import type { JobShape, StepNews } from "../../elastic/index.ts";
import type { Corruption, StateRef } from "../../numerics/index.ts";
import type { SimProcess } from "./sim-process.ts";
import { programOf } from "./step-program.ts";

/** Along which ranks of a group differ; `all`, `join` and `compare` are exchanges of everybody. */
export type GroupAxis = "tp" | "dp" | "all" | "join" | "compare";

/** Ranks that exchange something, one exchange after the other. */
export class Group {
  readonly index: number;
  readonly crew: Crew;
  readonly axis: GroupAxis;
  readonly ranks: readonly number[];
  readonly bytes: number;
  /** By place: exchanges that were entered. */
  readonly entered: number[];
  /** Exchanges that ended. */
  sequence = 0;
  /** Ranks that are in the one that has not ended. */
  here = 0;
  /** Without anything wrong; -1: not worked out yet. */
  cleanUs = -1;
  doneUs = -1;
  isDropped = false;
  extraUs = 0;
  readonly #first: number;
  readonly #stride: number;

  constructor(
    index: number,
    crew: Crew,
    options: {
      readonly axis: GroupAxis;
      readonly ranks: readonly number[];
      readonly bytes: number;
    },
  ) {
    this.index = index;
    this.crew = crew;
    this.axis = options.axis;
    this.ranks = options.ranks;
    this.bytes = options.bytes;
    const [first = 0, second = first + 1] = options.ranks;
    this.#first = first;
    this.#stride = second - first;
    // Most groups are small: a typed array for each would cost more than the rest of it.
    this.entered = options.ranks.map(() => 0);
  }

  placeOf(rank: number): number {
    // Places are in the order of ranks, which lie at even distances.
    return this.#stride === 1 ? rank - this.#first : (rank - this.#first) / this.#stride;
  }

  /** Ranks that have not entered the exchange that others wait in. */
  missing(): readonly number[] {
    return this.ranks.filter((_, place) => (this.entered[place] as number) <= this.sequence);
  }
}

/** What one rank hands to another of its pipeline, in order. */
export class Channel {
  readonly index: number;
  readonly crew: Crew;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  sent = 0;
  taken = 0;
  /** Arrived and not yet taken. */
  available = 0;
  /** Sent, and no link has taken it. */
  stalled = 0;
  cleanUs = -1;

  constructor(
    index: number,
    crew: Crew,
    options: { readonly from: number; readonly to: number; readonly bytes: number },
  ) {
    this.index = index;
    this.crew = crew;
    this.from = options.from;
    this.to = options.to;
    this.bytes = options.bytes;
  }
}

export interface CrewOptions {
  readonly generation: number;
  readonly attempt: number;
  readonly shape: JobShape;
  /** Of what is exchanged along each axis. */
  readonly bytes: { readonly tp: number; readonly dp: number; readonly pp: number };
  readonly newGroup: (make: (index: number) => Group) => Group;
  readonly newChannel: (make: (index: number) => Channel) => Channel;
  /** So many groups that nobody will ever enter are not made. */
  readonly leaveOut: (groups: number) => void;
}

const smallBytes = 512;

/**
 * The ranks of a generation from one order to restore on: who they are, whom they exchange what with, and
 * what their replicas hold. Another order to restore makes another crew, so nothing of before is left over.
 */
export class Crew {
  readonly generation: number;
  readonly attempt: number;
  readonly shape: JobShape;
  /** By rank, as they come. */
  readonly members: (SimProcess | undefined)[];
  /** By replica. */
  states: StateRef[] = [];
  /** Steps that are done. */
  step = 0;
  /** Of the last steps, by step. */
  readonly news = new Map<number, StepNews>();
  /** Of the last step, which nearly all ask for. */
  latest: StepNews | null = null;
  /** The step in which a number came out that is none. */
  badStep = -1;
  /** Replicas that the sum of this step goes on without, which no sound job does. */
  readonly ignored = new Set<number>();
  /** Wrong bits in what a replica hands to the sum of this step. */
  readonly corruptions = new Map<number, { readonly fault: string; readonly bits: Corruption }>();
  /** Of the last comparison: ranks whose replica holds what fewer hold; null: all hold the same. */
  odd: readonly number[] | null = null;
  readonly programs: readonly Uint8Array[];
  readonly join: Group;
  readonly all: Group;
  readonly compare: Group;
  /** None where a rank is alone along this axis. */
  readonly tp: readonly Group[];
  readonly dp: readonly Group[];
  /** By the rank that sends: to the next stage, and back to the one before. */
  readonly forward: readonly (Channel | undefined)[];
  readonly backward: readonly (Channel | undefined)[];

  constructor(options: CrewOptions) {
    const { shape, bytes, newGroup, newChannel } = options;
    const { dp, tp, pp } = shape;
    const ranks = dp * tp * pp;
    assert(ranks >= 1, "a crew has ranks");
    this.generation = options.generation;
    this.attempt = options.attempt;
    this.shape = shape;
    this.members = Array.from({ length: ranks });
    this.programs = Array.from({ length: pp }, (_, stage) => programOf(shape, stage));
    const group = (axis: GroupAxis, of: readonly number[], size: number) =>
      newGroup((index) => new Group(index, this, { axis, ranks: of, bytes: size }));
    const everybody = Array.from({ length: ranks }, (_, rank) => rank);
    this.join = group("join", everybody, smallBytes);
    this.all = group("all", everybody, smallBytes);
    this.compare = group("compare", everybody, smallBytes);
    const rows = Array.from({ length: ranks / tp }, (_, row) => row * tp);
    // A rank alone sums with nobody. The numbers of such groups are left out: numbers enter the trace.
    if (tp === 1) options.leaveOut(rows.length);
    this.tp =
      tp === 1
        ? []
        : rows.map((first) => group("tp", everybody.slice(first, first + tp), bytes.tp));
    const size = pp * tp;
    this.dp = Array.from({ length: size }, (_, at) =>
      group(
        "dp",
        Array.from({ length: dp }, (_, replica) => replica * size + at),
        bytes.dp,
      ),
    );
    const stageOf = (rank: number) => Math.floor(rank / tp) % pp;
    const channel = (from: number, to: number) =>
      newChannel((index) => new Channel(index, this, { from, to, bytes: bytes.pp }));
    this.forward = everybody.map((rank) =>
      stageOf(rank) < pp - 1 ? channel(rank, rank + tp) : undefined,
    );
    this.backward = everybody.map((rank) =>
      stageOf(rank) > 0 ? channel(rank, rank - tp) : undefined,
    );
  }

  replicaOf(rank: number): number {
    return Math.floor(rank / (this.shape.pp * this.shape.tp));
  }

  stageOf(rank: number): number {
    return Math.floor(rank / this.shape.tp) % this.shape.pp;
  }

  tpOf(rank: number): Group {
    return this.tp[Math.floor(rank / this.shape.tp)] as Group;
  }

  dpOf(rank: number): Group {
    return this.dp[this.dp.length === 1 ? 0 : rank % this.dp.length] as Group;
  }

  slotOf(rank: number): number {
    return this.members[rank]?.slot ?? -1;
  }

  slotsOf(ranks: readonly number[]): readonly number[] {
    return ranks.map((rank) => this.slotOf(rank));
  }
}
