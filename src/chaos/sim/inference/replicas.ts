import type { PlatformNews } from "../../elastic/index.ts";
import type { InferenceWorkload } from "../../plan/index.ts";
import type { EventKind } from "../engine/index.ts";
import type { FaultyProcesses } from "../job/fault-world.ts";
import type { DeviceState } from "../machines/index.ts";
import type { InferenceContext } from "./inference-context.ts";

export interface ReplicaHooks {
  /** A replica answers an attempt at a request. */
  answers(slot: number, request: number, attempt: number): void;
  /** Whoever runs the replicas knows that one ended. */
  ended(slot: number, how: string): void;
  /** A replica is there and says so. */
  ready(slot: number): void;
}

interface Replica {
  readonly slot: number;
  /** Counts its processes; events of another one are over. */
  incarnation: number;
  isUp: boolean;
  isFrozen: boolean;
  /** What it works on; its hung device may owe it the end. */
  isBusy: boolean;
  isOwed: boolean;
  readonly queue: { readonly request: number; readonly attempt: number }[];
  readonly backlog: (() => void)[];
}

const noticeUs = 1000;
const queueMax = 2 ** 16;

/** Replicas, each a process that serves one request at a time. One that ends is started again where it was. */
export class Replicas {
  readonly #context: InferenceContext;
  readonly #workload: InferenceWorkload;
  readonly #hooks: ReplicaHooks;
  readonly #replicas: readonly Replica[];
  readonly #served: EventKind;
  readonly #started: EventKind;
  readonly #noticed: EventKind;
  /** By slot: how the last process there ended. */
  readonly #ends = new Map<number, string>();

  constructor(context: InferenceContext, workload: InferenceWorkload, hooks: ReplicaHooks) {
    const { engine, machines } = context;
    this.#context = context;
    this.#workload = workload;
    this.#hooks = hooks;
    this.#replicas = Array.from({ length: workload.replicas }, (_, slot) => ({
      slot,
      incarnation: 0,
      isUp: false,
      isFrozen: false,
      isBusy: false,
      isOwed: false,
      queue: [],
      backlog: [],
    }));
    this.#served = engine.kind("replica.served", (slot, life) => this.#onServed(slot, life));
    this.#started = engine.kind("replica.started", (slot, life) => this.#onStarted(slot, life));
    this.#noticed = engine.kind("replica.ended", (slot) => {
      hooks.ended(slot, this.#ends.get(slot) ?? "it ended");
    });
    machines.listen({ slotChanged: (slot, state) => this.#slotChanged(slot, state) });
  }

  start(slot: number): void {
    const replica = this.#replicas[slot];
    if (replica === undefined || replica.isUp) return;
    replica.incarnation++;
    const { startUs } = this.#workload;
    this.#context.engine.after(startUs, this.#started, slot, replica.incarnation);
  }

  /** Ends the process in a slot, if there is one, and starts the next. */
  restart(slot: number): void {
    const replica = this.#replicas[slot];
    if (replica === undefined) return;
    this.#clear(replica);
    this.start(slot);
  }

  /** An attempt at a request arrives. Who is not there does not take it. */
  takes(slot: number, request: number, attempt: number): void {
    const replica = this.#replicas[slot];
    if (replica === undefined || !replica.isUp) return;
    if (replica.isFrozen) {
      this.#context.effects.saw("frozen", slot, `a request was not taken by replica ${slot}`);
      replica.backlog.push(() => this.takes(slot, request, attempt));
      return;
    }
    if (replica.queue.length >= queueMax) return;
    replica.queue.push({ request, attempt });
    if (!replica.isBusy) this.#serve(replica);
  }

  lookForFaults(): readonly string[] {
    return this.#replicas.flatMap(({ isUp, isFrozen, slot }) =>
      isUp && isFrozen ? [`replica ${slot} is frozen`] : [],
    );
  }

  faulty(tell: (news: PlatformNews) => void): FaultyProcesses {
    return {
      isIn: (slot) => this.#replicas[slot]?.isUp === true,
      end: (slot, how) => this.#end(slot, how),
      freeze: (slot) => this.#freeze(this.#replicas[slot]),
      // A replica cannot go on after an error of its device: it ends, and says why.
      deviceFails: (slot, reason) => this.#end(slot, reason),
      diesWithError: () => undefined,
      tell,
    };
  }

  #serve(replica: Replica): void {
    const { engine, machines, effects } = this.#context;
    const { slot } = replica;
    replica.isBusy = true;
    const slow = machines.slowFactorOf(slot);
    if (slow > 1) effects.saw("pace", slot, `replica ${slot} took ${slow} times as long`);
    const us = Math.max(1, Math.round(this.#workload.serviceUs * slow));
    engine.after(us, this.#served, slot, replica.incarnation);
  }

  #onServed(slot: number, life: number): void {
    const replica = this.#replicas[slot];
    if (replica === undefined || !replica.isUp || replica.incarnation !== life) return;
    if (replica.isFrozen) {
      replica.backlog.push(() => this.#onServed(slot, life));
      return;
    }
    if (this.#context.machines.stateOf(slot) === "hung") {
      replica.isOwed = true;
      this.#context.effects.saw("hang", slot, `replica ${slot} did not finish a request`);
      return;
    }
    replica.isBusy = false;
    const done = replica.queue.shift();
    if (done !== undefined) this.#hooks.answers(slot, done.request, done.attempt);
    if (replica.queue.length > 0) this.#serve(replica);
  }

  #onStarted(slot: number, life: number): void {
    const replica = this.#replicas[slot];
    if (replica === undefined || replica.incarnation !== life || replica.isUp) return;
    // It is tried again when the device is back.
    if (this.#context.machines.stateOf(slot) === "dead") {
      this.#context.effects.saw("process", slot, `replica ${slot} cannot be started`);
      return;
    }
    replica.isUp = true;
    this.#hooks.ready(slot);
  }

  #end(slot: number, how: string): void {
    const replica = this.#replicas[slot];
    if (replica === undefined || !replica.isUp) return;
    this.#clear(replica);
    const { engine, effects } = this.#context;
    effects.saw("process", slot, `replica ${slot} ended: ${how}`);
    this.#ends.set(slot, how);
    engine.after(noticeUs, this.#noticed, slot);
  }

  #clear(replica: Replica): void {
    replica.isUp = false;
    replica.isFrozen = false;
    replica.isBusy = false;
    replica.isOwed = false;
    replica.queue.length = 0;
    replica.backlog.length = 0;
    this.#context.engine.note("replica.cleared", replica.slot, replica.incarnation);
  }

  #freeze(replica: Replica | undefined): (() => void) | null {
    if (replica === undefined || !replica.isUp) return null;
    const { incarnation } = replica;
    replica.isFrozen = true;
    return () => {
      if (!replica.isUp || replica.incarnation !== incarnation) return;
      replica.isFrozen = false;
      for (const what of replica.backlog.splice(0)) what();
    };
  }

  #slotChanged(slot: number, state: DeviceState): void {
    const replica = this.#replicas[slot];
    if (replica === undefined) return;
    if (state === "dead") this.#end(slot, "its device was lost");
    if (state !== "up") return;
    if (replica.isOwed) {
      replica.isOwed = false;
      this.#context.engine.after(1, this.#served, slot, replica.incarnation);
    }
    this.start(slot);
  }
}
