import { isBuilt } from "../binaries/cache.ts";
import { partsFor } from "../binaries/parts.ts";
import { missingFromAssets } from "../binaries/resolve.ts";
import type { ClusterShape } from "../registry/record.ts";
import { machineHas } from "./probes.ts";
import { hintFor, type Requirement, requirementsFor, unmet } from "./requirements.ts";

export type Availability =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** What is missing, one phrase each. */
      readonly missing: readonly string[];
      /** What to do about it. */
      readonly hint: string;
    };

/** Whether a cluster can run here, and what is missing if not. Default: the control plane only. */
export function clusterAvailability(shape: Partial<ClusterShape> = {}): Availability {
  const missing = missingFor(completeShape(shape));
  if (missing.length === 0) return { ok: true };
  return { ok: false, missing: missing.map(({ title }) => title), hint: hintFor(missing) };
}

/** The unmet requirements themselves. */
export function missingFor(shape: ClusterShape): Requirement[] {
  return unmet(requirementsFor(shape, needsBuild(shape)), machineHas);
}

/** Whether some part of such a cluster has still to be built. */
export function needsBuild(shape: ClusterShape): boolean {
  return partsFor(shape).some((part) => !isBuilt(part) && missingFromAssets(part).length > 0);
}

/** A shape with nothing beyond what was asked for; the control plane unless it is refused. */
export function completeShape(shape: Partial<ClusterShape>): ClusterShape {
  return {
    kubernetes: shape.kubernetes ?? true,
    nodes: shape.nodes ?? 0,
    kwok: shape.kwok ?? 0,
    volcano: shape.volcano ?? false,
    slurm: shape.slurm ?? 0,
    slurmAccounting: shape.slurmAccounting ?? false,
  };
}
