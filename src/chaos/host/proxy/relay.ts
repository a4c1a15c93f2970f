import type { Socket } from "node:net";
import type { RngStream } from "../../../platform/rng/index.ts";
import type { Clock, Timer } from "../../../platform/time/index.ts";
import { linuxRetransmission, passesAtUs } from "../../transport/index.ts";
import type { ActiveEffect } from "./link-effect.ts";
import { hitsMessage } from "./message-rule.ts";
import { MessageTap, type Stretch, unknownStretch } from "./message-tap.ts";

export interface RelayOptions {
  readonly from: Socket;
  readonly to: Socket;
  /** Exchanges pass here: their messages are told apart. */
  readonly isData: boolean;
  readonly clock: Clock;
  readonly chance: RngStream;
  /** Tells connections apart: exchanges count anew in each generation. */
  readonly generation: number;
  /** What is in force on this direction now. */
  readonly effects: () => readonly ActiveEffect[];
  /** An effect was felt by what passes here. */
  readonly onHit: (injection: string, what: string) => void;
  readonly onBytes: (sizeBytes: number) => void;
}

interface Held {
  readonly bytes: Buffer;
  readonly atMs: number;
}

/** What may wait here before the sender is no longer read. */
const heldBytesMax = 4 * 2 ** 20;
const usPerMs = 1000;
/** What a kernel waits before it sends a lost packet again, at first. */
const resendMs = linuxRetransmission.retransmitUs / usPerMs;
const packetBytes = 1448;
/** A link that is slower by a factor: what a message on this machine takes otherwise. */
const plainMs = 0.2;

/** Carries bytes one way between two sockets, in order, as the effects in force let it. */
export class Relay {
  readonly #o: RelayOptions;
  readonly #tap = new MessageTap();
  #queue: Held[] = [];
  #heldBytes = 0;
  #lastMs = 0;
  /** When something first met the cut that is in force. */
  #cutMs: number | undefined;
  #openMs = 0;
  #timer: Timer | undefined;
  #isSwallowing = false;
  #isEnding = false;
  #isClosed = false;

