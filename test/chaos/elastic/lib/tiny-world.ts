import { strict as assert } from "node:assert";
import {
  type Coordinator,
  type CoordinatorOptions,
  createCoordinator,
  type PlatformNews,
  type Slot,
  stepOfTag,
  type ToCoordinator,
  type WorkerOptions,
} from "../../../../src/chaos/elastic/index.ts";
import type { JobEvent } from "../../../../src/chaos/record/index.ts";
import { Laws } from "./laws.ts";
import { TinyProcess } from "./tiny-process.ts";
import { Dice, TinyQueue } from "./tiny-queue.ts";

export interface TinySetup {
  readonly coordinator: CoordinatorOptions;
  readonly worker: WorkerOptions;
}

interface Meeting {
  readonly arrived: Map<
    number,
    { readonly process: TinyProcess; readonly era: number; readonly done: Done }
  >;
  isOver: boolean;
}
type Done = (peers: readonly TinyProcess[]) => void;

interface Checkpoint {
  readonly step: number;
  corruption: number;
  isTorn: boolean;
}

const eventsMax = 60_000;

/** Machines, links and storage as small as they can be, for real coordinators and workers. */
export class TinyWorld {
  readonly setup: TinySetup;
  readonly dice: Dice;
  readonly queue = new TinyQueue();
  readonly events: JobEvent[] = [];
  readonly processes = new Map<Slot, TinyProcess>();
  readonly absent = new Set<Slot>();
  readonly storage = new Map<string, Checkpoint>();
  /** Messages between the coordinator and a slot arrive then at the earliest. */
  readonly cutUntilUs = new Map<Slot, number>();
  storageFailsUntilUs = 0;
  readonly coordinator: Coordinator;
  readonly laws: Laws;
  readonly #killed = new Set<string>();
  readonly #timers = new Map<string, { readonly atUs: number }>();
  readonly #arrivals = new Map<string, number>();
  readonly #meetings = new Map<string, Meeting>();

