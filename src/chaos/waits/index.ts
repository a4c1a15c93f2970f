/** Who waits for whom: ranks that are stuck, and jobs that are busy without getting on. */
export { diagnoseWaits, suspectsOf } from "./diagnose-waits.ts";
export { findLivelocks, type Livelock, type LivelockOptions } from "./livelock.ts";
export type { RankWait } from "./rank-wait.ts";
export {
  type SlowSet,
  type StuckCause,
  type StuckSet,
  stuckCauses,
  type WaitReport,
} from "./stuck-set.ts";
export type { WaitOptions } from "./wait-graph.ts";
