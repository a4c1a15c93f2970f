import type { Socket } from "node:net";
import type { RngStream } from "../../../platform/rng/index.ts";
import type { Clock, Timer } from "../../../platform/time/index.ts";
import { linuxRetransmission, nextTry, type Try } from "../../transport/index.ts";
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
  /** It may be sent from then on. */
  readonly readyMs: number;
  /** For all of it, as the link is. */
  wireMs: number;
  /** The last of it has left. */
  atMs: number;
  /** Packets that have not come through. */
  packets: number;
}

/** What may wait here before the sender is no longer read. */
const heldBytesMax = 4 * 2 ** 20;
const usPerMs = 1000;
const packetBytes = 1448;
/** A link that is slower by a factor: what a message on this machine takes otherwise. */
const plainMs = 0.2;
const atOnce: Try = { atUs: 0, before: 0 };

/** Carries bytes one way between two sockets, in order, as the effects in force let it. */
export class Relay {
  readonly #o: RelayOptions;
  readonly #tap = new MessageTap();
  #queue: Held[] = [];
  #heldBytes = 0;
  #lastMs = 0;
  /** When the sender's kernel tries next; null: it has given up. */
  #try: Try | null = atOnce;
  readonly #end: Held = { bytes: Buffer.alloc(0), readyMs: 0, wireMs: 0, atMs: 0, packets: 1 };
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
    this.#sendDue(nowMs);
    if (this.#heldBytes < heldBytesMax) this.#o.from.resume();
    const [next] = this.#queue;
    if (next === undefined) {
      if (!this.#isEnding || this.#isSwallowing) return;
      // That somebody is gone does not pass a link that is down either.
      if (this.#passes(this.#end, nowMs)) {
        to.end();
        return;
      }
    }
    if (this.#try === null || to.writableNeedDrain) return;
    const inMs = Math.max(next?.atMs ?? 0, this.#try.atUs / usPerMs) - nowMs;
    this.#timer = clock.setTimer(Math.max(1, inMs), () => this.pump());
  }

  /** Something that was done to the link is over: what has not left goes at the speed that it has now. */
  healed(): void {
    let lastMs = this.#o.clock.monotonicMs();
    for (const held of this.#queue) {
      const leftMs = Math.min(Math.max(0, held.atMs - lastMs), held.wireMs);
      const wireMs = Math.min(held.wireMs, this.#transferMs(held.bytes.length));
      const share = held.wireMs === 0 ? 0 : leftMs / held.wireMs;
      held.wireMs = wireMs;
      held.atMs = Math.max(lastMs, held.readyMs) + share * wireMs;
      lastMs = held.atMs;
    }
    this.#lastMs = lastMs;
    this.pump();
  }

  #sendDue(nowMs: number): void {
    const { to } = this.#o;
    while (!to.writableNeedDrain) {
      const [next] = this.#queue;
      if (next === undefined || next.atMs > nowMs || !this.#passes(next, nowMs)) return;
      this.#queue.shift();
      this.#heldBytes -= next.bytes.length;
      to.write(next.bytes);
    }
  }

  /** Whether the link takes something now, as far as the sender's kernel tries now. */
  #passes(held: Held, nowMs: number): boolean {
    const nowUs = nowMs * usPerMs;
    if (this.#try === null || nowUs < this.#try.atUs) return false;
    if (!this.#isShut(nowMs) && !this.#losesSome(held)) {
      this.#try = atOnce;
      return true;
    }
    const tried = { atUs: nowUs, before: this.#try.before };
    this.#try = nextTry(tried, nowUs, linuxRetransmission, () => this.#o.chance.float());
    return false;
  }

  #isShut(nowMs: number): boolean {
    return this.#o.effects().some((one) => one.effect.kind === "cut" || isDown(one, nowMs));
  }

  /** Sends what has not come through; false when all of it does now. */
  #losesSome(held: Held): boolean {
    for (const { effect, injection } of this.#o.effects()) {
      if (effect.kind !== "loss") continue;
      let lost = 0;
      for (let packet = 0; packet < held.packets; packet++) {
        if (this.#o.chance.float() < effect.share) lost++;
      }
      if (lost === 0) continue;
      this.#o.onHit(injection, `${lost} of ${held.packets} packets were lost`);
      held.packets = lost;
      return true;
    }
    return false;
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
    const readyMs = nowMs + addedMs;
    const wireMs = this.#transferMs(bytes.length);
    const atMs = Math.max(this.#lastMs, readyMs) + wireMs;
    this.#lastMs = atMs;
    const packets = Math.ceil(bytes.length / packetBytes);
    this.#queue.push({ bytes, readyMs, wireMs, atMs, packets });
    this.#heldBytes += bytes.length;
    this.#sayBarred(bytes.length, nowMs);
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
      } else if (effect.kind === "slow") {
        ownMs = (effect.factor - 1) * plainMs;
      }
      if (ownMs > 0)
        this.#o.onHit(injection, `${sizeBytes} bytes came ${ownMs.toFixed(1)} ms later`);
      sumMs += ownMs;
    }
    return sumMs;
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
