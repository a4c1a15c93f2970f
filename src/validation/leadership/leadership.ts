/** Who leads, as far as this process knows. */
export interface Leader {
  /** The process that leads. */
  readonly holder: string;
  /** Since when it leads; undefined where that is not known. */
  readonly sinceMs: number | undefined;
  readonly isThisProcess: boolean;
}

/**
 * Which of several loops on one cluster may act. At most one leads at any time; one that was paused
 * or cut off stops by itself before another may begin.
 */
export interface Leadership {
  /** Begins to run for it. */
  start(): void;
  /** Whether this process leads at this moment. Ask right before acting, after any wait. */
  isLeader(): boolean;
  /** Larger than any earlier leader's; hand it to `History.planRuns`. Undefined while not leading. */
  fence(): number | undefined;
  /** Undefined when nobody leads or nobody has looked yet. */
  leader(): Leader | undefined;
  /** Calls back when any of the answers above may have changed. Returns how to stop that. */
  subscribe(listener: () => void): () => void;
  /** Gives it back, so that another may begin at once. Finish first. Twice is once. */
  stop(): Promise<void>;
}

/** What both kinds tell about attempts that failed. */
export type LeadershipTrouble = (error: unknown) => void;
