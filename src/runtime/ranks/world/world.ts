import type { Links } from "./links.ts";

/** The ranks of a run, seen from one of them, once all have met. */
export interface World {
  readonly rank: number;
  readonly worldSize: number;
  /** Where each rank is reached by the others, by rank: `10.0.0.7:41234`. */
  readonly peers: readonly string[];
  /**
   * Aborts when this world is over before its time: its reason is an E_RANK_LOST that names the rank,
   * the same on every rank.
   */
  readonly signal: AbortSignal;
  /** Connections to single ranks, for transports. */
  readonly links: Links;
  /** Waits until all ranks are here. @throws the signal's reason */
  barrier(options?: MeetOptions): Promise<void>;
  /** Hands a value of JSON to every rank; resolves to everyone's, by rank. @throws the signal's reason */
  gather<Value>(value: Value, options?: MeetOptions): Promise<readonly Value[]>;
  /** The value of JSON that `root` (0 when not given) has. @throws the signal's reason */
  broadcast<Value>(
    value: Value,
    options?: MeetOptions & { readonly root?: number },
  ): Promise<Value>;
  /**
   * Notes that an operation begins, so that a rank that hangs can be told from those that wait for it.
   * @returns its number.
   */
  begin(what: string): number;
  /** Nothing came in time: the rendezvous decides which rank is to blame, and ends the world. */
  stalled(problem: string): void;
  /** Ends the world for all ranks. @param rank the rank to blame. @default this one */
  abort(problem: string, rank?: number): void;
  /** Says goodbye and closes every connection. */
  leave(): Promise<void>;
}

export interface MeetOptions {
  /** What the meeting is for; all ranks must mean the same. @default "a barrier" and its like */
  readonly what?: string;
  /** How long the others may take. @default 300_000 */
  readonly timeoutMs?: number;
}