  constructor(options: RelayOptions) {
    this.#o = options;
    const { from, to } = options;
    from.on("data", (chunk: Buffer) => this.#take(chunk));
    from.on("end", () => {
      this.#isEnding = true;
      this.pump();
    });
    to.on("drain", () => this.pump());
  }

  /** Effects have changed, or time has passed: sends what may be sent. */
  pump(): void {
    if (this.#isClosed) return;
    const { to, clock } = this.#o;
    this.#timer?.cancel();
    const nowMs = clock.monotonicMs();
    const waitMs = this.#barredMs(nowMs);
    if (waitMs === 0) this.#sendDue(nowMs);
    if (this.#heldBytes < heldBytesMax) this.#o.from.resume();
    const [next] = this.#queue;
    if (next === undefined) {
      // That somebody is gone does not pass a cut either.
      if (this.#isEnding && waitMs === 0 && !this.#isSwallowing) to.end();
      return;
    }
    const inMs = Math.max(waitMs, next.atMs - nowMs);
    if (!Number.isFinite(inMs) || to.writableNeedDrain) return;
    this.#timer = clock.setTimer(Math.max(1, inMs), () => this.pump());
  }

  #sendDue(nowMs: number): void {
    const { to } = this.#o;
    while (!to.writableNeedDrain) {
      const [next] = this.#queue;
      if (next === undefined || next.atMs > nowMs) return;
      this.#queue.shift();
      this.#heldBytes -= next.bytes.length;
      to.write(next.bytes);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#queue = [];
  }

  #take(chunk: Buffer): void {
    this.#o.onBytes(chunk.length);
    const stretches = this.#o.isData ? this.#tap.push(chunk) : [unknownStretch(chunk)];
    for (const stretch of stretches) this.#hold(stretch);
    if (this.#heldBytes >= heldBytesMax) this.#o.from.pause();
    this.pump();
  }

  #hold(stretch: Stretch): void {
    // What comes after a message that was taken away is of no use to anybody, and counts for nothing.
    if (this.#isSwallowing) return;
    const delayMs = this.#messageDelayMs(stretch);
    const { bytes } = stretch;
    if (this.#isSwallowing) return;
    const nowMs = this.#o.clock.monotonicMs();
    const addedMs = delayMs + this.#delayMs(bytes.length);
    const leavesMs = this.#upAtMs(nowMs) + addedMs;
    const atMs = Math.max(this.#lastMs, leavesMs) + this.#transferMs(bytes.length);
    this.#lastMs = atMs;
    this.#queue.push({ bytes, atMs });
    this.#heldBytes += bytes.length;
    this.#sayBarred(bytes.length, nowMs);
  }

  /** How long nothing may leave: infinite during a cut, then until the sender's kernel tries again. */
  #barredMs(nowMs: number): number {
    if (this.#o.effects().some(({ effect }) => effect.kind === "cut")) {
      if (this.#queue.length > 0) this.#cutMs ??= nowMs;
      return Number.POSITIVE_INFINITY;
    }
    if (this.#cutMs !== undefined) {
      const sentMs = this.#cutMs;
      this.#openMs = this.#passesAtMs(sentMs, (atMs) => atMs > sentMs && atMs >= nowMs);
      this.#cutMs = undefined;
    }
    return Math.max(0, this.#openMs - nowMs);
  }

  /** When what is sent now leaves: now, or where the link flaps, when the sender's kernel finds it up. */
  #upAtMs(nowMs: number): number {
    const flaps = this.#o.effects().filter(({ effect }) => effect.kind === "flap");
    if (flaps.length === 0) return nowMs;
    return this.#passesAtMs(nowMs, (atMs) => !flaps.some((flap) => isDown(flap, atMs)));
  }

  #passesAtMs(sentMs: number, passes: (atMs: number) => boolean): number {
    const atUs = passesAtUs(sentMs * usPerMs, linuxRetransmission, {
      chance: () => this.#o.chance.float(),
      passes: (us) => passes(us / usPerMs),
    });
    return atUs / usPerMs;
  }

  #sayBarred(sizeBytes: number, nowMs: number): void {
    for (const active of this.#o.effects()) {
      if (active.effect.kind !== "cut" && !isDown(active, nowMs)) continue;
      this.#o.onHit(active.injection, `${sizeBytes} bytes were held`);
    }
  }

  #delayMs(sizeBytes: number): number {
    let sumMs = 0;
    for (const { effect, injection } of this.#o.effects()) {
      let ownMs = 0;
      if (effect.kind === "delay") {
        ownMs = (effect.latencyUs + this.#o.chance.float() * effect.jitterUs) / 1000;
      } else if (effect.kind === "loss") {
        ownMs = this.#resendMs(sizeBytes, effect.share);
      } else if (effect.kind === "slow") {
        ownMs = (effect.factor - 1) * plainMs;
      }
      if (ownMs > 0)
        this.#o.onHit(injection, `${sizeBytes} bytes came ${ownMs.toFixed(1)} ms later`);
      sumMs += ownMs;
    }
    return sumMs;
  }

  /** What lost packets of these bytes cost: each loss doubles the wait for the next try. */
  #resendMs(sizeBytes: number, share: number): number {
    let mostMs = 0;
    for (let packet = 0; packet < Math.ceil(sizeBytes / packetBytes); packet++) {
      let waitMs = 0;
      for (let tries = 0; tries < 8 && this.#o.chance.float() < share; tries++) {
        waitMs += resendMs * 2 ** tries;
      }
      mostMs = Math.max(mostMs, waitMs);
    }
    return mostMs;
  }

  #transferMs(sizeBytes: number): number {
    let mostMs = 0;
    for (const { effect, injection } of this.#o.effects()) {
      if (effect.kind !== "cap") continue;
      const ownMs = (sizeBytes / effect.bytesPerSecond) * 1000;
      mostMs = Math.max(mostMs, ownMs);
      // What no clock of ours can tell from nothing is no evidence.
      if (ownMs >= 1) this.#o.onHit(injection, `${sizeBytes} bytes took ${ownMs.toFixed(1)} ms`);
    }
    return mostMs;
  }

  /** What rules for messages add to the way of one; or they take it away with all that follows. */
  #messageDelayMs({ exchange, at }: Stretch): number {
    let delayMs = 0;
    if (exchange === null) return delayMs;
    for (const active of this.#o.effects()) {
      const { effect, injection } = active;
      if (effect.kind !== "messages" || !hitsMessage(active, this.#o, exchange)) continue;
      if (effect.rule.action === "drop") {
        this.#isSwallowing = true;
        this.#o.onHit(injection, `the messages of exchange ${exchange} were taken away`);
      } else if (at < 0) {
        delayMs += effect.rule.delayUs / 1000;
        this.#o.onHit(injection, `exchange ${exchange} was held for ${delayMs} ms`);
      }
    }
    return delayMs;
  }
}

/** Whether an effect is a flap whose link is down at a time. */
function isDown({ effect, state }: ActiveEffect, atMs: number): boolean {
  if (effect.kind !== "flap") return false;
  const [downMs, upMs] = [effect.downUs / usPerMs, effect.upUs / usPerMs];
  return (atMs - state.sinceMs) % (downMs + upMs) < downMs;
}
