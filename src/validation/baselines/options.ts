/** How baselines are learned and when they may come into force. */
export interface BaselineOptions {
  /** How many days of runs one is learned from. @default 14 */
  readonly windowDays?: number;
  /** How many of the newest hours are held out, so that trouble of today is not learned. @default 24 */
  readonly holdOutHours?: number;
  /** Fewer nodes than this say too little. @default 8 */
  readonly nodesMin?: number;
  /** After how many days one is no longer believed. @default 90 */
  readonly expiresAfterDays?: number;
  /** By which share a median may be worse than the one in force. @default 0.02 */
  readonly worseMax?: number;
  /** By which factor the scatter may be greater than that in force. @default 2 */
  readonly sigmaGrowthMax?: number;
  /** The greatest scatter, as a share of the median, where none is in force. @default 0.25 */
  readonly sigmaShareMax?: number;
}

export type ResolvedBaselineOptions = Required<BaselineOptions>;

const defaults: ResolvedBaselineOptions = {
  windowDays: 14,
  holdOutHours: 24,
  nodesMin: 8,
  expiresAfterDays: 90,
  worseMax: 0.02,
  sigmaGrowthMax: 2,
  sigmaShareMax: 0.25,
};

/** Every option with its value. */
export function resolveBaselineOptions(options: BaselineOptions = {}): ResolvedBaselineOptions {
  return { ...defaults, ...options };
}
