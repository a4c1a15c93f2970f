import type { Mesh } from "../mesh/index.ts";
import { badCall, type Call } from "./call.ts";
import { groupFinder } from "./gathering.ts";

/** The one device of each group that sends, or gets, everything. */
export interface Root {
  /** Its position in every group. */
  readonly position: number;
  /** The root's rank in the group of a rank. */
  readonly rankFor: (rank: number) => number;
}

/** @throws E_COLLECTIVE unless it is a position in the groups. */
export function resolveRoot({ op, groups, axes }: Call, root = 0): Root {
  const size = groups[0]?.length ?? 0;
  if (!Number.isInteger(root) || root < 0 || root >= size) {
    throw badCall(
      op,
      `there is no root ${root} in groups of ${size}`,
      `The root is the position in the group over ${axes.join(", ")}: 0 to ${size - 1}.`,
    );
  }
  const groupOf = groupFinder(groups);
  return { position: root, rankFor: (rank) => groupOf(rank)[root] ?? rank };
}

/** The mesh of the roots of all groups. */
export function meshOfRoots({ mesh, groups, axes }: Call, { position }: Root): Mesh {
  const coordinates = mesh.coordinatesOf(groups[0]?.[position] ?? 0);
  const fixed = axes.map((axis) => [axis, coordinates[mesh.axisIndex(axis)] ?? 0] as const);
  return mesh.subMesh(Object.fromEntries(fixed));
}
