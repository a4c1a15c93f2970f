import { type EventKind, type SimEngine } from "../engine/index.ts";
import { never } from "../network/index.ts";
import { CarriedByLinks } from "./carried.ts";
import type { Channel, Crew, Group } from "./crew.ts";
import { ExchangeTimes } from "./exchange-times.ts";
import type { JobContext } from "./job-context.ts";
import { LinkWaits } from "./link-waits.ts";
import type { SimProcess } from "./sim-process.ts";
import { type CanTalk, suspectsOf } from "./suspects.ts";

export interface ExchangeHooks {
  /** Everybody is in it and it will end; called once for each. */
  completed(group: Group): void;
  /** A process has what it waited for. */
  released(process: SimProcess): void;
  /** It waited for too long. */
  timedOut(process: SimProcess, suspects: readonly number[]): void;
  /** By index: those that are alive. */
  readonly processes: readonly (SimProcess | undefined)[];
}

/**
 * Who waits in which exchange. One ends when the last of its ranks has come, after the modelled time of its
 * links; who has waited for `collectiveUs` gives up.
 */
export class Exchanges {
  readonly #engine: SimEngine;
  readonly #hooks: ExchangeHooks;
  readonly #processes: ExchangeHooks["processes"];
  readonly #times: ExchangeTimes;
  readonly #collectiveUs: number;
  readonly #ignoresLate: boolean;
  readonly #groups = new Map<number, Group>();
  readonly #channels = new Map<number, Channel>();
  readonly #linkWaits: LinkWaits<Group | Channel>;
  readonly #carried: CarriedByLinks;
  readonly #canTalk: CanTalk;
  readonly #done: EventKind;
  readonly #arrived: EventKind;
  readonly #watch: EventKind;
  readonly #goOn: EventKind;
  #made = 0;

