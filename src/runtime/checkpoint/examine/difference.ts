/** Where and by how much the elements of two tensors differ. */
export interface ElementDifference {
  /** Elements whose bits differ. */
  readonly count: number;
  /** Of how many. */
  readonly elements: number;
  /** The first of them, one number for each dimension. */
  readonly firstIndex: readonly number[];
  /** What stands there on either side. Null for a dtype that we cannot decode. */
  readonly firstA: number | null;
  readonly firstB: number | null;
  /** The largest |a - b| of two numbers; null where there are none, or the dtype is not ours. */
  readonly maxAbs: number | null;
  /** The largest distance of two numbers in steps of the dtype; null as above. */
  readonly maxUlp: number | null;
  /** Differing elements of which one or both are NaN; they count in neither maximum. */
  readonly notNumbers: number;
}

export interface TensorDifference {
  readonly name: string;
  readonly difference: ElementDifference;
}

/** A tensor that has another dtype or shape on either side: `f32[4, 8]`. */
export interface FormDifference {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/** A leaf that is no tensor; undefined on the side that does not have it. */
export interface ValueDifference {
  /** Its path in the state, joined with `/`. */
  readonly path: string;
  readonly a?: unknown;
  readonly b?: unknown;
}

/** What `tessera checkpoint diff` says. */
export interface DiffResult {
  readonly equal: boolean;
  /** Tensors that both have with the same bits. */
  readonly same: number;
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
  readonly forms: readonly FormDifference[];
  readonly tensors: readonly TensorDifference[];
  /** Compared only between two checkpoints; files of others have no values. */
  readonly values: readonly ValueDifference[];
  /** More than are listed; 0 when `values` has all. */
  readonly valuesLeftOut: number;
  /** How many tensors were compared by digest alone, and bytes of tensors that were read. */
  readonly byDigest: number;
  readonly readBytes: number;
}
