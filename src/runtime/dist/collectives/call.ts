import { TesseraError } from "../../../platform/errors/index.ts";
import { corrupted } from "../array/corrupt.ts";
import { type Block, DistTensor } from "../array/index.ts";
import { restrict } from "../array/restrict.ts";
import { currentHealth, type Fate, type Health } from "../health/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { Algorithm, CollectiveOp } from "../time-model/index.ts";
import type { CollectiveOptions } from "./options.ts";
import { type ChosenTopology, chooseTopology } from "./topology-of-mesh.ts";

/** One collective on its way: who takes part, and what is broken. */
export interface Call {
  readonly op: CollectiveOp;
  readonly x: DistTensor;
  readonly mesh: Mesh;
  /** The axes it runs over, at least one. */
  readonly axes: readonly string[];
  /** Ranks of each group, in the order of their coordinates on the axes. */
  readonly groups: readonly (readonly number[])[];
  readonly health: Health;
  /** What happens to this collective alone. */
  readonly fate: Fate;
  /** What is added to its modelled time; known after the pre-flight. */
  readonly delay: Delay;
  readonly topology: ChosenTopology;
  readonly algorithm: Algorithm;
  /** What each rank hands in, wrong bits of corrupt devices included. */
  readonly contribution: (rank: number) => Block;
}

export interface Delay {
  us: number;
  /** For each message that waits for the one before it. */
  eachMessageUs: number;
}

/**
 * Resolves who takes part in a collective.
 *
 * @throws E_MESH_AXIS, E_MESH_AXES, E_MESH_RANK, E_TOPOLOGY; E_COLLECTIVE for no axes at all.
 */
export function begin(op: CollectiveOp, given: DistTensor, options: CollectiveOptions): Call {
  const x = options.only === undefined ? given : restrict(given, options.only, op);
  const { mesh } = x;
  const axes = axesOf(op, mesh, options.over);
  const health = currentHealth();
  const fate = health.fateOf(op);
  const handedIn = new Map<number, Block>();
  return {
    op,
    x,
    mesh,
    axes,
    groups: mesh.groups(axes),
    health,
    fate,
    delay: { us: 0, eachMessageUs: 0 },
    topology: chooseTopology(mesh),
    algorithm: options.algorithm ?? "auto",
    contribution: (rank) => {
      const device = mesh.deviceOf(rank);
      const block =
        handedIn.get(rank) ??
        corrupted(x.block(rank), {
          health,
          op,
          device,
          where: "contribution",
          more: fate.corruptions,
        });
      handedIn.set(rank, block);
      return block;
    },
  };
}

function axesOf(op: string, mesh: Mesh, over: CollectiveOptions["over"]): readonly string[] {
  const axes = over === undefined ? mesh.axes : typeof over === "string" ? [over] : over;
  if (axes.length > 0) return axes;
  throw badCall(op, "`over` names no axis", `Name one or more of ${mesh.axes.join(", ")}.`);
}

/** Refuses the arguments of a collective. */
export function badCall(op: string, problem: string, remedy: string): TesseraError<"E_COLLECTIVE"> {
  return new TesseraError("E_COLLECTIVE", { op, problem, remedy });
}
