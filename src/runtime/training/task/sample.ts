/** A sample of an epoch: the same id is the same sample, in every run and on every mesh. */
export interface SampleId {
  readonly epoch: number;
  /** Which of the data set, from 0. */
  readonly index: number;
}

/** Where a run is in its data. Plain data: it is saved with the parameters. */
export interface DataCursor {
  readonly epoch: number;
  /** Samples of this epoch that are used up. */
  readonly position: number;
  readonly seed: string;
}

/** Where a run is in its random numbers. */
export interface RandomCursor {
  readonly seed: string;
  /** Numbers drawn so far. */
  readonly drawn: number;
}
