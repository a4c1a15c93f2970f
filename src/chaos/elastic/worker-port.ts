import type { Assignment, StepNews, ToCoordinator, ToWorker, TroubleCause } from "./messages.ts";

/**
 * What a worker can do. Each call starts something and returns; later, never before it returned, it ends
 * in one call of the worker, or in none after `cancel`.
 */
export interface WorkerPort {
  send(message: ToCoordinator): void;
  /** Meets the other ranks. Ends in `joined` or `troubled`. */
  join(assignment: Assignment): void;
  /** Verifies and loads its part; null: the first state of the job. Ends in `restored`, `refused` or `troubled`. */
  restore(tag: string | null): void;
  /** One step of training. Ends in `stepped` or `troubled`. */
  step(): void;
  /**
   * Takes part in a save. Ends in `saved` or `saveFailed`; asynchronous ones beside further steps, one at a
   * time. That of rank 0 ends when all is committed. The world ends it after `timeouts.saveUs` at the latest.
   */
  save(tag: string): void;
  /** Compares what it holds with the other replicas. Ends in `compared` or `troubled`. */
  compare(): void;
  /** Whatever is under way ends without a call. */
  cancel(): void;
  exit(code: number): void;
}

/** The part of an elastic job that one rank plays: what to do next, and nothing else. */
export interface Worker {
  start(): void;
  message(message: ToWorker): void;
  joined(): void;
  /** The digest is asked for when no step is left to do. */
  restored(step: number, stateDigest: () => string): void;
  refused(tag: string, reason: string): void;
  stepped(news: StepNews, stateDigest: () => string): void;
  saved(tag: string, step: number): void;
  saveFailed(tag: string, step: number, reason: string): void;
  compared(): void;
  troubled(cause: TroubleCause, suspects: readonly number[], reason: string): void;
  /** For heartbeats and for people. */
  readonly phase:
    | "idle"
    | "joining"
    | "waiting"
    | "restoring"
    | "training"
    | "saving"
    | "comparing"
    | "drained"
    | "done";
  readonly generation: number;
  readonly rank: number;
  readonly step: number;
}
