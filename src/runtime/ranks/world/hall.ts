import assert from "node:assert/strict";
import type { Clock, Timer } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import { version as ownVersion } from "../../../version.ts";
import type { Admission } from "../wire/handshake.ts";
import type { Peer } from "../wire/peer.ts";
import {
  type FromRank,
  fromRankSchema,
  joinSchema,
  rollCallMs,
  type ToRank,
  type Verdict,
} from "./messages.ts";
import { rankList } from "./words.ts";

export interface HallOptions {
  readonly worldSize: number;
  readonly clock: Clock;
  /** What ranks must run. @default this program's version */
  readonly version?: string;
}

interface Member {
  readonly rank: number;
  readonly peer: Peer;
  listens?: string;
  heardMs: number;
  operation: number;
  at: string;
  left: boolean;
}

/** A question to all ranks where they are, because one of them waited in vain. */
interface RollCall {
  readonly complainer: Member;
  readonly problem: string;
  /** Those that have not answered yet. */
  readonly silent: Set<Member>;
  readonly timer: Timer;
}

interface Meeting {
  readonly what: string;
  readonly values: Map<number, unknown>;
  readonly timer: Timer;
}

/** The state of a rendezvous: who is here, who waits for what, and how it ended. */
export class Hall {
  readonly #options: HallOptions;
  readonly #members = new Map<number, Member>();
  readonly #meetings = new Map<number, Meeting>();
  /** Ranks that have said goodbye. */
  readonly #left = new Set<number>();
  #joinTimer: Timer | undefined;
  #roll: RollCall | undefined;
  #begun = false;
  #verdict: Verdict | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: HallOptions) {
    assert(Number.isInteger(options.worldSize) && options.worldSize >= 1, "a world has ranks");
    this.#options = options;
  }

  admit(words: unknown): Admission {
    const { worldSize, version = ownVersion } = this.#options;
    const { success, data } = joinSchema.safeParse(words);
    if (!success) return { refused: "it does not say which rank it is" };
    if (data.version !== version) {
      return { refused: `it runs Tessera ${data.version}, the others ${version}` };
    }
    if (data.worldSize !== worldSize) {
      return { refused: `it expects ${data.worldSize} ranks, the others ${worldSize}` };
    }
    if (data.rank >= worldSize) {
      return { refused: `there is no rank ${data.rank} among ${worldSize}` };
    }
    if (this.#verdict !== undefined) return { refused: this.#verdict.problem };
    if (this.#members.has(data.rank)) return { refused: `rank ${data.rank} is already here` };
    return { words: { version } };
  }

  enter(peer: Peer, { rank, timeoutMs }: { rank: number; timeoutMs: number }) {
    const heardMs = this.#options.clock.monotonicMs();
    const member: Member = { rank, peer, heardMs, operation: 0, at: "", left: false };
    this.#members.set(rank, member);
    this.#joinTimer ??= this.#options.clock.setTimer(timeoutMs, () => this.#missing(timeoutMs));
    return {
      onMessage: (message: unknown) => this.#hear(member, fromRankSchema.parse(message)),
      onClose: (problem: string | undefined) => this.#gone(member, problem),
    };
  }

  emptied(waitMs: number): Promise<void> {
    if (this.#members.size === 0 || waitMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#options.clock.setTimer(waitMs, resolve);
      this.#onEmpty = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  close(): void {
    this.#joinTimer?.cancel();
    this.#roll?.timer.cancel();
    for (const { timer } of this.#meetings.values()) timer.cancel();
    for (const { peer } of this.#members.values()) peer.end();
  }

  #hear(member: Member, message: FromRank): void {
    member.heardMs = this.#options.clock.monotonicMs();
    switch (message.type) {
      case "here":
        member.listens = message.listens;
        return this.#beginWhenAll();
      case "meet":
        return this.#meet(member, message);
      case "alive":
        member.operation = message.operation;
        member.at = message.what;
        return this.#answer(member);
      case "stalled":
        member.operation = Math.max(member.operation, message.operation);
        return this.#callRoll(member, message.problem);
      case "abort":
        return this.#end({ type: "aborted", rank: message.rank, problem: message.problem });
      case "bye":
        return this.#leave(member);
    }
  }

  #leave(member: Member): void {
    member.left = true;
    this.#left.add(member.rank);
    for (const { what, values } of this.#meetings.values()) {
      if (!values.has(member.rank)) {
        return this.#lost(member.rank, `it left, and others wait for it in ${what}`);
      }
    }
    return undefined;
  }

  #beginWhenAll(): void {
    const { worldSize } = this.#options;
    const peers = [...this.#members.values()]
      .toSorted((a, b) => a.rank - b.rank)
      .flatMap(({ listens }) => listens ?? []);
    if (this.#begun || peers.length < worldSize) return;
    this.#begun = true;
    this.#joinTimer?.cancel();
    this.#tell({ type: "begin", peers });
  }

  #meet(member: Member, message: Extract<FromRank, { type: "meet" }>): void {
    const { sequence, what, value, timeoutMs } = message;
    const { worldSize, clock } = this.#options;
    const [gone] = this.#left;
    if (gone !== undefined) return this.#lost(gone, `it left, and others wait for it in ${what}`);
    const meeting = this.#meetings.get(sequence) ?? {
      what,
      values: new Map<number, unknown>(),
      timer: clock.setTimer(timeoutMs, () => this.#late(sequence, timeoutMs)),
    };
    this.#meetings.set(sequence, meeting);
    if (meeting.what !== what) {
      return this.#lost(member.rank, `it is at ${what} while others are at ${meeting.what}`);
    }
    meeting.values.set(member.rank, value);
    if (meeting.values.size < worldSize) return undefined;
    meeting.timer.cancel();
    this.#meetings.delete(sequence);
    const values = Array.from({ length: worldSize }, (_, rank) => meeting.values.get(rank));
    return this.#tell({ type: "met", sequence, values });
  }

  #missing(timeoutMs: number): void {
    const missing = this.#ranks().filter((rank) => this.#members.get(rank)?.listens === undefined);
    const problem = `${rankList(missing)} of ${this.#options.worldSize} did not come within ${formatDurationMs(timeoutMs)}`;
    this.#end({ type: "aborted", problem });
  }

  #late(sequence: number, timeoutMs: number): void {
    const meeting = this.#meetings.get(sequence);
    if (meeting === undefined) return;
    const missing = this.#ranks().filter((rank) => !meeting.values.has(rank));
    const where = `did not come to ${meeting.what} within ${formatDurationMs(timeoutMs)}`;
    this.#lost(missing[0] ?? 0, `${rankList(missing)} ${where}`);
  }

  /** Someone waited in vain. All are asked where they are, and whoever is behind or mute is named. */
  #callRoll(complainer: Member, problem: string): void {
    if (this.#roll !== undefined || this.#verdict !== undefined) return;
    const silent = new Set(this.#members.values());
    silent.delete(complainer);
    const timer = this.#options.clock.setTimer(rollCallMs, () => this.#blame());
    this.#roll = { complainer, problem, silent, timer };
    this.#tell({ type: "where" });
  }

  #answer(member: Member): void {
    if (this.#roll?.silent.delete(member) && this.#roll.silent.size === 0) this.#blame();
  }

  #blame(): void {
    if (this.#roll === undefined) return;
    const { complainer, problem, silent, timer } = this.#roll;
    timer.cancel();
    const [mute] = silent;
    if (mute !== undefined) {
      const silence = this.#options.clock.monotonicMs() - mute.heardMs;
      const words = `it has been silent for ${formatDurationMs(Math.round(silence))}; ${problem}`;
      return this.#lost(mute.rank, words);
    }
    const behind = [...this.#members.values()].toSorted((a, b) => a.operation - b.operation)[0];
    if (behind !== undefined && behind.operation < complainer.operation) {
      const where = behind.at === "" ? "" : ` (${behind.at})`;
      const words = `it is still at operation ${behind.operation}${where}; ${problem}`;
      return this.#lost(behind.rank, words);
    }
    return this.#lost(complainer.rank, problem);
  }

  #gone(member: Member, problem: string | undefined): void {
    if (this.#members.get(member.rank) === member) this.#members.delete(member.rank);
    if (this.#members.size === 0) this.#onEmpty?.();
    // Before all have met, a rank may come again: pods are restarted.
    if (!this.#begun || member.left) return;
    const why = problem === undefined ? "" : ` (${problem})`;
    const where = member.at === "" ? "" : ` at ${member.at}`;
    this.#lost(member.rank, `its connection was closed${where}${why}`);
  }

  #lost(rank: number, problem: string): void {
    this.#end({ type: "aborted", rank, problem });
  }

  #end(verdict: Verdict): void {
    if (this.#verdict !== undefined) return;
    this.#verdict = verdict;
    this.#joinTimer?.cancel();
    this.#roll?.timer.cancel();
    for (const { timer } of this.#meetings.values()) timer.cancel();
    this.#tell(verdict);
  }

  #tell(message: ToRank): void {
    for (const { peer } of this.#members.values()) peer.send(message);
  }

  #ranks(): readonly number[] {
    return Array.from({ length: this.#options.worldSize }, (_, rank) => rank);
  }
}
