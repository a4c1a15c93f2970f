import type { KubeClient } from "../../platform/kube/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { FaultBook } from "../faults/index.ts";
import type { ControlUndo, EndReason, HardwareFault } from "../objects/index.ts";

export interface ReaperOptions {
  readonly book: FaultBook;
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The name of the book: `fault-api`, `agent/<node>`, `runner/<run>`. */
  readonly by: string;
  /** Which faults it looks after. */
  readonly owns: (fault: HardwareFault) => boolean;
  /** Disarms control blocks; without it they are waited for until their lease is over. */
  readonly disarm?: (undo: ControlUndo) => Promise<void>;
  /** The node whose blocks `disarm` reaches. @default those of every fault it looks after */
  readonly node?: string;
  /** Between two looks at the faults known. @default 1_000 */
  readonly intervalMs?: number;
  /** Between two lists of all faults, whatever the watch says. @default 30_000 */
  readonly listEveryMs?: number;
  /** Faults taken back at once; most of them wait, and the client bounds its requests. @default 64 */
  readonly concurrency?: number;
  /** Lets faults go that are over: removes their finalizer, and old ones. @default false */
  readonly collects?: boolean;
  /** How long NVSentinel has to notice that its node was opened. @default 1_000 */
  readonly settleMs?: number;
  /** How long `revert` waits. @default 60_000 */
  readonly revertTimeoutMs?: number;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

/** What came of one look at all faults. */
export interface SweepResult {
  /** Names of those that are over because of this look. */
  readonly reverted: readonly string[];
  /** Those that could not be taken back this time, and why. */
  readonly failed: readonly { readonly name: string; readonly message: string }[];
  /** Those that another reaper has. */
  readonly others: readonly string[];
}

/** Takes faults back that have ended, on its own. */
export interface Reaper {
  /** Lists the faults and takes back what is due; settles when that is done. */
  sweep(): Promise<SweepResult>;
  /** Goes on until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Ends a fault and waits until it is over, whoever takes it back.
   *
   * @returns it `reverted` or `failed`, or `revert-failed` for now
   * @throws TesseraError E_HW_FAULT_UNKNOWN; E_HW_TIMEOUT
   */
  revert(name: string, reason: EndReason): Promise<HardwareFault>;
}
