import assert from "node:assert/strict";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createRng, type Rng } from "../../../platform/rng/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { type Address, parseAddress } from "../../../runtime/ranks/wire/address.ts";
import type { ActiveEffect, EffectState, LinkEffect } from "./link-effect.ts";
import { Relay } from "./relay.ts";

export interface LinkProxyOptions {
  readonly clock: Clock;
  /** Of jitter and of losses. */
  readonly seed: string;
  /** Workers; the coordinator is the end after the last of them. */
  readonly slots: number;
  /** The interface to listen on. */
  readonly host: string;
  /** An effect was felt on a link for the first time. */
  readonly onHit: (injection: string, what: string) => void;
}

/** A direction between two slots. */
export interface Direction {
  readonly from: number;
  readonly to: number;
}

/** A listener for each ordered pair of slots costs a descriptor. */
export const proxySlotsMax = 48;

/**
 * All that workers send each other passes here. Each pair of slots has a port of its own, so it is known
 * who speaks to whom; the rank that receives dials, and data flows to it.
 */
export class LinkProxy {
  readonly #o: LinkProxyOptions;
  readonly #rng: Rng;
  readonly #servers = new Map<string, Server>();
  readonly #targets = new Map<number, Address>();
  readonly #effects = new Map<string, ActiveEffect[]>();
  readonly #relays = new Map<string, Set<Relay>>();
  readonly #sockets = new Set<Socket>();
  readonly #bytes = new Map<string, number>();
  readonly #felt = new Set<string>();
  #generation = 0;

  static async open(options: LinkProxyOptions): Promise<LinkProxy> {
    const proxy = new LinkProxy(options);
    const { slots } = options;
    assert(slots <= proxySlotsMax, `at most ${proxySlotsMax} slots`);
    // The coordinator is one more end; it dials nobody.
    const ends = slots + 1;
    const pairs = Array.from({ length: slots * ends }, (_, at) => ({
      from: at % ends,
      to: Math.floor(at / ends),
    }));
    await Promise.all(
      pairs.filter(({ from, to }) => from !== to).map((pair) => proxy.#listen(pair)),
    );
    return proxy;
  }

  private constructor(options: LinkProxyOptions) {
    this.#o = options;
    this.#rng = createRng(options.seed);
  }

  /** Where `dialler` reaches `listener`. */
  portFor(dialler: number, listener: number): number {
    const bound = this.#servers.get(keyOf({ from: listener, to: dialler }))?.address();
    assert(typeof bound === "object" && bound !== null, "each pair has a port");
    return bound.port;
  }

  addressFor(dialler: number, listener: number): string {
    return `${this.#o.host}:${this.portFor(dialler, listener)}`;
  }

  /** Where an end listens from now on. */
  setTarget(end: number, address: string): void {
    const target = parseAddress(address);
    assert(target !== undefined, "an end listens at an address");
    this.#targets.set(end, target);
  }

  /** Connections that are made from now on are of another attempt of the job, whose exchanges count anew. */
  beginAttempt(): void {
    this.#generation++;
  }

  begin(injection: string, effect: LinkEffect, directions: readonly Direction[]): void {
    const state: EffectState = {
      sinceMs: this.#o.clock.monotonicMs(),
      decided: new Map(),
      hit: 0,
    };
    for (const direction of directions) {
      const key = keyOf(direction);
      const active = [...(this.#effects.get(key) ?? []), { injection, effect, state }];
      this.#effects.set(key, active);
      for (const relay of this.#relays.get(key) ?? []) relay.pump();
    }
  }

  end(injection: string): void {
    for (const [key, active] of this.#effects) {
      const left = active.filter((one) => one.injection !== injection);
      if (left.length === active.length) continue;
      if (left.length === 0) this.#effects.delete(key);
      else this.#effects.set(key, left);
      for (const relay of this.#relays.get(key) ?? []) relay.healed();
    }
  }

  /** What is in force, as the directions themselves have it: `rank 0 -> rank 1: cut`. */
  inForce(): readonly { readonly injection: string; readonly what: string }[] {
    return [...this.#effects].flatMap(([key, active]) =>
      active.map(({ injection, effect }) => ({ injection, what: `${key}: ${effect.kind}` })),
    );
  }

  bytesBetween(direction: Direction): number {
    return this.#bytes.get(keyOf(direction)) ?? 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(
      [...this.#servers.values()].map(
        (server) => new Promise<void>((resolve) => server.close(() => resolve())),
      ),
    );
  }

  async #listen(direction: Direction): Promise<void> {
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) =>
      this.#accept(direction, socket),
    );
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: this.#o.host, port: 0 }, () => {
        server.off("error", reject).on("error", () => {});
        resolve();
      });
    });
    this.#servers.set(keyOf(direction), server);
  }

  #accept(direction: Direction, receiver: Socket): void {
    const target = this.#targets.get(direction.from);
    if (target === undefined) {
      receiver.destroy();
      return;
    }
    const sender = connect({ ...target, noDelay: true, allowHalfOpen: true });
    const backwards = { from: direction.to, to: direction.from };
    const isData = direction.from < this.#o.slots;
    const forth = this.#relay(direction, { from: sender, to: receiver, isData });
    const back = this.#relay(backwards, { from: receiver, to: sender, isData: false });
    const sockets = [receiver, sender];
    const over = () => {
      for (const { relay, key } of [forth, back]) {
        relay.close();
        this.#relays.get(key)?.delete(relay);
      }
      for (const socket of sockets) {
        socket.destroy();
        this.#sockets.delete(socket);
      }
    };
    for (const socket of sockets) {
      this.#sockets.add(socket);
      // Who ends in order is waited for by the relay; a reset ends both at once.
      socket.on("error", over).on("close", over);
    }
  }

  #relay(
    direction: Direction,
    ends: { readonly from: Socket; readonly to: Socket; readonly isData: boolean },
  ) {
    const key = keyOf(direction);
    const { clock } = this.#o;
    const relay = new Relay({
      ...ends,
      clock,
      chance: this.#rng.stream(`${key}, generation ${this.#generation}`),
      generation: this.#generation,
      effects: () => this.#effects.get(key) ?? none,
      onHit: (injection, what) => this.#hit(injection, direction, what),
      onBytes: (sizeBytes) => this.#bytes.set(key, this.bytesBetween(direction) + sizeBytes),
    });
    const relays = this.#relays.get(key) ?? new Set();
    this.#relays.set(key, relays.add(relay));
    return { relay, key };
  }

  #hit(injection: string, { from, to }: Direction, what: string): void {
    if (this.#felt.has(injection)) return;
    this.#felt.add(injection);
    this.#o.onHit(injection, `the proxy, slot ${from} to slot ${to}: ${what}`);
  }
}

const none: readonly ActiveEffect[] = [];

function keyOf({ from, to }: Direction): string {
  return `slot ${from} -> slot ${to}`;
}
