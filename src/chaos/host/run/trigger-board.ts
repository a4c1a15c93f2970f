import type { ChaosPlan, PlannedFault } from "../../plan/index.ts";
import type { Tripwire } from "../control/messages.ts";
import { slotsOfFault } from "../faults/targets.ts";

export interface TriggerBoardOptions {
  readonly plan: ChaosPlan;
  /** Settles when the fault is in force. */
  readonly inject: (fault: PlannedFault) => Promise<void>;
  /** Lets a worker go on. */
  readonly go: (slot: number, token: number) => void;
  /** Wires have changed: every worker is told its own. */
  readonly rearm: () => void;
  readonly after: (delayUs: number, callback: () => void) => void;
  readonly onError: (error: unknown) => void;
}

/** Knows when each fault begins. A fault begins once; who stands at its tripwire waits until it is in force. */
export class TriggerBoard {
  readonly #o: TriggerBoardOptions;
  readonly #waiting: Map<string, PlannedFault>;
  readonly #firing = new Map<string, Promise<void>>();
  /** Saves and restores that were begun, in order, as their workers name them. */
  readonly #saves: string[] = [];
  readonly #restores: string[] = [];
  #hasBegun = false;

  constructor(options: TriggerBoardOptions) {
    this.#o = options;
    this.#waiting = new Map(options.plan.faults.map((fault) => [fault.id, fault]));
  }

  /** The wires of a slot that have not been tripped. */
  wiresOf(slot: number): readonly Tripwire[] {
    return [...this.#waiting.values()].flatMap((fault) => this.#wireOf(fault, slot) ?? []);
  }

  /** The moment training begins: times are counted from it. */
  trainingBegins(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    for (const fault of this.#o.plan.faults) {
      const { trigger } = fault;
      if (trigger.kind !== "time") continue;
      this.#o.after(trigger.atUs, () => void this.#fire(fault).catch(this.#o.onError));
    }
  }

  /** A worker stands before a wire. */
  tripped(
    slot: number,
    at: { readonly wire: string; readonly token: number; readonly occasion: string },
  ): void {
    const go = () => this.#o.go(slot, at.token);
    const fault = this.#waiting.get(at.wire);
    if (fault === undefined) {
      // Somebody else was first.
      void (this.#firing.get(at.wire) ?? Promise.resolve()).then(go);
      return;
    }
    if (!this.#isDue(fault, at.occasion)) {
      go();
      return;
    }
    this.#fire(fault).then(go, (error: unknown) => {
      this.#o.onError(error);
      go();
    });
  }

  async #fire(fault: PlannedFault): Promise<void> {
    if (!this.#waiting.delete(fault.id)) return this.#firing.get(fault.id);
    const firing = this.#o.inject(fault);
    this.#firing.set(
      fault.id,
      firing.catch(() => {}),
    );
    await firing;
    this.#o.rearm();
  }

  #isDue({ trigger }: PlannedFault, occasion: string): boolean {
    if (trigger.kind === "checkpoint") return numberOf(this.#saves, occasion) === trigger.nth;
    if (trigger.kind === "restore") return numberOf(this.#restores, occasion) === trigger.nth;
    return true;
  }

  #wireOf(fault: PlannedFault, slot: number): Tripwire | undefined {
    const { trigger, id } = fault;
    const slots = slotsOfFault(fault, this.#o.plan.fleet);
    const isOwn = slots.length === 0 || slots.includes(slot);
    switch (trigger.kind) {
      case "step":
        return isOwn ? { id, at: { kind: "step", step: trigger.step } } : undefined;
      case "collective":
        return isOwn
          ? { id, at: { kind: "collective", axis: trigger.axis, nth: trigger.nth } }
          : undefined;
      case "checkpoint": {
        // Only the first rank commits, whomever it hits.
        const isMet = isOwn || trigger.phase === "commit";
        return isMet ? { id, at: { kind: "save", phase: trigger.phase } } : undefined;
      }
      case "restore":
        return isOwn ? { id, at: { kind: "restore" } } : undefined;
      case "time":
        return undefined;
    }
  }
}

/** Which one it is, from 1; one that was not met before is the next. */
function numberOf(known: string[], occasion: string): number {
  const at = known.indexOf(occasion);
  if (at >= 0) return at + 1;
  known.push(occasion);
  return known.length;
}
