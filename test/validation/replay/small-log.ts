import { createRng } from "../../../src/platform/rng/index.ts";
import type {
  Choice,
  Openings,
  Policy,
  PublicEvent,
} from "../../../src/validation/prioritize/index.ts";
import {
  type EventLog,
  type PolicyMetrics,
  parseLog,
  replayPolicy,
} from "../../../src/validation/replay/index.ts";

export const hourS = 3600;
export const dayS = 86_400;

/** A fleet of `a`, `b`, … with one check of an hour that finds everything, and wide limits. */
export function smallFleet(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    type: "fleet",
    start: 0,
    end: 10 * dayS,
    nodes: ["a", "b", "c"].map((name) => ({ name, sku: "h100", rack: "r1", gpus: 8 })),
    checks: [{ name: "test", minutes: 60, sensitivity: { bad: 1 } }],
    limits: { inFlight: 8, gpuHoursPerDay: 1000 },
    ...changes,
  };
}

/** A log of a fleet and its events. */
export function smallLog(
  events: readonly object[],
  changes: Readonly<Record<string, unknown>> = {},
): EventLog {
  return parseLog([smallFleet(changes), ...events].map((line) => JSON.stringify(line)).join("\n"));
}

/** A test that a scripted policy asks for at the first opportunity at or after `atS`. */
export interface Wish {
  readonly atS: number;
  readonly node: number;
  readonly check?: number;
}

/** A policy that does what it is told, and remembers what it saw and when it was asked. */
export class ScriptedPolicy implements Policy {
  readonly name = "scripted";
  readonly seen: PublicEvent[] = [];
  readonly askedAtS: number[] = [];
  readonly begunAtS: number[] = [];
  readonly #wishes: Wish[];

  constructor(wishes: readonly Wish[] = []) {
    this.#wishes = [...wishes];
  }

  observe(event: PublicEvent): void {
    this.seen.push(event);
  }

  choose(openings: Openings): Choice | undefined {
    if (this.askedAtS.at(-1) !== openings.nowS) this.askedAtS.push(openings.nowS);
    const index = this.#wishes.findIndex(
      ({ atS, node, check = 0 }) =>
        atS <= openings.nowS && openings.isOpen(node) && openings.fits(node, check),
    );
    const [wish] = index === -1 ? [] : this.#wishes.splice(index, 1);
    if (wish === undefined) return undefined;
    this.begunAtS.push(openings.nowS);
    return { node: wish.node, check: wish.check ?? 0, reason: () => "told to" };
  }

  /** What it saw of one type. */
  all<Type extends PublicEvent["type"]>(type: Type) {
    return this.seen.filter(
      (event): event is PublicEvent & { readonly type: Type } => event.type === type,
    );
  }
}

/** Replays wishes on a log. */
export function replayWishes(
  log: EventLog,
  wishes: readonly Wish[],
): { readonly policy: ScriptedPolicy; readonly metrics: PolicyMetrics } {
  const policy = new ScriptedPolicy(wishes);
  return { policy, metrics: replayPolicy(log, policy, { rng: createRng("0") }) };
}
