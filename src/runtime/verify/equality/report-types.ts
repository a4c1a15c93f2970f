import type { DType } from "../../tensor/dtype/index.ts";

/** One element as it is stored. */
export interface StoredValue {
  readonly value: number;
  /** All bits, the highest first: `0x3f800000`. */
  readonly bits: string;
  /** The ranks whose copy has these bits; empty for a tensor that is not on a mesh. */
  readonly ranks: readonly number[];
}

/** An element that is not the same on both sides. */
export interface Difference {
  /** The leaf it is in; empty when tensors were compared. */
  readonly path: string;
  readonly index: readonly number[];
  /** The same, counted in row-major order; for unfinished sums, within the part. */
  readonly flatIndex: number;
  readonly a: StoredValue;
  readonly b: StoredValue;
  /** Steps between the two along the values of the dtype, rounded from 2^53 on; null with a NaN. */
  readonly ulps: number | null;
  /** Numbers of the bits that differ, the lowest is 0. */
  readonly flippedBits: readonly number[];
}

/** Copies of one part that should be alike and are not. */
export interface ReplicaDisagreement {
  readonly path: string;
  readonly side: "a" | "b";
  /** The ranks whose copy differs from that of most, or of the lowest rank where no copy has most. */
  readonly ranks: readonly number[];
  /** The ranks with the other copy. */
  readonly against: readonly number[];
  /** False when no copy has more than half of the ranks: then neither side is the odd one. */
  readonly hasMajority: boolean;
}

/** What the places of the differing elements look like. A guess from where they are, not a cause. */
export type DifferencePattern =
  | "none"
  | "single-bit"
  | "single-element"
  | "swapped-columns"
  | "one-row"
  | "one-column"
  | "tile"
  | "stride"
  | "same-bit"
  | "scattered"
  | "most-elements";

export interface PatternGuess {
  readonly pattern: DifferencePattern;
  /** In words, with its numbers: `one column (7)`, `every 32nd element from 5`. */
  readonly text: string;
}

/** How two tensors, at one place of what was compared, differ. */
export interface TensorComparison {
  readonly path: string;
  readonly equal: boolean;
  /** Why nothing could be compared element by element: other shapes, other dtypes, one is missing. */
  readonly mismatch?: string;
  readonly dtype?: DType | "i8";
  readonly shape?: readonly number[];
  /** Elements that were compared. */
  readonly elements: number;
  /** Elements of which not every copy on both sides has the same bits. */
  readonly differing: number;
  readonly first?: Difference;
  readonly replicas: readonly ReplicaDisagreement[];
  /** The largest among the differing ones; null when each of those has a NaN, or none differs. */
  readonly maxUlps: number | null;
  readonly maxAbs: number | null;
  /** Of the larger of the two magnitudes. */
  readonly maxRel: number | null;
  /** How often each bit differs, the lowest first. */
  readonly flippedBits: readonly number[];
  readonly pattern: PatternGuess;
}

/** The outcome of a comparison, bit for bit. */
export interface EqualityReport {
  readonly equal: boolean;
  readonly elements: number;
  readonly differing: number;
  /** The first in the order of leaves and elements. */
  readonly first?: Difference;
  readonly replicas: readonly ReplicaDisagreement[];
  readonly maxUlps: number | null;
  readonly maxAbs: number | null;
  readonly maxRel: number | null;
  /** Of the first leaf that differs. */
  readonly flippedBits: readonly number[];
  readonly pattern: PatternGuess;
  /** Leaves that differ, the first 32 of them. */
  readonly leaves: readonly TensorComparison[];
  /** How many leaves were compared, and how many differ. */
  readonly leavesCompared: number;
  readonly leavesDiffering: number;
  /** All of it in a few lines. */
  readonly text: string;
}
