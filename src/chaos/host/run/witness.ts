import type { PlannedFault } from "../../plan/index.ts";

export interface WitnessOptions {
  readonly faults: readonly PlannedFault[];
  readonly saw: (injection: string, what: string) => void;
  readonly endOrders: (injection: string) => void;
}

/** Sees the effects of faults where they show: at the ends of processes, in reports, in what others notice. */
export class Witness {
  readonly #o: WitnessOptions;
  readonly #exits = new Map<number, readonly string[]>();

  constructor(options: WitnessOptions) {
    this.#o = options;
  }

  /** The end of this process is the effect of that injection. */
  waitForExit(injection: string, pid: number): void {
    this.#exits.set(pid, [...(this.#exits.get(pid) ?? []), injection]);
  }

  exited(slot: number, pid: number, how: string): void {
    for (const injection of this.#exits.get(pid) ?? []) {
      this.#o.saw(injection, `process ${pid} of slot ${slot} ended: ${how}`);
    }
    this.#exits.delete(pid);
  }

  /** A worker met what it was ordered to break. */
  reported(slot: number, injection: string, what: string): void {
    this.#o.saw(injection, `the worker of slot ${slot}: ${what}`);
    const fault = this.#o.faults.find(({ id }) => id === injection);
    // One shard is torn, whoever wrote it: the others must not tear theirs.
    const isSpent = fault?.fault === "torn_write" && fault.params["count"] === 1;
    if (isSpent) this.#o.endOrders(injection);
  }

  /** A device that hangs is seen by those who wait for it. */
  detected(by: string, reason: string): void {
    if (by !== "collective" && by !== "heartbeat" && by !== "progress") return;
    for (const { id, fault } of this.#o.faults) {
      if (fault === "hang_device" || fault === "gsp_error") this.#o.saw(id, reason);
    }
  }
}
