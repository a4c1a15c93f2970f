import type { DeviceId } from "../../dist/mesh/index.ts";
import type { AnyTensor } from "../equality/comparable.ts";

/**
 * How independent a second computation was of the first.
 *
 * - `other-device`: another device of the mesh, or another GPU.
 * - `other-code`: the same machine, by another engine or another path through the same one. Which core
 *   of it worked is the system's choice.
 * - `same-device`: the same device once more. It sees faults that come and go, and none that stays.
 */
export type Independence = "other-device" | "other-code" | "same-device";

/** Where a redundant result was computed. */
export interface Redundancy {
  readonly independence: Independence;
  /** What computed it: a device for each rank of a mesh, else one entry: `cuda:1`, `host typescript`. */
  readonly computedBy: readonly DeviceId[];
  /** Remarks, each with a name in capitals first. */
  readonly notes: readonly string[];
}

const known = new WeakMap<AnyTensor, Redundancy>();

/** Where a result of `op.matmul(a, b, { redundant: true })` was computed; undefined for others. */
export function redundancyOf(x: AnyTensor): Redundancy | undefined {
  return known.get(x);
}

/** Remembers how a result was made as long as the result is there. */
export function withRedundancy<T extends AnyTensor>(x: T, redundancy: Redundancy): T {
  known.set(x, redundancy);
  return x;
}
