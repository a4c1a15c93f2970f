import { breakDuring, breakNow } from "../../runtime/dist/health/index.ts";
import { breakagesOf } from "./spec/breakages-of.ts";
import type { FaultSpec } from "./spec/fault-spec.ts";

/**
 * Breaks something on purpose in this async context and in what it starts, until the result is
 * disposed of (`using injected = fault.inject({ dropDevice: 5 })`), or while a function runs and, if
 * it returns a promise, until that settles. Scopes nest and may end in any order; ending one twice
 * is ending it once. What is broken is put right when the scope ends, also by an error.
 *
 * Code before the first `await` of an async function shares its caller's context: tasks that run side
 * by side, each with faults of its own, take the form with a function.
 *
 * Operations that meet the fault throw E_DEVICE_LOST, E_PARTITION, E_TIMEOUT (hung devices, dropped
 * collectives) or E_CUDA (errors of a device that lives on), the same for all ranks; or take longer in
 * modelled time; or come out wrong. Groups of devices that do not touch it work as before.
 *
 * @throws E_FAULT_UNKNOWN for a fault that does not exist, E_FAULT_INVALID for one that cannot be.
 */
export function inject(spec: FaultSpec): Disposable;
export function inject<T>(spec: FaultSpec, fn: () => T): T;
export function inject<T>(spec: FaultSpec, fn?: () => T): Disposable | T {
  const breakages = breakagesOf(spec);
  return fn === undefined ? breakNow(breakages) : breakDuring(breakages, () => fn());
}
