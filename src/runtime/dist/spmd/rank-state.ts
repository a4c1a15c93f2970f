/** Where one rank's program stands. */
export interface RankState {
  readonly rank: number;
  status: "running" | "done" | "failed";
  /** What ended it, when it failed; others that wait for it get the same error. */
  failure: Error | undefined;
  /** How many of its calls have not been answered. */
  unanswered: number;
  /** Waits for something outside that the rank has told us about. */
  outside: number;
  /** Calls made so far. */
  calls: number;
  /** The rank's own virtual time. */
  nowUs: number;
}

export function newRankState(rank: number): RankState {
  return {
    rank,
    status: "running",
    failure: undefined,
    unanswered: 0,
    outside: 0,
    calls: 0,
    nowUs: 0,
  };
}
