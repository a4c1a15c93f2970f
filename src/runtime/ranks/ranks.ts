import type { Clock } from "../../platform/time/clock.ts";
import type { CollectiveOp } from "../dist/time-model/types.ts";

/** A program of several processes, one of which is a rank. */
export interface RankRun {
  /** Which of this program's rank tasks to run: `nccl-loopback`, `collective`, `dl-unit-gpu`, … */
  readonly task: string;
  readonly worldSize: number;
  /** What every rank is told, as JSON. */
  readonly input: unknown;
  /** Variables of one rank on top of the inherited ones; `undefined` takes one away. */
  readonly env?: (rank: number) => Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** From the start until every rank must have ended. */
  readonly timeoutMs: number;
  /** How long a rank may be silent before the run is given up. @default timeoutMs */
  readonly silenceMs?: number;
  /** Gets what a rank reports while it works. */
  readonly onReport?: (rank: number, report: unknown) => void;
  /** Gets each line of a rank's stdout and stderr that is not ours, such as NCCL's log. */
  readonly onLine?: (rank: number, line: string) => void;
}

/** How one rank ended. */
export type RankOutcome =
  | { readonly rank: number; readonly ended: "completed"; readonly value: unknown }
  | {
      readonly rank: number;
      readonly ended: "failed";
      readonly error: {
        readonly code?: string;
        readonly message: string;
        /** Of a TesseraError. */
        readonly details?: Readonly<Record<string, unknown>>;
      };
    }
  /** The process died, was silent too long, or was stopped because another rank was lost. */
  | { readonly rank: number; readonly ended: "lost"; readonly reason: string };

/**
 * Starts one process for each rank on this host, and ends them all as soon as one is lost or the
 * signal aborts: no rank outlives the call, however this process ends.
 */
export type RankLauncher = (run: RankRun) => Promise<readonly RankOutcome[]>;

/** What a rank task is given, in its own process; also all that `joinWorld` needs to know. */
export interface RankTaskContext {
  readonly rank: number;
  readonly worldSize: number;
  /** Where the ranks of this run meet: `127.0.0.1:41234`. */
  readonly rendezvous: string;
  /** Known to the ranks of this run alone. */
  readonly secret: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sends something to whoever launched the ranks, and shows that this one is alive. */
  readonly report: (report: unknown) => void;
}

/** One rank's part; what it returns reaches the launcher as JSON. */
export type RankTask = (context: RankTaskContext) => Promise<unknown>;

/** Element types that move between ranks. */
export type WireDType = "f32" | "f64" | "bf16" | "f16" | "i32" | "i8" | "u8";

/** Moves bytes between the ranks of a run for real: NCCL between GPUs, TCP between processes. */
export interface CollectiveTransport {
  readonly kind: "nccl" | "tcp";
  readonly rank: number;
  readonly worldSize: number;
  /** Versions and settings, for the facts of a result. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Collectives it can carry out. */
  readonly ops: readonly CollectiveOp[];
  /**
   * Buffers for one collective, filled with small integers that depend on rank and place, so that
   * the answer is exact in every order.
   */
  prepare(collective: PreparedSize): Promise<PreparedCollective>;
  /** Waits until all ranks are here. */
  barrier(): Promise<void>;
  /** Gives up at once: peers notice within their own limits. */
  abort(reason: string): void;
  close(): Promise<void>;
}

export interface PreparedSize {
  readonly op: CollectiveOp;
  /** S of nccl-tests, see `CollectiveQuery`. */
  readonly bytes: number;
  readonly dtype: WireDType;
  /** For broadcast, reduce, gather, scatter. @default 0 */
  readonly root?: number;
}

export interface PreparedCollective {
  /** S after rounding to whole elements for each rank. */
  readonly bytes: number;
  /** Runs it once and says how long this rank was busy with it. */
  run(): Promise<{ readonly timeUs: number }>;
  /** Fills the buffers again and clears the answer, so that an old answer cannot pass for a new one. */
  refill(): Promise<void>;
  /** Compares every element of this rank's answer with what integer arithmetic gives. */
  verify(): Promise<{ readonly wrong: number; readonly elements: number; readonly first?: string }>;
  close(): void;
}
