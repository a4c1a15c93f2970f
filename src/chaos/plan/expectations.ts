/** How a job is expected to come out of its faults. */
export const recoveryPaths = [
  /** Nobody notices: no restart. */
  "none",
  /** From the last committed checkpoint, with as many ranks as before. */
  "checkpointRestart",
  /** With fewer data-parallel replicas. */
  "shrink",
  /** A spare takes the place. */
  "spare",
  /** Waits for a person, then goes on. */
  "manual",
  /** The job ends, named and clean: no wrong state is committed. */
  "cleanFailure",
] as const;
export type RecoveryPath = (typeof recoveryPaths)[number];

export interface Expectations {
  /**
   * `inside`: the claim says that this is survived; it must recover. `outside`: it must fail, cleanly.
   * Worked out from the claims when the plan was made.
   */
  readonly claim: "inside" | "outside";
  /** Null: any path that fits the claim. */
  readonly recovery: RecoveryPath | null;
  /** Limits of single phases of every recovery; null is no limit. */
  readonly within: Readonly<Record<RecoveryPhase, number | null>>;
  /**
   * `bitwise`: the final state equals that of the run without faults; `samples`: no sample was lost or
   * repeated, values may differ; `none`.
   */
  readonly integrity: "bitwise" | "samples" | "none";
  /** Bounds of metrics, by name of `RunMetrics`. */
  readonly gates: readonly Gate[];
}

/** Times from the effect of a fault, each ends where the next begins. */
export const recoveryPhases = [
  "detect",
  "isolate",
  "reform",
  "load",
  "first",
  "regain",
  "steady",
] as const;
export type RecoveryPhase = (typeof recoveryPhases)[number];

/** Recoveries may take as long as they like. */
export const noPhaseLimits: Expectations["within"] = {
  detect: null,
  isolate: null,
  reform: null,
  load: null,
  first: null,
  regain: null,
  steady: null,
};

export interface Gate {
  readonly metric: string;
  readonly operator: "<=" | ">=";
  readonly bound: number;
}
