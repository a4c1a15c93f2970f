import { describeTargets, type PlannedFault, slotsOfTargets } from "../../plan/index.ts";
import type { InjectionRecord } from "../../record/index.ts";
import type { FleetLayout } from "../machines/index.ts";

/** The slots that a fault's targets are, each once; none for a store. */
export function slotsOfFault({ targets }: PlannedFault, layout: FleetLayout): readonly number[] {
  return slotsOfTargets(targets, (node) => layout.slotsOfNode(node));
}

/** A fault before anything has happened. The job begins in the first slots; the others hold no rank. */
export function injectionRecordOf(
  fault: PlannedFault,
  layout: FleetLayout,
  ranks: number,
): InjectionRecord {
  return {
    id: fault.id,
    fault: fault.fault,
    target: describeTargets(fault.targets),
    injectedUs: null,
    effectUs: null,
    effect: null,
    revertedUs: null,
    ranks: slotsOfFault(fault, layout).filter((slot) => slot < ranks),
  };
}
