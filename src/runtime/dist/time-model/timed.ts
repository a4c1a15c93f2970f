import { TesseraError } from "../../../platform/errors/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Algorithm, CollectiveOp, CollectivePhase } from "./types.ts";

/** A way to carry a collective out, with its time. */
export interface Timed {
  readonly algorithm: Exclude<Algorithm, "auto">;
  readonly timeUs: number;
  /** The part of the time that does not depend on bytes. */
  readonly latencyUs: number;
  readonly phases?: readonly CollectivePhase[];
}

/** One group of devices, as the model sees it. */
export interface Group {
  readonly op: CollectiveOp;
  readonly bytes: number;
  readonly devices: number;
  readonly topology: Topology;
}

/** Phases one after the other, of which a share hides behind the longest. */
export function inPhases(
  phases: readonly (Timed & { readonly name: string })[],
  overlap: number,
): Timed {
  const longestUs = Math.max(...phases.map(({ timeUs }) => timeUs));
  const sum = (of: (phase: Timed) => number) =>
    phases.reduce((total, phase) => total + of(phase), 0);
  const restUs = sum(({ timeUs }) => timeUs) - longestUs;
  const latencyUs = sum((phase) => phase.latencyUs);
  return {
    algorithm: "hierarchical",
    timeUs: Math.max(latencyUs, longestUs + (1 - overlap) * restUs),
    latencyUs,
    phases: phases.map(({ name, timeUs }) => ({ name, timeUs })),
  };
}

/** The fastest, or the one that was asked for. */
export function choose(candidates: readonly Timed[], group: Group, wanted: Algorithm): Timed {
  let best: Timed | undefined;
  for (const candidate of candidates) {
    if (wanted !== "auto" && candidate.algorithm !== wanted) continue;
    if (best === undefined || candidate.timeUs < best.timeUs) best = candidate;
  }
  if (best !== undefined) return best;
  const possible = [...new Set(candidates.map(({ algorithm }) => algorithm))].toSorted();
  throw new TesseraError("E_ALGORITHM", {
    algorithm: wanted,
    op: group.op,
    topology: `${group.devices} devices of ${group.topology.name}`,
    problem: problemWith(wanted, group),
    possible: possible.join(", "),
  });
}

function problemWith(wanted: Algorithm, { devices, topology, op }: Group): string {
  if (wanted === "nvls" && !topology.fabric.reducesInSwitch) return "its links do not add";
  if (wanted === "nvls" && devices > topology.domainGpus) {
    return `switches add only inside one domain of ${topology.domainGpus} devices`;
  }
  if (wanted === "direct") return "not every pair of its devices has a link of its own";
  if (wanted === "hierarchical") return "there is only one level of devices";
  return `it does not exist for ${op} there`;
}
