import type { Clock } from "../../../platform/time/index.ts";
import type { Corruption } from "../../numerics/index.ts";
import type { WorkerOrder } from "../control/messages.ts";
import { TroubleError } from "./trouble.ts";

type OrderOf<Kind extends WorkerOrder["kind"]> = Extract<WorkerOrder, { kind: Kind }>;

/** What is broken inside this worker, by order of the runner. */
export class WorkerFaults {
  readonly #orders = new Map<string, WorkerOrder>();
  readonly #hanging = new Map<string, () => void>();
  readonly #seenBy: (injection: string, what: string) => void;
  readonly #seen = new Set<string>();
  readonly #clock: Clock;

  constructor(options: {
    readonly clock: Clock;
    readonly seen: (injection: string, what: string) => void;
  }) {
    this.#clock = options.clock;
    this.#seenBy = options.seen;
  }

  begin(injection: string, order: WorkerOrder): void {
    this.#orders.set(injection, order);
  }

  end(injection: string): void {
    this.#orders.delete(injection);
    this.#hanging.get(injection)?.();
    this.#hanging.delete(injection);
  }

  /** Says once that an injection had its effect. */
  seen(injection: string, what: string): void {
    if (this.#seen.has(injection)) return;
    this.#seen.add(injection);
    this.#seenBy(injection, what);
  }

  /** The orders of one kind, with the injections that they are of. */
  of<Kind extends WorkerOrder["kind"]>(kind: Kind): readonly (readonly [string, OrderOf<Kind>])[] {
    return [...this.#orders].flatMap(([injection, order]) =>
      order.kind === kind ? [[injection, order as OrderOf<Kind>] as const] : [],
    );
  }

  /** The device is asked to do something. @throws TroubleError when it fails */
  async operate(): Promise<void> {
    for (const [injection, { mode, reason }] of this.of("device")) {
      if (mode === "hang") {
        // Whoever waits for this rank will say so.
        await new Promise<void>((resolve) => {
          this.#hanging.set(injection, resolve);
        });
        continue;
      }
      this.#orders.delete(injection);
      this.seen(injection, `the device reported ${reason}`);
      if (mode === "fail") throw new TroubleError({ cause: "device", suspects: [], reason });
    }
    for (const [injection, { bytes }] of this.of("allocate")) {
      this.#orders.delete(injection);
      this.#allocate(injection, bytes);
    }
  }

  /** Takes the wrong bits that are due, each as often as it was ordered. */
  corruptions(where: "gradient" | "parameter"): readonly (readonly [string, Corruption])[] {
    const due = this.of("corrupt").filter(([, order]) => order.where === where);
    for (const [injection, order] of due) {
      if (order.times > 1) this.#orders.set(injection, { ...order, times: order.times - 1 });
      else this.#orders.delete(injection);
    }
    return due.map(([injection, { bits }]) => [injection, bits]);
  }

  /** How many times longer this rank computes; 1 when nothing slows it. */
  straggleFactor(): number {
    return this.of("straggle").reduce((most, [, { factor }]) => Math.max(most, factor), 1);
  }

  /** Computes on and on, for nothing. */
  burn(durationMs: number): void {
    const untilMs = this.#clock.monotonicMs() + Math.min(durationMs, burnMsMax);
    while (this.#clock.monotonicMs() < untilMs);
  }

  #allocate(injection: string, bytes: number): void {
    try {
      // Touched, so that the kernel has to find it.
      new Uint8Array(bytes).fill(1);
    } catch (error) {
      this.seen(injection, `the kernel refused ${bytes} bytes`);
      throw error;
    }
  }
}

/** A worker that is slow still sends heartbeats between its pieces of work. */
const burnMsMax = 1000;
