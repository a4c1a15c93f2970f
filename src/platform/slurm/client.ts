import type { Clock } from "../time/index.ts";
import type { SlurmJobChoice } from "./job-choice.ts";
import type {
  SlurmJob,
  SlurmJobEnd,
  SlurmNode,
  SlurmNodeEvent,
  SlurmPartition,
  SlurmQos,
  SlurmRelease,
  SlurmReservation,
} from "./words.ts";

/** What is handed to sbatch. */
export interface SlurmSubmission {
  /** A script of sh, a constant text without directives to sbatch: what varies goes into `env`. */
  readonly script: string;
  /** Options of sbatch, each an argument of its own: `--nodelist=g1`. */
  readonly args: readonly string[];
  /** All of the job's environment beside what Slurm adds; nothing of ours leaks into it. */
  readonly env: Readonly<Record<string, string>>;
}

/** What may be changed about a node. */
export type SlurmNodeChange =
  | { readonly state: "DRAIN" | "DOWN"; readonly reason: string }
  | { readonly state: "RESUME" | "UNDRAIN" }
  | { readonly comment: string };

export interface SlurmReservationRequest {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly users: readonly string[];
  readonly flags: readonly string[];
}

/** What was kept of ended jobs, and by whom. */
export interface SlurmHistory {
  /** `none`: this cluster keeps nothing that we could read; the sentence says why. */
  readonly source: "accounting" | "jobcomp" | "none";
  readonly problem?: string;
  readonly jobs: readonly SlurmJobEnd[];
  readonly nodeEvents: readonly SlurmNodeEvent[];
}

export interface SlurmCallOptions {
  readonly signal?: AbortSignal;
}

export interface SlurmJobsOptions extends SlurmCallOptions {
  /** @default all */
  readonly choice?: SlurmJobChoice;
  /**
   * Whether each task of an array that waits is told by itself, which can be millions. Those that run or
   * have ended always are. @default false, one job stands for them
   */
  readonly tasks?: boolean;
}

/**
 * A Slurm cluster through its own command-line tools: whoever may use them may use this.
 *
 * @throws E_SLURM_MISSING, E_SLURM_UNREACHABLE, E_SLURM_DENIED, E_SLURM_FAILED, E_SLURM_SHAPE
 */
export interface SlurmClient {
  release(options?: SlurmCallOptions): Promise<SlurmRelease>;
  nodes(options?: SlurmCallOptions): Promise<readonly SlurmNode[]>;
  /** Jobs that the controller remembers, ended ones included. */
  jobs(options?: SlurmJobsOptions): Promise<readonly SlurmJob[]>;
  partitions(options?: SlurmCallOptions): Promise<readonly SlurmPartition[]>;
  /** All of them; only accounting knows them. */
  qos(options?: SlurmCallOptions): Promise<readonly SlurmQos[]>;
  reservations(options?: SlurmCallOptions): Promise<readonly SlurmReservation[]>;
  /** Settings of the controller by their names in lower case: `killwait` -> `30 sec`. */
  settings(options?: SlurmCallOptions): Promise<Readonly<Record<string, string>>>;
  /** @returns the job's number */
  submit(submission: SlurmSubmission, options?: SlurmCallOptions): Promise<number>;
  /** Ends jobs, tasks (`12_3`) or steps (`12.0`); with a signal, only sends that. One that is gone is no error. */
  cancel(
    ids: readonly string[],
    options?: SlurmCallOptions & { readonly kill?: string; readonly batch?: boolean },
  ): Promise<void>;
  requeue(id: string, options?: SlurmCallOptions): Promise<void>;
  /** The steps of a job that run: `12.0`, `12.batch`. None for one that is gone. */
  steps(id: string, options?: SlurmCallOptions): Promise<readonly string[]>;
  updateNode(name: string, change: SlurmNodeChange, options?: SlurmCallOptions): Promise<void>;
  /** One of that name that is there already is left as it is. */
  createReservation(request: SlurmReservationRequest, options?: SlurmCallOptions): Promise<void>;
  /** One that is not there is no error. */
  deleteReservation(name: string, options?: SlurmCallOptions): Promise<void>;
  /** Jobs that ended since, and what befell nodes; oldest first, at most 10,000 of each. */
  history(sinceMs: number, options?: SlurmCallOptions): Promise<SlurmHistory>;
}

export interface SlurmClientOptions {
  /** The folder of Slurm's programs. @default where PATH finds them */
  readonly bin?: string | undefined;
  /** Slurm's configuration. @default SLURM_CONF, else Slurm's own place */
  readonly conf?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** How long one call may take. @default 30 000 */
  readonly timeoutMs?: number;
  /** What prints more is refused, not cut. @default 256 MiB, some 25,000 jobs as JSON */
  readonly outputBytesMax?: number;
}
