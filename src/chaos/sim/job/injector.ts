import type { ChaosPlan, PlannedFault } from "../../plan/index.ts";
import type { EventKind } from "../engine/index.ts";
import type { ApplyFault, FaultWorld } from "./fault-world.ts";
import { applyFault } from "./faults/index.ts";

/** Begins faults when their time has come, and takes each of them back. */
export class Injector {
  readonly #plan: ChaosPlan;
  readonly #world: FaultWorld;
  readonly #undos = new Map<string, () => void>();
  readonly #over: EventKind;
  #losesUndo: boolean;

  constructor(plan: ChaosPlan, world: FaultWorld) {
    this.#plan = plan;
    this.#world = world;
    this.#losesUndo = plan.defects.includes("lostUndo");
    this.#over = world.context.engine.kind("fault.over", (at) => {
      const fault = plan.faults[at];
      if (fault !== undefined) this.#revert(fault.id);
    });
  }

  /** How many are in force. */
  get inForce(): number {
    return this.#undos.size;
  }

  inject(fault: PlannedFault): void {
    const apply: ApplyFault | undefined = applyFault[fault.fault];
    if (apply === undefined) throw new Error(`${fault.fault} is no fault of this world`);
    const { engine, effects } = this.#world.context;
    const undo = apply(this.#world, fault);
    if (undo === null) {
      effects.reverted(fault.id);
      return;
    }
    this.#undos.set(fault.id, undo);
    if (fault.durationUs === null) return;
    engine.after(fault.durationUs, this.#over, this.#plan.faults.indexOf(fault));
  }

  /** The run is over: nothing stays in force. */
  revertAll(): void {
    for (const id of [...this.#undos.keys()].toReversed()) this.#revert(id);
  }

  #revert(id: string): void {
    const undo = this.#undos.get(id);
    if (undo === undefined) return;
    this.#undos.delete(id);
    if (this.#losesUndo) {
      // The defect: one fault is called undone and is not.
      this.#losesUndo = false;
    } else {
      undo();
    }
    this.#world.context.effects.reverted(id);
  }
}
