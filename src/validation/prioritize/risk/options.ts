/** How the risk policy is set up. */
export interface RiskOptions {
  /**
   * Share of the GPU-hours that goes to results older than `staleFloorDays`, oldest first, whatever
   * the risk: what the model does not expect must still be looked for. @default 0.05
   */
  readonly explorationShare?: number;
  /** Results up to this old are left to the risk model alone. @default 14 */
  readonly staleFloorDays?: number;
  /**
   * How much to spend: `stale` as much as the stale policy would under the same limits, for a fair
   * comparison; `budget` all of the daily limit. @default "stale"
   */
  readonly spend?: "stale" | "budget";
}

/** The options with every default filled in. */
export function resolveRiskOptions(options: RiskOptions): Required<RiskOptions> {
  return { explorationShare: 0.05, staleFloorDays: 14, spend: "stale", ...options };
}
