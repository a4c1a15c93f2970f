import type { z } from "zod";
import type { FaultName } from "../fault-names.ts";

/** The same words as `Target` of a plan. */
export const faultTargetKinds = [
  "rank",
  "node",
  "cut",
  "link",
  "group",
  "storage",
  "pod",
  "kubernetes-node",
  "slurm-job",
  "slurm-node",
] as const;
export type FaultTargetKind = (typeof faultTargetKinds)[number];

export const faultFamilies = [
  "device",
  "worker",
  "network",
  "collective",
  "corruption",
  "memory",
  "storage",
  "kubernetes",
  "slurm",
] as const;
export type FaultFamily = (typeof faultFamilies)[number];

/** What a fault does in each world, in a sentence; null where it cannot be done. */
export interface FaultWorlds {
  readonly sim: string | null;
  readonly host: string | null;
  readonly kubernetes: string | null;
  readonly slurm: string | null;
}

/** One fault of the catalogue: all that users, planners and worlds have to know of it. */
export interface FaultEntry<Params extends z.ZodObject = z.ZodObject> {
  readonly name: FaultName;
  readonly family: FaultFamily;
  readonly title: string;
  /** Strict; every field has a default and a description. */
  readonly params: Params;
  readonly targets: readonly FaultTargetKind[];
  readonly worlds: FaultWorlds;
  /** `instant`: over as soon as it is done, such as a kill; `lasting`: in force until it is undone. */
  readonly ending: "instant" | "lasting";
  /** How it is taken back, in a sentence; null: there is nothing to take back. */
  readonly undo: string | null;
  /** What counts as evidence that it happened, seen by something else than the injector. */
  readonly evidence: string;
  /** The XIDs that it stands for; none where it is no fault of a GPU. */
  readonly xids: readonly number[];
}
