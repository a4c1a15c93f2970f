import assert from "node:assert/strict";
import type { Ledger } from "../../ledger/index.ts";
import { type ChaosPlan, describeTargets, type PlannedFault } from "../../plan/index.ts";
import type { InjectionRecord } from "../../record/index.ts";
import type { InjectionMoment, OnInjection } from "../../world.ts";
import type { HostControl } from "./host-control.ts";
import { applyFault } from "./index.ts";
import { slotsOfFault } from "./targets.ts";
import { undoOf } from "./undo-of.ts";

interface InForce {
  readonly entry: string;
  readonly end: () => Promise<void>;
  timer: { cancel(): void } | null;
}

/** Begins faults when their time has come: first the ledger, then the fault, then the word that it is in force. */
export class Injector {
  readonly #ledger: Ledger;
  readonly #control: HostControl;
  readonly #nowUs: () => number;
  readonly #onInjection: OnInjection;
  readonly #inForce = new Map<string, InForce>();
  /** Faults that are being begun: the end of the run waits for them, to take them back. */
  readonly #beginning = new Set<Promise<void>>();
  #isOver = false;
  readonly #records = new Map<string, InjectionRecord>();
  #losesUndo: boolean;

  constructor(options: {
    readonly plan: ChaosPlan;
    readonly ledger: Ledger;
    readonly control: HostControl;
    readonly nowUs: () => number;
    readonly onInjection: OnInjection;
  }) {
    const { plan } = options;
    this.#ledger = options.ledger;
    this.#control = options.control;
    this.#nowUs = options.nowUs;
    this.#onInjection = options.onInjection;
    this.#losesUndo = plan.defects.includes("lostUndo");
    const ranks = plan.workload.kind === "training" ? ranksOf(plan.workload.shape) : 0;
    for (const fault of plan.faults) {
      this.#records.set(fault.id, {
        id: fault.id,
        fault: fault.fault,
        target: describeTargets(fault.targets),
        injectedUs: null,
        effectUs: null,
        effect: null,
        revertedUs: null,
        ranks: slotsOfFault(fault, plan.fleet).filter((slot) => slot < ranks),
      });
    }
  }

  records(): readonly InjectionRecord[] {
    return [...this.#records.values()];
  }

  /** Settles when the fault is in force; after the end of the run, at once. @throws E_LEDGER; nothing is broken then */
  async inject(fault: PlannedFault): Promise<void> {
    if (this.#isOver) return;
    const beginning = this.#begin(fault);
    this.#beginning.add(beginning);
    try {
      await beginning;
    } finally {
      this.#beginning.delete(beginning);
    }
  }

  async #begin(fault: PlannedFault): Promise<void> {
    const apply = applyFault[fault.fault];
    assert(apply !== undefined, `${fault.fault} is no fault of this world`);
    const { id, durationUs } = fault;
    const target = describeTargets(fault.targets);
    const undo = undoOf(this.#control, fault);
    const entry = await this.#ledger.plan({ fault: fault.fault, target, undo });
    // Before it acts: its effect may be seen before it returns.
    this.#update(id, "injected", { injectedUs: this.#nowUs() });
    const { end } = await apply(this.#control, fault);
    await this.#ledger.activate(entry);
    if (end === null) {
      await this.#ledger.revert(entry, async () => {});
      this.#update(id, "reverted", { revertedUs: this.#nowUs() });
      return;
    }
    const inForce: InForce = { entry, end, timer: null };
    this.#inForce.set(id, inForce);
    if (durationUs === null) return;
    inForce.timer = this.#control.after(durationUs, () => void this.#revert(id).catch(() => {}));
  }

  /** An effect was seen, by something else than the injector. The first word counts. */
  saw(id: string, what: string): void {
    const record = this.#records.get(id);
    if (record === undefined || record.injectedUs === null || record.effectUs !== null) return;
    this.#update(id, "effect", { effectUs: this.#nowUs(), effect: what });
  }

  /** The run is over: nothing stays in force. @returns what could not be taken back, each in a sentence */
  async revertAll(): Promise<readonly string[]> {
    this.#isOver = true;
    await Promise.allSettled(this.#beginning);
    const problems: string[] = [];
    for (const id of [...this.#inForce.keys()].toReversed()) {
      await this.#revert(id).catch((error: unknown) => {
        problems.push(`${id} could not be taken back: ${String(error)}`);
      });
    }
    return problems;
  }

  async #revert(id: string): Promise<void> {
    const inForce = this.#inForce.get(id);
    if (inForce === undefined) return;
    this.#inForce.delete(id);
    inForce.timer?.cancel();
    const isLost = this.#losesUndo;
    this.#losesUndo = false;
    // The planted defect: one fault is called undone and is not.
    await this.#ledger.revert(inForce.entry, isLost ? async () => {} : inForce.end);
    this.#update(id, "reverted", { revertedUs: this.#nowUs() });
  }

  #update(id: string, moment: InjectionMoment, change: Partial<InjectionRecord>): void {
    const before = this.#records.get(id);
    assert(before !== undefined, "only faults of the plan are injected");
    const record = { ...before, ...change };
    this.#records.set(id, record);
    this.#onInjection(moment, record);
  }
}

function ranksOf({
  dp,
  tp,
  pp,
}: {
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
}) {
  return dp * tp * pp;
}
