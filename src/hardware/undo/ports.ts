import type { KubeClient } from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { ControlUndo } from "../objects/index.ts";
import type { FaultCause } from "./cause.ts";

/** What taking back stands on. */
export interface UndoPorts {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Disarms a control block of the node we run on. @default the block ends with its lease */
  readonly disarm?: (undo: ControlUndo) => Promise<void>;
  /** The fault's name: only objects that were made for it are deleted. @default none is */
  readonly fault?: string;
  /** When the fault's control blocks end by themselves. */
  readonly leaseUntilMs: number;
  /** What the fault has written, to tell real trouble from it. @default all that detectors did is ours */
  readonly cause?: FaultCause;
  /** How long NVSentinel has to notice that its node was opened. @default 1_000 */
  readonly settleMs?: number;
  readonly signal?: AbortSignal;
}

/** What came of taking one entry back. */
export interface TakenBack {
  /** What was left alone, or was not there any more, in words. */
  readonly left: readonly string[];
}

/** How often somebody else may write to an object between our read and our write. */
export const attemptsMax = 8;

/** Options of every call. */
export function callOptions({ signal }: UndoPorts): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
