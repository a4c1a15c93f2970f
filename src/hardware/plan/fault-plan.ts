import type { GuardFinding } from "../guard/index.ts";
import type { FaultAction } from "../objects/index.ts";

export type Answer = "yes" | "no" | "unknown";

/** What will happen, as far as it can be known beforehand. */
export interface FaultPlan {
  readonly action: FaultAction;
  /** Absent for a fault that is on no node. */
  readonly node?: string;
  /** What will stand in the kernel log, exactly; the GPU's address may not be known yet. */
  readonly lines: readonly string[];
  readonly detectors: readonly DetectorPlan[];
  readonly pods: readonly PodPlan[];
  /** A machine may really be reset, restarted or replaced. */
  readonly realReboot: Answer;
  readonly guard: readonly GuardFinding[];
  /** What restarts because of it, in words; absent: nothing. */
  readonly restarts?: string;
}

export interface DetectorPlan {
  readonly name: "nvsentinel" | "gpud" | "dcgm" | "tessera";
  readonly present: Answer;
  /** It reacts to at least one of the lines. */
  readonly matched: boolean;
  readonly isFatal: boolean;
  /** What it recommends or does: `RESTART_BM`, `REBOOT_SYSTEM`, `none`. */
  readonly action: string;
  readonly cordon: Answer;
  /** How pods leave the node, in a word. */
  readonly drain: string;
  /** From the line to its mark on the node. */
  readonly timing?: Timing;
  readonly why: string;
}

export interface Timing {
  readonly fromMs: number;
  readonly toMs: number;
  /** Where the numbers are from. */
  readonly source: string;
}

export interface PodPlan {
  /** `namespace/name`; for other namespaces than the one under test only how many. */
  readonly name: string;
  /** `ReplicaSet/web-7f9c`; `none` for a bare pod, `not shown` for those of other namespaces. */
  readonly workload: string;
  readonly effect: string;
}