  constructor(setup: TinySetup, seed: number) {
    this.setup = setup;
    this.dice = new Dice(seed);
    this.laws = new Laws(this);
    this.coordinator = createCoordinator(setup.coordinator, {
      send: (to, message) =>
        this.#travel(`to ${to.slot}`, to.slot, () => {
          const process = this.processes.get(to.slot);
          if (process?.name.incarnation !== to.incarnation) return;
          // Orders do not belong to an operation: only the end of the process takes them away.
          const deliver = (): void => {
            if (!process.isAlive || process.frozenUntilUs === Number.POSITIVE_INFINITY) return;
            if (process.frozenUntilUs > this.queue.nowUs)
              this.queue.at(process.frozenUntilUs, deliver);
            else process.receive(message);
            this.check();
          };
          deliver();
        }),
      start: (worker) => {
        this.laws.started(worker);
        this.queue.after(this.dice.between(500, 3000), () =>
          this.#start(worker.slot, worker.incarnation),
        );
      },
      kill: (worker) => {
        this.#killed.add(`${worker.slot}:${worker.incarnation}`);
        this.queue.after(this.dice.between(10, 500), () => {
          const process = this.processes.get(worker.slot);
          if (process?.name.incarnation === worker.incarnation) this.die(process, "SIGKILL");
          else this.#news({ type: "exited", worker, how: "never ran" });
        });
      },
      setTimer: (name, atUs) => this.#setTimer(name, atUs),
      record: (event) => {
        const full = { ...event, atUs: this.queue.nowUs } as JobEvent;
        this.events.push(full);
        this.laws.recorded(full);
      },
    });
  }

  /** Until the job has ended and everything is quiet. */
  run(): void {
    this.coordinator.start(0);
    while (!this.isOver() && this.queue.processed < eventsMax) {
      assert(this.queue.step(), "a job that has not ended waits for something");
    }
    assert(this.isOver(), `the job ends within ${eventsMax} events`);
    while (this.processes.size > 0) {
      assert(this.queue.processed < 2 * eventsMax, "all workers go when the job is over");
      this.queue.step();
    }
  }

  isOver(): boolean {
    return this.coordinator.phase === "finished" || this.coordinator.phase === "gave-up";
  }

  check(): void {
    this.laws.check();
  }

  toCoordinator(process: TinyProcess, message: ToCoordinator): void {
    this.#travel(`from ${process.name.slot}:${process.name.incarnation}`, process.name.slot, () => {
      this.coordinator.message(process.name, message, this.queue.nowUs);
      this.check();
    });
  }

  tell(news: PlatformNews): void {
    this.#news(news);
  }

  began(process: TinyProcess, step: number): void {
    this.laws.began(process, step);
  }

  die(process: TinyProcess, how: string): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    this.processes.delete(process.name.slot);
    this.forget(process);
    this.#news({ type: "exited", worker: process.name, how });
    if (this.dice.chance(0.5)) return;
    // Some peers see the connection break before anybody hears of the end.
    for (const meeting of this.#meetings.values()) {
      for (const { process: peer, era } of meeting.arrived.values()) {
        if (meeting.isOver || peer.assignment?.generation !== process.assignment?.generation)
          continue;
        peer.later(this.dice.between(10, 400), () => {
          if (era === peer.era && isWaiting(peer)) peer.fail("peer", [process.rank]);
        });
      }
    }
  }

  /** All ranks of a generation meet; who waits for too long says so. */
  exchange(process: TinyProcess, what: string, done: Done): void {
    const { assignment, era } = process;
    assert(assignment !== null);
    const key = `${assignment.generation} ${what}`;
    const meeting = this.#meetings.get(key) ?? { arrived: new Map(), isOver: false };
    this.#meetings.set(key, meeting);
    meeting.arrived.set(process.rank, { process, era, done });
    if (meeting.arrived.size === assignment.members.length) {
      meeting.isOver = true;
      this.#meetings.delete(key);
      const peers = [...meeting.arrived.values()].map((one) => one.process);
      for (const one of meeting.arrived.values()) {
        one.process.later(this.dice.between(10, 200), () => one.done(peers));
      }
      return;
    }
    if (what === "join") return;
    process.later(this.setup.coordinator.timeouts.collectiveUs, () => {
      if (meeting.isOver) return;
      const missing = assignment.members
        .map((_, rank) => rank)
        .filter((rank) => !meeting.arrived.has(rank));
      process.fail("collective", missing);
    });
  }

  /** It is in no exchange any more. */
  forget(process: TinyProcess): void {
    for (const meeting of this.#meetings.values()) {
      if (meeting.arrived.get(process.rank)?.process === process)
        meeting.arrived.delete(process.rank);
    }
  }

  load(process: TinyProcess, tag: string | null): void {
    process.later(this.dice.between(200, 1500), () => {
      const found =
        tag === null ? { step: 0, corruption: 0, isTorn: false } : this.storage.get(tag);
      if (tag !== null && (found === undefined || found.isTorn)) {
        process.worker.refused(tag, found === undefined ? "missing" : "torn");
        return;
      }
      assert(found !== undefined);
      process.step = found.step;
      process.corruption = found.corruption;
      process.worker.restored(found.step, () => process.digest());
    });
  }

  save(process: TinyProcess, tag: string): void {
    const step = stepOfTag(tag) ?? -1;
    const { corruption } = process;
    const { saveUs } = this.setup.coordinator.timeouts;
    let isOver = false;
    process.later(saveUs, () => {
      if (!isOver) process.worker.saveFailed(tag, step, "not all wrote their parts in time");
      isOver = true;
    });
    process.later(this.dice.between(100, 1500), () => {
      if (this.storageFailsUntilUs > this.queue.nowUs) {
        isOver = true;
        process.worker.saveFailed(tag, step, "no space");
        return;
      }
      this.#shard(process, `save ${tag}`, () => {
        if (isOver) return;
        isOver = true;
        if (process.rank === 0) {
          this.storage.set(tag, { step, corruption, isTorn: false });
          const old = [...this.storage.keys()].toSorted();
          for (const gone of old.slice(0, -this.setup.coordinator.keep)) this.storage.delete(gone);
        }
        process.worker.saved(tag, step);
      });
    });
  }

  #shard(process: TinyProcess, what: string, done: () => void): void {
    const key = `${process.assignment?.generation} ${what}`;
    const meeting = this.#meetings.get(key) ?? { arrived: new Map(), isOver: false };
    this.#meetings.set(key, meeting);
    meeting.arrived.set(process.rank, { process, era: process.era, done });
    if (meeting.arrived.size < (process.assignment?.members.length ?? 0)) return;
    meeting.isOver = true;
    this.#meetings.delete(key);
    for (const one of meeting.arrived.values()) {
      one.process.later(this.dice.between(10, 200), () => one.done([]));
    }
  }

  #start(slot: Slot, incarnation: number): void {
    if (this.#killed.has(`${slot}:${incarnation}`)) return;
    if (this.absent.has(slot)) {
      this.#news({ type: "unavailable", slot, reason: "no such device" });
      return;
    }
    assert(!this.processes.has(slot), "two processes in one slot");
    const process = new TinyProcess(this, { slot, incarnation });
    this.processes.set(slot, process);
  }

  #news(news: PlatformNews): void {
    this.#travel("platform", -1, () => {
      this.coordinator.news(news, this.queue.nowUs);
      this.check();
    });
  }

  /** Messages of one pair keep their order; those of different pairs do not. */
  #travel(pair: string, slot: Slot, arrive: () => void): void {
    const delayUs = this.dice.chance(0.05)
      ? this.dice.between(500, 3000)
      : this.dice.between(5, 150);
    const earliestUs = Math.max(this.#arrivals.get(pair) ?? 0, this.cutUntilUs.get(slot) ?? 0);
    const atUs = Math.max(this.queue.nowUs + delayUs, earliestUs);
    this.#arrivals.set(pair, atUs);
    this.queue.at(atUs, arrive);
  }

  #setTimer(name: string, atUs: number | null): void {
    if (atUs === null) {
      this.#timers.delete(name);
      return;
    }
    const timer = { atUs };
    this.#timers.set(name, timer);
    this.queue.at(atUs, () => {
      if (this.#timers.get(name) !== timer) return;
      this.#timers.delete(name);
      this.coordinator.timer(name, this.queue.nowUs);
      this.check();
    });
  }
}

function isWaiting(process: TinyProcess): boolean {
  const { phase } = process.worker;
  return phase === "training" || phase === "comparing";
}
