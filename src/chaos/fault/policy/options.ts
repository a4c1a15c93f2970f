import type { Clock } from "../../../platform/time/index.ts";
import type { DeviceId, Mesh } from "../../../runtime/dist/mesh/index.ts";
import type { FailurePolicy } from "./policy-names.ts";

/** What the function of a policy is given each time it runs. */
export interface Attempt<State> {
  /** From 1. */
  readonly number: number;
  /** Who takes part: that of the options, without what was lost or with spares in its place. */
  readonly mesh: Mesh | undefined;
  /** What `restore` gave; undefined the first time and when there is nothing to restore. */
  readonly state: State | undefined;
}

/** A checkpoint that was read. */
export interface Restored<State> {
  readonly state: State;
  /** Of the state when it was saved, where that was written down. */
  readonly digest?: string;
}

export interface OnFailureOptions<State, T> {
  /**
   * - `failFast`: the error goes on.
   * - `drainThenResume`: waits until what was lost is back, restores, and runs again on the same mesh.
   * - `pauseForManual`: asks `resume`, then the same.
   * - `shrink`: goes on at once with the mesh without what was lost.
   * - `spare`: goes on at once with spares in the place of what was lost.
   */
  readonly policy: FailurePolicy;
  /** More failures than this end it: the last error goes on. @default 3 */
  readonly maxRetries?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Who takes part; `shrink` and `spare` need it. */
  readonly mesh?: Mesh;
  /** `shrink`: give up whole slices of this axis, `dp` as a rule. @default only the devices */
  readonly along?: string;
  /** `spare`: devices that may take a place, in this order. */
  readonly spares?: readonly DeviceId[];
  /** Stops what is under way, before anything else. */
  readonly drain?: (error: Error) => void | Promise<void>;
  /**
   * Reads the last committed checkpoint, for a mesh that may be another than the one that saved it.
   * Without it, and when it gives undefined, the next attempt begins from the beginning.
   */
  readonly restore?: (
    mesh: Mesh | undefined,
  ) => Restored<State> | undefined | Promise<Restored<State> | undefined>;
  /** Whether what was lost is back. @default the record of what is broken in this async context */
  readonly isBack?: (error: Error) => boolean | Promise<boolean>;
  /** `drainThenResume` waits so long for that. @default a minute */
  readonly waitMs?: number;
  /** `pauseForManual`: settles when a person has decided. */
  readonly resume?: (error: Error) => Promise<"resume" | "abort">;
  /** Which failures the policy is for. @default lost or failing devices and ranks, cuts, timeouts */
  readonly isFailure?: (error: unknown) => boolean;
  readonly integrity?: IntegrityOptions<State, T>;
  /** Told of everything as it happens. */
  readonly onEvent?: (event: PolicyEvent) => void;
}

/** What proves that a recovery is one. Without any of it nothing is proven. */
export interface IntegrityOptions<State, T> {
  /** Of a state that was restored; compared with the digest it was saved with. */
  readonly digestOfState?: (state: State) => string | Promise<string>;
  /** Of what the function gives in the end; compared with `expected`. */
  readonly digestOfResult?: (value: T) => string | Promise<string>;
  /** The digest of a run without faults. */
  readonly expected?: string;
}

export interface PolicyEvent {
  readonly kind: "failed" | "drained" | "paused" | "back" | "reformed" | "restored" | "completed";
  /** Of which attempt. */
  readonly attempt: number;
  /** On the clock's monotonic time. */
  readonly atMs: number;
  readonly reason: string;
}

/**
 * - `equal`: everything that could be compared was, and is equal; at least one thing was.
 * - `different`: something is not.
 * - `unchecked`: there was nothing to compare.
 */
export type Integrity = "equal" | "different" | "unchecked";

/** What a policy made of a function that ended well. */
export interface PolicyResult<T> {
  readonly value: T;
  readonly attempts: number;
  /** How it came out of its last failure; `none` when there was none. */
  readonly path: "none" | "checkpointRestart" | "shrink" | "spare" | "manual";
  readonly integrity: Integrity;
  /** Why the integrity is what it is. */
  readonly reason: string;
  /** From the first failure to the end of the last restore; null without a failure. */
  readonly recoveryMs: number | null;
  readonly mesh: Mesh | undefined;
  readonly events: readonly PolicyEvent[];
}