  constructor(context: JobContext, hooks: ExchangeHooks) {
    const { engine, plan, network } = context;
    this.#engine = engine;
    this.#hooks = hooks;
    this.#processes = hooks.processes;
    this.#times = new ExchangeTimes(context);
    this.#linkWaits = new LinkWaits(context, {
      exchangeAt: (index) => this.#groups.get(index) ?? this.#channels.get(index),
      passed: (exchange) => this.#passed(exchange),
    });
    this.#carried = new CarriedByLinks(engine);
    this.#canTalk = (one, other) => !this.#times.isDisturbed || network.canTalk(one, other);
    this.#collectiveUs = plan.timeouts.collectiveUs;
    this.#ignoresLate = plan.defects.includes("ignoreRank");
    this.#done = engine.kind("exchange.done", (index, token) => this.#onDone(index, token));
    this.#arrived = engine.kind("exchange.arrived", (index) => this.#onArrived(index));
    this.#watch = engine.kind("exchange.watch", (index) => this.#onWatch(index), {
      isWatchdog: true,
    });
    this.#goOn = engine.kind("exchange.ignore", (at, nth) => this.#onIgnore(at, nth));
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

  /** The numbers of groups that are not made. */
  leaveOut(groups: number): void {
    this.#made += groups;
  }

  /** A crew that nobody is in any more. */
  forget(crew: Crew): void {
    const { join, all, compare, tp, dp, forward, backward } = crew;
    for (const exchange of [join, all, compare, ...tp, ...dp, ...forward, ...backward]) {
      if (exchange === undefined) continue;
      this.#groups.delete(exchange.index);
      this.#channels.delete(exchange.index);
      this.#linkWaits.delete(exchange);
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
    channel.stalled++;
    // What was sent earlier has to arrive earlier.
    if (this.#linkWaits.has(channel)) return;
    const shut = this.#times.isDisturbed ? this.#times.shutOfChannel(channel) : [];
    if (shut.length > 0) this.#linkWaits.begin(channel, shut);
    else this.#passed(channel);
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
    process.token++;
    if (wait === null || !("entered" in wait)) return;
    const place = wait.placeOf(process.rank);
    if ((wait.entered[place] as number) > wait.sequence) {
      wait.entered[place] = (wait.entered[place] as number) - 1;
      wait.here--;
      this.#linkWaits.delete(wait);
    } else if (this.#engine.nowUs < wait.doneUs) {
      this.#break(wait);
    }
  }

  /** It has waited for too long: it was there, and the exchange is spoilt for everybody. */
  giveUp(process: SimProcess): void {
    const { wait } = process;
    process.wait = null;
    process.token++;
    if (wait !== null && "entered" in wait) wait.isDropped = true;
  }

  /** Links are disturbed by one fault more; or by one fewer, and what did not get through may now. */
  linksChanged(change: 1 | -1): void {
    this.#times.linksChanged(change);
    if (change === 1) return;
    this.#linkWaits.linksHealed();
    this.#carried.linksHealed();
  }

  #waits(process: SimProcess, on: Group | Channel, isWatched: boolean): void {
    process.wait = on;
    process.waitSinceUs = isWatched ? this.#engine.nowUs : never;
    if (!isWatched || process.hasWatch) return;
    process.hasWatch = true;
    this.#engine.after(this.#collectiveUs, this.#watch, process.index);
  }

  #complete(group: Group): void {
    const shut = this.#times.isDisturbed ? this.#times.shutOfGroup(group) : [];
    if (shut.length > 0) this.#linkWaits.begin(group, shut);
    else this.#passed(group);
  }

  /** Each of its links has taken something: the rest is a matter of the time that links take. */
  #passed(exchange: Group | Channel): void {
    if (!("entered" in exchange)) {
      this.#channelPassed(exchange);
      return;
    }
    if (exchange.isDropped) return;
    const us = this.#times.ofGroup(exchange);
    if (us !== never) this.#release(exchange, us);
    // One that it had passed was cut meanwhile.
    else this.#linkWaits.begin(exchange, this.#times.shutOfGroup(exchange));
  }

  #channelPassed(channel: Channel): void {
    const us = this.#times.ofChannel(channel);
    if (us === never) {
      this.#linkWaits.begin(channel, this.#times.shutOfChannel(channel));
      return;
    }
    const usNow = () => this.#times.ofChannel(channel);
    const done = () => this.#onArrived(channel.index);
    for (; channel.stalled > 0; channel.stalled--) {
      if (this.#times.isDisturbed) this.#carried.begin({ us, usNow, done });
      else this.#engine.after(us, this.#arrived, channel.index);
    }
  }

  #release(group: Group, linksUs: number): void {
    const { ranks, crew, extraUs } = group;
    group.sequence++;
    group.here = 0;
    group.extraUs = 0;
    group.doneUs = this.#engine.nowUs + linksUs + extraUs;
    this.#hooks.completed(group);
    if (this.#times.isDisturbed) {
      this.#carryAnswer(group, linksUs, extraUs);
      return;
    }
    for (let place = 0; place < ranks.length; place++) {
      const process = crew.members[ranks[place] as number];
      if (process === undefined || process.wait !== group) continue;
      this.#engine.at(group.doneUs, this.#done, process.index, process.token);
    }
  }

  #carryAnswer(group: Group, us: number, extraUs: number): void {
    const waiting = group.ranks.flatMap((rank) => {
      const process = group.crew.members[rank];
      return process?.wait === group ? [{ index: process.index, token: process.token }] : [];
    });
    this.#carried.begin({
      us,
      extraUs,
      usNow: () => (group.doneUs < 0 ? never : this.#times.ofGroup(group)),
      moved: (doneUs) => void (group.doneUs = doneUs),
      done: () => waiting.forEach(({ index, token }) => this.#onDone(index, token)),
    });
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
    const process = this.#processes[index];
    if (process === undefined || process.token !== token) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onDone(index, token));
      return;
    }
    process.wait = null;
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
    const process = this.#processes[index];
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
      this.#hooks.timedOut(process, suspectsOf(process, wait, this.#canTalk));
      return;
    }
    process.hasWatch = true;
    this.#engine.at(dueUs, this.#watch, process.index);
  }

  /** The defect: half of the timeout is over, and the sum goes on without who is late. */
  #onIgnore(index: number, sequence: number): void {
    const group = this.#groups.get(index);
    if (group === undefined || group.sequence !== sequence || group.here === 0) return;
    const missing = group.missing();
    if (missing.length === 0) return;
    for (const rank of missing) group.crew.ignored.add(group.crew.replicaOf(rank));
    group.extraUs = 0;
    this.#release(group, 1);
  }
}
