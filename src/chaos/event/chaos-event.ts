import type { Broken, Effect } from "../../runtime/dist/health/index.ts";
import type { FaultName } from "../fault/fault-names.ts";
import type { PolicyResult } from "../fault/policy/index.ts";
import type { RecoveryPath } from "../plan/index.ts";

/** A fault in force, what it did, and what became of that. */
export interface ChaosEvent {
  readonly fault: FaultName;
  /** For people. */
  readonly target: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether an operation met it. A fault that nothing met proves nothing. */
  readonly exercised: boolean;
  readonly effects: readonly Effect[];
  /** What a policy (`fault.onFailure`) made of it. Catching an exception is not recovery; this is. */
  settle(result: PolicyResult<unknown>): void;
  report(): ChaosReport;
}

/**
 * - `recovered`: it was met, a policy completed, and a comparison proves that the result is right.
 * - `not recovered`: it was met, and something of that is missing or wrong.
 * - `not exercised`: nothing met it.
 */
export type ChaosOutcome = "recovered" | "not recovered" | "not exercised";

export interface ChaosReport {
  readonly outcome: ChaosOutcome;
  /** Why, in a sentence. */
  readonly reason: string;
  readonly fault: FaultName;
  readonly target: string;
  /** How often operations met it. */
  readonly met: number;
  readonly effects: readonly Effect[];
  readonly expectedRecovery: RecoveryPath | null;
  readonly recovery: PolicyResult<unknown>["path"] | null;
  /** On the clock of the policy: measured, or virtual where that clock is. Null: no recovery. */
  readonly recoveryS: number | null;
  readonly text: string;
}

export interface EventOptions {
  readonly fault: FaultName;
  readonly target: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly broken: Broken;
  readonly expectedRecovery: RecoveryPath | null;
  readonly maxRecoveryS: number | null;
}

const msPerS = 1000;

export function createChaosEvent(options: EventOptions): ChaosEvent {
  const { fault, target, params, broken, expectedRecovery } = options;
  let settled: PolicyResult<unknown> | null = null;
  return {
    fault,
    target,
    params,
    get exercised() {
      return broken.met > 0;
    },
    get effects() {
      return broken.effects();
    },
    settle: (result) => {
      settled = result;
    },
    report: () => {
      const { outcome, reason } = conclude(options, settled);
      const recoveryMs = settled?.recoveryMs ?? null;
      return {
        outcome,
        reason,
        fault,
        target,
        met: broken.met,
        effects: broken.effects(),
        expectedRecovery,
        recovery: settled?.path ?? null,
        recoveryS: recoveryMs === null ? null : recoveryMs / msPerS,
        text: `${fault} on ${target}: ${outcome}; ${reason}.`,
      };
    },
  };
}

interface Conclusion {
  readonly outcome: ChaosOutcome;
  readonly reason: string;
}

function conclude(options: EventOptions, settled: PolicyResult<unknown> | null): Conclusion {
  const { broken, expectedRecovery, maxRecoveryS } = options;
  if (broken.met === 0) {
    return { outcome: "not exercised", reason: "no operation met the fault" };
  }
  const not = (reason: string): Conclusion => ({ outcome: "not recovered", reason });
  const first = broken.effects()[0];
  const seen = first === undefined ? "it was met" : `${first.op} ${first.what}: ${first.text}`;
  if (settled === null) return not(`${seen}; no policy completed`);
  if (settled.integrity !== "equal") {
    return not(`the job went on, but its integrity is ${settled.integrity}: ${settled.reason}`);
  }
  if (expectedRecovery !== null && settled.path !== expectedRecovery) {
    return not(`it came back by ${settled.path} instead of ${expectedRecovery}`);
  }
  const seconds = (settled.recoveryMs ?? 0) / msPerS;
  if (maxRecoveryS !== null && seconds > maxRecoveryS) {
    return not(`it took ${seconds} s, and ${maxRecoveryS} s were allowed`);
  }
  return { outcome: "recovered", reason: settled.reason };
}
