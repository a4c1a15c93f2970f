import { type EventKind, type SimEngine } from "../engine/index.ts";
import { never } from "../network/index.ts";
import type { Channel, Crew, Group } from "./crew.ts";
import { ExchangeTimes } from "./exchange-times.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";

export interface ExchangeHooks {
  /** Everybody is in it and it will end; called once for each. */
  completed(group: Group): void;
  /** A process has what it waited for. */
  released(process: SimProcess): void;
  /** It waited for too long. */
  timedOut(process: SimProcess, suspects: readonly number[]): void;
  processAt(index: number): SimProcess | undefined;
}

/**
 * Who waits in which exchange. One ends when the last of its ranks has come, after the modelled time of its
 * links; who has waited for `collectiveUs` gives up.
 */
export class Exchanges {
  readonly #context: JobContext;
  readonly #engine: SimEngine;
  readonly #hooks: ExchangeHooks;
  readonly #times: ExchangeTimes;
  readonly #collectiveUs: number;
  readonly #ignoresLate: boolean;
  readonly #groups = new Map<number, Group>();
  readonly #channels = new Map<number, Channel>();
  readonly #stalled = new Set<Group | Channel>();
  readonly #done: EventKind;
  readonly #arrived: EventKind;
  readonly #watch: EventKind;
  readonly #goOn: EventKind;
  #made = 0;

