import type { CudaMatmulOptions } from "../../cuda/ops/index.ts";
import type { DeviceId } from "../../dist/mesh/index.ts";
import type { MatmulOptions } from "../../tensor/ops/index.ts";
import type { Independence } from "./redundancy.ts";

/** How many compute a product. */
export interface Voters {
  /** An odd number from 3 to 15. @default 3 */
  readonly devices?: number;
}

export interface VoteOptions extends MatmulOptions, Voters {}

export interface CudaVoteOptions
  extends Omit<CudaMatmulOptions, "out" | "accumulate" | "stream">,
    Voters {}

/** A device that most of the others disagree with. */
export interface OutvotedDevice {
  /** A device of the mesh; else `cuda:1`, `cuda:0 run 2`, `host typescript`. */
  readonly device: DeviceId;
  /** Ranks whose part it got wrong; empty for tensors that are not on a mesh. */
  readonly ranks: readonly number[];
}

/** A part that no majority agrees on. */
export interface OpenPart {
  /** The rank whose part it is; undefined for a tensor that is not on a mesh. */
  readonly rank?: number;
  readonly devices: readonly DeviceId[];
  readonly reason: string;
}

/**
 * What a vote came to.
 *
 * - `agreed`: all computed the same bits.
 * - `outvoted`: a majority agrees on every part; those that did not are named.
 * - `inconclusive`: some part has no majority of independent devices.
 */
export type VoteVerdict = "agreed" | "outvoted" | "inconclusive";

export interface Vote<T> {
  readonly verdict: VoteVerdict;
  /** What the majority computed; undefined when it is inconclusive. */
  readonly value?: T;
  readonly outvoted: readonly OutvotedDevice[];
  readonly open: readonly OpenPart[];
  readonly independence: Independence;
  readonly text: string;
}
