import { didYouMean } from "../../platform/config/index.ts";
import { type Broken, breakDuring, breakNow } from "../../runtime/dist/health/index.ts";
import { faultEntry, resolveParams } from "../fault/catalogue/index.ts";
import type { FaultName } from "../fault/fault-names.ts";
import { invalidFault } from "../fault/spec/converter.ts";
import { type RecoveryPath, recoveryPaths } from "../plan/index.ts";
import { breakagesOfFault } from "./breakages-of-fault.ts";
import { type ChaosEvent, createChaosEvent } from "./chaos-event.ts";
import { type ChaosTarget, resolveTarget } from "./chaos-target.ts";

/** A fault of the catalogue, and what is expected of whoever meets it. */
export interface ChaosSpec {
  readonly fault: FaultName;
  /** What it hits. Faults of collectives and links take everything without one. */
  readonly target?: ChaosTarget;
  /** Of the fault; `tessera chaos faults` lists them. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Of what is left to chance. @default 0 */
  readonly seed?: string | number;
  /** How the job has to come back. @default any way */
  readonly expectedRecovery?: RecoveryPath;
  /** Within this. @default no limit */
  readonly maxRecoveryS?: number;
}

/**
 * Breaks something on purpose, as `fault.inject` does, and keeps an eye on it: `event.exercised` says
 * whether an operation met the fault, `event.report()` what became of it. The function form hands the event
 * to the function.
 *
 * @throws E_FAULT_UNKNOWN, E_FAULT_INVALID
 */
export function inject(spec: ChaosSpec): ChaosEvent & Disposable;
export function inject<T>(spec: ChaosSpec, fn: (event: ChaosEvent) => T): T;
export function inject<T>(
  spec: ChaosSpec,
  fn?: (event: ChaosEvent) => T,
): (ChaosEvent & Disposable) | T {
  const { fault, seed = 0, expectedRecovery = null, maxRecoveryS = null } = spec;
  faultEntry(fault);
  checkExpectations(spec);
  const params = resolveParams(fault, spec.params);
  const target = resolveTarget(fault, spec.target);
  const breakages = breakagesOfFault({ fault, params, target, seed });
  const eventOf = (broken: Broken) => {
    const facts = { fault, target: target.text, params, broken };
    return createChaosEvent({ ...facts, expectedRecovery, maxRecoveryS });
  };
  if (fn !== undefined) return breakDuring(breakages, (broken) => fn(eventOf(broken)));
  const broken = breakNow(breakages);
  return Object.defineProperty(eventOf(broken), Symbol.dispose, {
    value: () => broken[Symbol.dispose](),
  }) as ChaosEvent & Disposable;
}

function checkExpectations({ fault, expectedRecovery, maxRecoveryS = 0 }: ChaosSpec): void {
  if (expectedRecovery !== undefined && !recoveryPaths.includes(expectedRecovery)) {
    const problem = `there is no recovery ${expectedRecovery}${didYouMean(expectedRecovery, recoveryPaths)}`;
    throw invalidFault(fault, problem, `The recoveries are ${recoveryPaths.join(", ")}.`);
  }
  if (!(Number.isFinite(maxRecoveryS) && maxRecoveryS >= 0)) {
    throw invalidFault(fault, `maxRecoveryS is ${maxRecoveryS}`, "Give seconds from 0 up.");
  }
}
