import assert from "node:assert/strict";
import type { Endpoint, LinkClass, LinkEffect, LinkScope, LinkState } from "./network.ts";
import { never } from "./network.ts";
import { describeScope, type LinkMatch, matcherOf } from "./scope.ts";

interface InForce {
  readonly scope: LinkScope;
  readonly effect: LinkEffect;
  readonly matches: LinkMatch;
  readonly sinceUs: number;
}

const effectsMax = 2 ** 12;

/** Everything that is done to links now; what deliveries are computed with. */
export class LinkEffects {
  readonly #slots: number;
  readonly #inForce = new Map<number, InForce>();

  constructor(slots: number) {
    this.#slots = slots;
  }

  get isEmpty(): boolean {
    return this.#inForce.size === 0;
  }

  add(handle: number, scope: LinkScope, effect: LinkEffect, nowUs: number): void {
    assert(this.#inForce.size < effectsMax, `at most ${effectsMax} faults of links are in force`);
    assertEffect(effect);
    const matches = matcherOf(scope, this.#slots);
    this.#inForce.set(handle, { scope, effect, matches, sinceUs: nowUs });
  }

  delete(handle: number): boolean {
    return this.#inForce.delete(handle);
  }

  /** A link of a class as all of this makes it at a time. */
  stateOf(from: Endpoint, to: Endpoint, of: LinkClass, atUs: number): LinkState {
    let { latencyUs, jitterUs, bytesPerUs } = of;
    let opensUs = atUs;
    let passes = 1;
    for (const { effect, matches, sinceUs } of this.#inForce.values()) {
      if (!matches(from, to)) continue;
      switch (effect.kind) {
        case "cut":
          opensUs = never;
          break;
        case "latency":
          latencyUs += effect.extraUs;
          jitterUs += effect.jitterUs;
          break;
        case "loss":
          passes *= 1 - effect.share;
          break;
        case "bandwidth":
          bytesPerUs = Math.min(bytesPerUs, effect.bytesPerUs);
          break;
        case "flap":
          opensUs = Math.max(opensUs, flapOpensUs(effect, sinceUs, atUs));
          break;
      }
    }
    if (passes === 0) opensUs = never;
    return { isOpen: opensUs === atUs, opensUs, latencyUs, jitterUs, bytesPerUs, loss: 1 - passes };
  }

  describe(): readonly string[] {
    return [...this.#inForce.values()].map(
      ({ scope, effect }) => `${describeScope(scope)}: ${describeEffect(effect)}`,
    );
  }
}

function flapOpensUs(
  { downUs, upUs }: { readonly downUs: number; readonly upUs: number },
  sinceUs: number,
  atUs: number,
): number {
  const intoUs = (atUs - sinceUs) % (downUs + upUs);
  return intoUs < downUs ? atUs + downUs - intoUs : atUs;
}

function assertEffect(effect: LinkEffect): void {
  const isTime = (us: number) => Number.isSafeInteger(us) && us >= 0;
  switch (effect.kind) {
    case "cut":
      return;
    case "latency":
      return assert(
        isTime(effect.extraUs) && isTime(effect.jitterUs),
        "latency is whole microseconds",
      );
    case "loss":
      return assert(effect.share >= 0 && effect.share <= 1, "loss is a share from 0 to 1");
    case "bandwidth":
      return assert(
        effect.bytesPerUs > 0 && effect.bytesPerUs < Infinity,
        "what is capped still moves",
      );
    case "flap":
      return assert(
        isTime(effect.downUs) && isTime(effect.upUs) && effect.downUs + effect.upUs > 0,
        "a link that flaps is down and up for whole microseconds",
      );
  }
}

function describeEffect(effect: LinkEffect): string {
  switch (effect.kind) {
    case "cut":
      return "cut";
    case "latency":
      return `${effect.extraUs} us more latency, ${effect.jitterUs} us more jitter`;
    case "loss":
      return `${100 * effect.share} % loss`;
    case "bandwidth":
      return `at most ${effect.bytesPerUs} bytes per us`;
    case "flap":
      return `down ${effect.downUs} us, up ${effect.upUs} us, again and again`;
  }
}
