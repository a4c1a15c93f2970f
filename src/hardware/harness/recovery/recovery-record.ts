import type { PhaseTimes, RecoveryEvent } from "./phases.ts";
import type { RequestSample } from "./sampler.ts";
import type { ServiceShares } from "./shares.ts";

/** A recovery as it was seen: plain values, all times measured by one clock. */
export interface RecoveryRecord {
  readonly node: string;
  readonly xid: number;
  /** The clock's monotonic time at which the fault was asked for; its line is written a moment later. */
  readonly injectedMs: number;
  readonly endedMs: number;
  /** Since the fault. */
  readonly times: PhaseTimes;
  readonly cordonedBy: string | null;
  readonly events: readonly RecoveryEvent[];
  readonly samples: readonly RequestSample[];
  /** Null where nobody said how to ask the service. */
  readonly shares: ServiceShares | null;
}
