import { TesseraError } from "../../../platform/errors/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import { currentHealth } from "../health/index.ts";
import type { DeviceId, Mesh } from "../mesh/index.ts";
import type { Call } from "./call.ts";
import {
  type AllToAllOptions,
  allGatherCall,
  allReduceCall,
  allToAllCall,
  type BroadcastOptions,
  barrierCall,
  broadcastCall,
  type GatherOptions,
  type GroupOptions,
  type MessageOptions,
  type ReceiveOptions,
  type ReduceOptions,
  type ReduceScatterOptions,
  receiveCall,
  reduceScatterCall,
  sendCall,
} from "./calls/index.ts";
import type { Meeting } from "./meetings.ts";
import type { RankState } from "./rank-state.ts";
import type { World } from "./world.ts";

/**
 * One rank's view of the mesh, from inside its program. A call may be awaited at once, or started
 * and awaited later; calls count in the order in which they are made.
 *
 * Every call may fail with E_DESYNC, E_DEADLOCK, E_DEVICE_LOST, E_PARTITION or E_RANK_FAILED; all
 * ranks of the operation then get the same error. Bad arguments are E_COLLECTIVE, E_MESH_AXIS or
 * E_MESH_RANK for the caller alone.
 */
export class Rank {
  readonly mesh: Mesh;
  readonly index: number;
  /** One coordinate per axis of the mesh. */
  readonly coordinates: readonly number[];
  readonly device: DeviceId;
  readonly #world: World;
  readonly #state: RankState;
  /** By axes as they were named. */
  readonly #groups = new Map<string, Meeting>();

  constructor(world: World, mesh: Mesh, state: RankState) {
    this.#world = world;
    this.#state = state;
    this.mesh = mesh;
    this.index = state.rank;
    this.coordinates = mesh.coordinatesOf(state.rank);
    this.device = mesh.deviceOf(state.rank);
  }

  /** This rank's virtual time: its `work`, and the modelled time of the operations it waited for. */
  get nowUs(): number {
    return this.#state.nowUs;
  }

  /** Lets virtual time pass, as if the device had computed for so long. */
  work(timeUs: number): void {
    if (!(timeUs >= 0)) {
      throw new TesseraError("E_COLLECTIVE", {
        op: "work",
        problem: `${timeUs} is no length of time`,
        remedy: "Give microseconds from 0 up.",
      });
    }
    const health = currentHealth();
    const factor = health.straggle(this.device);
    if (factor > 1) {
      const text = `device ${this.device} (rank ${this.index}) takes ${factor} times as long`;
      const met = { kind: "straggling", device: this.device } as const;
      health.note(met, { op: "work", what: "slowed", text });
    }
    this.#state.nowUs += timeUs * factor;
  }

  /** Everyone gets the sum (or the like) of everyone's tensors. */
  allReduce(tensor: Tensor, options: ReduceOptions = {}): Promise<Tensor> {
    return this.#meet(this.#group(options), () => allReduceCall(tensor, options));
  }

  /** Like `allReduce`, but each member gets its own part: ceil(length / members), the last ones less. */
  reduceScatter(tensor: Tensor, options: ReduceScatterOptions = {}): Promise<Tensor> {
    return this.#meet(this.#group(options), () => reduceScatterCall(tensor, options));
  }

  /** Everyone gets everyone's tensors, joined in the order of the group. */
  allGather(tensor: Tensor, options: GatherOptions = {}): Promise<Tensor> {
    return this.#meet(this.#group(options), () => allGatherCall(tensor, options));
  }

