/** What a reduction by the kernels came to. */
export interface ThreadedOutcome {
  /** Elements that needed a superaccumulator. */
  readonly accumulated: number;
  readonly threads: number;
}