  constructor(context: JobContext, hooks: ExchangeHooks) {
    const { engine, plan } = context;
    this.#context = context;
    this.#engine = engine;
    this.#hooks = hooks;
    this.#times = new ExchangeTimes(context);
    this.#collectiveUs = plan.timeouts.collectiveUs;
    this.#ignoresLate = plan.defects.includes("ignoreRank");
    this.#done = engine.kind("exchange.done", (index, token) => this.#onDone(index, token));
    this.#arrived = engine.kind("exchange.arrived", (index) => this.#onArrived(index));
    this.#watch = engine.kind("exchange.watch", (index) => this.#onWatch(index), {
      isWatchdog: true,
    });
    this.#goOn = engine.kind("exchange.ignore", (index, sequence) => {
      this.#onIgnore(index, sequence);
    });
  }

  newGroup(make: (index: number) => Group): Group {
    const group = make(this.#made++ | 0);
    this.#groups.set(group.index, group);
    return group;
  }

  newChannel(make: (index: number) => Channel): Channel {
    const channel = make(this.#made++ | 0);
    this.#channels.set(channel.index, channel);
    return channel;
  }

  /** A crew that nobody is in any more. */
  forget(crew: Crew): void {
    for (const group of [crew.join, crew.all, crew.compare, ...crew.tp, ...crew.dp]) {
      this.#groups.delete(group.index);
      this.#stalled.delete(group);
    }
    for (const channel of [...crew.forward, ...crew.backward]) {
      if (channel === undefined) continue;
      this.#channels.delete(channel.index);
      this.#stalled.delete(channel);
    }
  }

  enter(process: SimProcess, group: Group): void {
    const place = group.placeOf(process.rank);
    const entered = (group.entered[place] as number) + 1;
    group.entered[place] = entered;
    this.#waits(process, group, group.axis !== "join");
    if (entered <= group.sequence) {
      // The others have gone on without it.
      this.#engine.after(1, this.#done, process.index, process.token);
      return;
    }
    group.here++;
    if (this.#ignoresLate && group.here === 1 && (group.axis === "dp" || group.axis === "all")) {
      this.#engine.after(this.#collectiveUs >> 1, this.#goOn, group.index, group.sequence);
    }
    if (group.here === group.ranks.length) this.#complete(group);
  }

  send(channel: Channel, isLost: boolean): void {
    channel.sent++;
    if (isLost) return;
    const us = this.#times.ofChannel(channel);
    if (us !== never) {
      this.#engine.after(us, this.#arrived, channel.index);
      return;
    }
    channel.stalled++;
    this.#stalled.add(channel);
  }

  /** False: nothing has come yet, and the process waits for it. */
  receive(process: SimProcess, channel: Channel): boolean {
    if (channel.available > 0) {
      channel.available--;
      channel.taken++;
      return true;
    }
    this.#waits(process, channel, true);
    return false;
  }

  /** The process takes part in nothing any more. */
  leave(process: SimProcess): void {
    const { wait } = process;
    process.wait = null;
    process.waitSinceUs = never;
    process.token++;
    if (wait === null || !("entered" in wait)) return;
    const place = wait.placeOf(process.rank);
    if ((wait.entered[place] as number) > wait.sequence) {
      wait.entered[place] = (wait.entered[place] as number) - 1;
      wait.here--;
      wait.isStalled = false;
      this.#stalled.delete(wait);
    } else if (this.#engine.nowUs < wait.doneUs) {
      this.#break(wait);
    }
  }

  /** It has waited for too long: it was there, and the exchange is spoilt for everybody. */
  giveUp(process: SimProcess): void {
    const { wait } = process;
    process.wait = null;
    process.waitSinceUs = never;
    process.token++;
    if (wait !== null && "entered" in wait) wait.isDropped = true;
  }

  /** Links are disturbed by one fault more; or by one fewer, and what did not get through may now. */
  linksChanged(change: 1 | -1): void {
    this.#times.linksChanged(change);
    if (change === -1) this.#retry();
  }

  #retry(): void {
    for (const one of [...this.#stalled]) {
      if ("entered" in one) {
        one.isStalled = false;
        this.#stalled.delete(one);
        this.#complete(one);
        continue;
      }
      const us = this.#times.ofChannel(one);
      if (us === never) continue;
      for (; one.stalled > 0; one.stalled--) this.#engine.after(us, this.#arrived, one.index);
      this.#stalled.delete(one);
    }
  }

  #waits(process: SimProcess, on: Group | Channel, isWatched: boolean): void {
    process.wait = on;
    process.waitSinceUs = isWatched ? this.#engine.nowUs : never;
    if (!isWatched || process.hasWatch) return;
    process.hasWatch = true;
    this.#engine.after(this.#collectiveUs, this.#watch, process.index);
  }

  #complete(group: Group): void {
    if (group.isDropped) return;
    const us = this.#times.ofGroup(group);
    if (us === never) {
      group.isStalled = true;
      this.#stalled.add(group);
      return;
    }
    this.#release(group, us + group.extraUs);
  }

  #release(group: Group, us: number): void {
    group.sequence++;
    group.here = 0;
    group.extraUs = 0;
    group.doneUs = this.#engine.nowUs + us;
    this.#hooks.completed(group);
    const { members } = group.crew;
    for (const rank of group.ranks) {
      const process = members[rank];
      if (process === undefined || process.wait !== group) continue;
      this.#engine.after(us, this.#done, process.index, process.token);
    }
  }

  /** One of its ranks was lost in the middle: the others are not answered. */
  #break(group: Group): void {
    group.doneUs = -1;
    for (const rank of group.ranks) {
      const process = group.crew.members[rank];
      if (process?.wait === group) process.token++;
    }
  }

  #onDone(index: number, token: number): void {
    const process = this.#hooks.processAt(index);
    if (process === undefined || process.token !== token) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onDone(index, token));
      return;
    }
    process.wait = null;
    process.waitSinceUs = never;
    this.#hooks.released(process);
  }

  #onArrived(index: number): void {
    const channel = this.#channels.get(index);
    if (channel === undefined) return;
    channel.available++;
    const receiver = channel.crew.members[channel.to];
    if (receiver?.wait !== channel) return;
    // Taken by the very event that a frozen process would put off.
    channel.available--;
    channel.taken++;
    this.#onDone(receiver.index, receiver.token);
  }

  #onWatch(index: number): void {
    const process = this.#hooks.processAt(index);
    if (process === undefined) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onWatch(index));
      return;
    }
    const { wait, waitSinceUs } = process;
    process.hasWatch = false;
    if (wait === null || waitSinceUs === never) return;
    const dueUs = waitSinceUs + this.#collectiveUs;
    if (dueUs <= this.#engine.nowUs) {
      this.#hooks.timedOut(process, this.#suspectsOf(process, wait));
      return;
    }
    process.hasWatch = true;
    this.#engine.at(dueUs, this.#watch, process.index);
  }

  /**
   * Whom a rank can hold responsible, as a roll call of all ranks would tell it: follows their waiting to
   * those who wait for nobody. When what is missing are messages, it is no rank at all.
   */
  #suspectsOf(process: SimProcess, wait: Group | Channel): readonly number[] {
    const { crew } = wait;
    const roots = new Set<number>();
    const seen = new Set([process.rank]);
    const open = [{ process, wait }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const rank of this.#awaitedBy(next.process, next.wait)) {
        if (seen.has(rank)) continue;
        seen.add(rank);
        const other = crew.members[rank];
        if (other?.wait?.crew === crew && other.isAlive && !other.isFrozen && !other.isOwed) {
          open.push({ process: other, wait: other.wait });
        } else roots.add(rank);
      }
    }
    return [...roots].toSorted((one, other) => one - other);
  }

  /** Who has not come, who is gone, whom it does not reach. */
  #awaitedBy(process: SimProcess, wait: Group | Channel): readonly number[] {
    if (!("entered" in wait)) return wait.sent > wait.taken ? [] : [wait.from];
    const missing = wait.missing();
    if (missing.length > 0) return missing;
    const { network } = this.#context;
    const { crew } = wait;
    return wait.ranks.filter((rank) => {
      const other = crew.members[rank];
      if (other === undefined || !other.isAlive) return true;
      return this.#times.isDisturbed && !network.canTalk(process.slot, other.slot);
    });
  }

  /** The defect: half of the timeout is over, and the sum goes on without who is late. */
  #onIgnore(index: number, sequence: number): void {
    const group = this.#groups.get(index);
    if (group === undefined || group.sequence !== sequence || group.here === 0) return;
    const missing = group.missing();
    if (missing.length === 0) return;
    for (const rank of missing) group.crew.ignored.add(group.crew.replicaOf(rank));
    this.#release(group, 1);
  }
}
