import type { Clock } from "../../platform/time/clock.ts";
import type { Cluster } from "../clusters/cluster.ts";
import type { History } from "../history/history.ts";
import type { OpenRun, RunResult } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";
import type { Episodes } from "./episodes.ts";
import type { BatchEvent } from "./events.ts";

/** How jobs hand in their results. */
export interface JobWays {
  /** The run's token; never logged. */
  token(runId: string): string;
  /** Where the job posts its result; undefined when it only writes files. */
  resultUrl?(runId: string): string | undefined;
}

/** A result that was found on the shared volume. */
export interface FoundResult {
  readonly result: RunResult;
  /** SHA-256 of the document. */
  readonly digest: string;
}

/**
 * Looks for results of these runs that were handed in as files. Throws when it could not look, so
 * that nobody takes a volume that is away for a run without a result.
 */
export type Collect = (runs: readonly OpenRun[]) => Promise<readonly FoundResult[]>;

/** What runs are carried out with. */
export interface BatchPorts {
  readonly cluster: Cluster;
  readonly history: History;
  readonly settings: ValidationSettings;
  readonly jobs: JobWays;
  /** @default results come by POST only */
  readonly collect?: Collect;
  /** This machine's time, for deadlines and retries; jobs live in the cluster's. */
  readonly clock: Clock;
  /** Whether this process may act now; asked right before each effect. */
  readonly isLeader: () => boolean;
  /** The leader's fence. */
  readonly fence: () => number | undefined;
  readonly onEvent: (event: BatchEvent) => void;
  /** What did not work before, so that it is not told twice. @default nothing is known of */
  readonly episodes?: Episodes | undefined;
  /** How much is done at once, and how often it is tried. */
  readonly pace?: Partial<Pace>;
}

export interface Pace {
  /** Jobs submitted or cancelled at the same time. @default 8 */
  readonly callsAtOnce: number;
  /** How long one call to the cluster may take. @default 60_000 */
  readonly callTimeoutMs: number;
  /** Steps of one pass; the rest waits for the next. @default 500 */
  readonly stepsMax: number;
  /** The first pause after a failure; each further failure doubles it. @default 1_000 */
  readonly retryMs: number;
  /** The longest pause. @default 60_000 */
  readonly retryMsMax: number;
  /** A cancelled job that is still there is cancelled again after this long. @default 10_000 */
  readonly cancelEveryMs: number;
}

export const paceDefaults: Pace = {
  callsAtOnce: 8,
  callTimeoutMs: 60_000,
  stepsMax: 500,
  retryMs: 1_000,
  retryMsMax: 60_000,
  cancelEveryMs: 10_000,
};
