import type { Clock } from "../../platform/time/clock.ts";
import type { Layout, LayoutSpec } from "../dist/layout/index.ts";
import type { Mesh } from "../dist/mesh/index.ts";
import type { World } from "../ranks/world/world.ts";
import type { CheckpointFiles } from "./files/checkpoint-files.ts";
import type { State } from "./state.ts";

/** Where checkpoints are, and the means to reach them. */
export interface CheckpointPlace {
  /** The folder that holds them, one folder each. Made when it is missing. @default ".tessera-checkpoints" */
  readonly root?: string;
  /** @default this machine's file system */
  readonly files?: CheckpointFiles;
  /** @default the real clock */
  readonly clock?: Clock;
}

export interface SaveOptions extends CheckpointPlace {
  /** The mesh that the state lies on. @default that of its distributed tensors */
  readonly mesh?: Mesh;
  /**
   * Real ranks that save together: each gives the tensors it holds, rank 0 writes manifest and COMMIT.
   * Every rank resolves when the checkpoint is committed; when one is lost before, none is. A rank that
   * is lost after the COMMIT takes nothing back: the others resolve, and `notes` says so.
   * @default this process alone
   */
  readonly world?: World;
  /** @default `state.step`, or `state.optimizer.step` */
  readonly step?: number;
  /** The checkpoint that the run was restored from, as `load` returned it. */
  readonly parent?: string;
  /** Recorded in the manifest beside our own version and Node's. */
  readonly software?: Readonly<Record<string, string>>;
  /** Sweeps older checkpoints after the COMMIT. @default nothing but older generations of this tag is swept */
  readonly retention?: Retention;
  /** No load reads less than a piece. @default 4 MiB, more where there would be over 65,536 pieces */
  readonly pieceBytes?: number;
  readonly signal?: AbortSignal;
}

/** Which checkpoints are kept: the newest `keep`, and two at least that are older than `detectionMs`. */
export interface Retention {
  /** @default 3 */
  readonly keep?: number;
  /**
   * How long corruption may go unnoticed. The two newest checkpoints that are older than this are kept:
   * they are the ones to go back to. So is one for each quarter of it on the way there, so that they are
   * never much older than they must be. @default 0
   */
  readonly detectionMs?: number;
}

export interface SavedCheckpoint {
  readonly tag: string;
  /** The name of its folder below the root: `step100`, `step100~2`. */
  readonly name: string;
  readonly folder: string;
  readonly step: number | null;
  readonly files: number;
  readonly tensors: number;
  readonly totalBytes: number;
  /** Names of checkpoints that retention removed. */
  readonly removed: readonly string[];
  /** What went wrong once it was committed, and changes nothing about it: a rank that was lost then. */
  readonly notes: readonly string[];
}

export interface LoadOptions extends CheckpointPlace {
  /**
   * The mesh to lay the tensors out on, whatever mesh they were saved from. Axes keep their placement by
   * name; those that the new mesh does not have no longer split, its own new ones replicate.
   * @default the mesh of the manifest
   */
  readonly remapTo?: Mesh;
  /** Other layouts, by a tensor's name; undefined leaves the rule above. */
  readonly layouts?: (name: string, shape: readonly number[]) => LayoutSpec | Layout | undefined;
  /** Tensors to load, by name. @default all */
  readonly only?: (name: string) => boolean;
  /** Only what this rank of the mesh holds is read; other ranks' parts are not there. @default all ranks */
  readonly rank?: number;
  /**
   * What to do when the checkpoint is damaged: `previous` takes the newest older one that is good, and
   * says so in the result. @default "previous"
   */
  readonly onDamage?: "previous" | "throw";
  readonly signal?: AbortSignal;
}

export interface LoadedCheckpoint<S extends State = State> {
  /** The state, as it was given to save. */
  readonly state: S;
  readonly tag: string;
  readonly name: string;
  readonly step: number | null;
  /** Checkpoints that were wanted more than this one and refused, each with why. */
  readonly refused: readonly RefusedCheckpoint[];
  /** Bytes of tensors read from files, and bytes of tensors that the result holds. */
  readonly readBytes: number;
  readonly stateBytes: number;
  /** What differs from the saved run that a user must know: another world size is not bitwise the same run. */
  readonly notes: readonly string[];
}

export interface RefusedCheckpoint {
  readonly name: string;
  readonly problem: string;
  readonly file: string;
  readonly rule: string;
}

/** One checkpoint in a root. */
export interface CheckpointSummary {
  readonly name: string;
  readonly tag: string;
  readonly generation: number;
  /** `committed`: COMMIT and manifest are there and belong together; data is not read. */
  readonly status: "committed" | "uncommitted" | "damaged";
  readonly step: number | null;
  readonly createdAt: string | null;
  readonly totalBytes: number;
  readonly problem?: string;
}
