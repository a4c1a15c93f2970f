import type { JobOptions } from "../../runtime/training/index.ts";
import type { FailurePolicy, PreemptAction } from "../fault/policy/policy-names.ts";

/** What an experiment runs. */
export type Workload =
  | TrainingWorkload
  | InferenceWorkload
  | CommandWorkload
  | PodsWorkload
  | SlurmWorkload;

/** The job of `runtime/training`: learns for real, the same bits on every mesh. */
export interface TrainingWorkload {
  readonly kind: "training";
  readonly job: JobOptions;
  readonly shape: { readonly dp: number; readonly tp: number; readonly pp: number };
  /** Steps to do. */
  readonly steps: number;
  readonly checkpoint: CheckpointRule;
  readonly policy: RecoveryPolicy;
  /**
   * `real` trains; `timing` only counts: for months of large jobs in the simulator. A run that only
   * counts proves nothing about values, and says so.
   */
  readonly numerics: "real" | "timing";
  readonly pace: Pace;
}

export interface CheckpointRule {
  /** 0 saves nothing. */
  readonly everySteps: number;
  /** How many committed ones stay. */
  readonly keep: number;
  /** The job goes on while a snapshot is written. */
  readonly asynchronous: boolean;
}

export {
  type FailurePolicy,
  failurePolicies,
  type PreemptAction,
  preemptActions,
} from "../fault/policy/policy-names.ts";

/** What the job does when a part of it is lost. */
export interface RecoveryPolicy {
  /**
   * - `failFast`: the job ends, named and clean.
   * - `drainThenResume`: everybody stops, what was lost is started again in its place, all go on from the
   *   last committed checkpoint.
   * - `pauseForManual`: everybody stops and waits for a person.
   * - `shrink`: goes on with whole data-parallel replicas that are left.
   * - `spare`: a spare device takes the place of what was lost.
   */
  readonly onFailure: FailurePolicy;
  /** More recoveries than this end the job. */
  readonly restartsMax: number;
  /** `pauseForManual`: when the person of the experiment says go on; null: never. */
  readonly resumeAfterUs: number | null;
  readonly onPreempt: { readonly action: PreemptAction; readonly graceUs: number };
  /** Ranks compare what they hold after every so many steps; 0 never. Finds silent corruption. */
  readonly compareEverySteps: number;
}

/** How long things take, for the simulator; real worlds take as long as they take. */
export interface Pace {
  /** Forward and backward of one rank, without any exchange. */
  readonly computeUs: number;
  /** Relative spread of `computeUs` between steps of a rank: 0.02 is ±2 %. */
  readonly jitter: number;
  /** From the order to start a process to its hello. */
  readonly startUs: number;
  /** The ranks of a generation meet. */
  readonly rendezvousUs: number;
  /** One rank writes its part. */
  readonly saveUs: number;
  /** One rank reads its part. */
  readonly loadUs: number;
  /** A node is seen as gone, repaired and back; null: never within the run. */
  readonly repairUs: number | null;
}

/** Replicas that answer requests: each answer follows from the request alone. */
export interface InferenceWorkload {
  readonly kind: "inference";
  readonly replicas: number;
  readonly requests: number;
  /** Requests that arrive in a second. */
  readonly ratePerS: number;
  readonly serviceUs: number;
  /** After which a request is sent to another replica. */
  readonly requestTimeoutUs: number;
  readonly attemptsMax: number;
  readonly startUs: number;
  readonly seed: string;
}

/** Any program that prints its progress. */
export interface CommandWorkload {
  readonly kind: "command";
  /** Program and arguments; no shell. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Units are counted until so many; the program ends by itself. */
  readonly units: number | null;
  /** What may be broken: the program itself, or the processes below it whose command line matches. */
  readonly workers: { readonly match: string } | null;
}

/** Pods that somebody runs. */
export interface PodsWorkload {
  readonly kind: "pods";
  readonly namespace: string;
  readonly selector: string;
  /** Lines of progress are read from the logs of these pods. */
  readonly progress: boolean;
}

/** A job that somebody runs under Slurm. */
export interface SlurmWorkload {
  readonly kind: "slurm";
  /** Its number, or its name: then whoever has it last, so that one that is handed in again counts. */
  readonly job: number | string;
  /** Whose it is. Null: of whoever runs the experiment. */
  readonly user: string | null;
  /** The file it writes its lines of progress to, as this machine finds it. Null: it tells nothing. */
  readonly output: string | null;
}
