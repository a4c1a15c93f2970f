import type { Clock } from "../time/clock.ts";

/**
 * What a machine can do in one respect: it works, works with a limit, is missing, or could not be
 * found out. Unknown is never good.
 */
export const findingStates = ["works", "limited", "missing", "unknown"] as const;
export type FindingState = (typeof findingStates)[number];

/** What a probe found. Probes return findings; they do not throw. */
export interface Finding {
  readonly state: FindingState;
  /** One sentence that says what was found. */
  readonly reason: string;
  /** What to do about it; absent when there is nothing to do. */
  readonly hint?: string;
  /** The raw facts behind the sentence: versions, paths, counts. */
  readonly evidence?: Readonly<Record<string, unknown>>;
}

export interface ProbeContext {
  readonly clock: Clock;
  /** Aborts when the probe has used up its time. */
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One question the doctor asks. Each room owns the probes for what it needs from a machine. */
export interface Probe {
  /** Stable identifier, kebab-case: `store`, `gpu-libraries`. */
  readonly id: string;
  /** What a person calls it: "GPU libraries". */
  readonly title: string;
  /** Without it Tessera cannot do its main job on this machine. */
  readonly required: boolean;
  /** What cannot be done while it is missing, one phrase. */
  readonly neededFor: string;
  find(context: ProbeContext): Promise<Finding>;
}
