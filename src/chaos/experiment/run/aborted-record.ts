import type { ChaosPlan } from "../../plan/index.ts";
import type { ProbeAnswer, RunRecord } from "../../record/index.ts";
import type { World } from "../../world.ts";

/** The record of a run that did not take place: nothing was broken, and nothing is proven. */
export function abortedRecord(
  plan: ChaosPlan,
  world: World,
  about: { readonly probes: readonly ProbeAnswer[]; readonly note: string },
): RunRecord {
  return {
    world: world.name,
    provenance: world.name === "sim" ? "simulated" : "measured",
    plan,
    events: [],
    injections: plan.faults.map(({ id, fault }) => ({
      id,
      fault,
      target: "",
      injectedUs: null,
      effectUs: null,
      effect: null,
      revertedUs: null,
      ranks: [],
    })),
    residualFaults: [],
    end: "aborted",
    endUs: 0,
    stateDigest: null,
    traceHash: null,
    probes: about.probes,
    notes: [about.note],
  };
}