  /** Everyone gets the root's tensor. Others may bring one of the same shape and dtype, or nothing. */
  broadcast(tensor: Tensor | undefined, options: BroadcastOptions = {}): Promise<Tensor> {
    const group = this.#group(options);
    const { seat, members } = group;
    return this.#meet(group, () =>
      broadcastCall(tensor, { ...options, seat, members: members.length }),
    );
  }

  /** Each member cuts its tensor, one part for each member; part n of everyone goes to member n. */
  allToAll(tensor: Tensor, options: AllToAllOptions = {}): Promise<Tensor> {
    const group = this.#group(options);
    return this.#meet(group, () =>
      allToAllCall(tensor, { ...options, members: group.members.length }),
    );
  }

  /** Waits until everyone is there. */
  barrier(options: GroupOptions = {}): Promise<void> {
    return this.#meet(this.#group(options), () => barrierCall(options));
  }

  /**
   * Hands a tensor to another rank. Done when that rank takes it: two ranks that both await a send
   * to each other wait for ever, and get E_DEADLOCK. To exchange, await the sends last.
   */
  send(tensor: Tensor, to: number, options: MessageOptions = {}): Promise<void> {
    const channel = this.#channel({ from: this.index, to, seat: 0 }, options);
    return this.#meet(channel, () => sendCall(tensor, to, options));
  }

  /** Takes the next tensor that another rank sends here with this tag. */
  recv(from: number, options: ReceiveOptions = {}): Promise<Tensor> {
    const channel = this.#channel({ from, to: this.index, seat: 1 }, options);
    return this.#meet(channel, () => receiveCall(from, options));
  }

  /**
   * Waits for something that is no communication. A rank that awaits a call counts as blocked; one
   * that at the same time waits for a file or a timer in another branch of its program says so
   * with this, or may be told of a deadlock that is none.
   */
  async outside<T>(work: () => T): Promise<Awaited<T>> {
    this.#world.waitsOutside(this.#state, 1);
    try {
      return await work();
    } finally {
      this.#world.waitsOutside(this.#state, -1);
    }
  }

  // Not async, like the methods above: an async function would await the call at once, and then
  // every rank that has started a call would look as if it waited for it.
  #meet<T extends Tensor | undefined | void>(meeting: Meeting, make: () => Call): Promise<T> {
    const call = make();
    const terms = { ...call.terms, axes: meeting.axes };
    // Each kind of call answers with what its method promises.
    return this.#world.call(this.#state, meeting, { ...call, terms }) as unknown as Promise<T>;
  }

  #group({ over = this.mesh.axes }: GroupOptions): Meeting {
    const named = typeof over === "string" ? [over] : over;
    const known = this.#groups.get(JSON.stringify(named));
    if (known !== undefined) return known;
    if (named.length === 0) throw namesNoAxis(this.mesh);
    const members = this.mesh.groupOf(this.index, named);
    // Neither axes of size 1 nor the order of axes change who is in a group: ranks that name the
    // same axes in another order meet, and are told that they disagree.
    const axes = named.filter((axis) => this.mesh.axisSize(axis) > 1);
    const lowest = members.reduce((least, rank) => Math.min(least, rank), this.index);
    const group: Meeting = {
      key: JSON.stringify(["group", lowest, ...axes.toSorted((a, b) => (a < b ? -1 : 1))]),
      members,
      seat: members.indexOf(this.index),
      axes: axes.join(" x "),
      isChannel: false,
    };
    this.#groups.set(JSON.stringify(named), group);
    return group;
  }

  #channel(
    { from, to, seat }: { readonly from: number; readonly to: number; readonly seat: 0 | 1 },
    { tag = 0 }: MessageOptions,
  ): Meeting {
    // Throws for a rank that is not there.
    this.mesh.deviceOf(from);
    this.mesh.deviceOf(to);
    const key = JSON.stringify(["channel", from, to, tag]);
    return { key, members: [from, to], seat, isChannel: true };
  }
}

function namesNoAxis(mesh: Mesh): TesseraError {
  return new TesseraError("E_COLLECTIVE", {
    op: "a call of a rank",
    problem: "`over` names no axis",
    remedy: `Name one or more of ${mesh.axes.join(", ")}.`,
  });
}
