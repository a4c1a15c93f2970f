import type { FaultRequestInput, FaultView, PlanAnswer } from "../api/index.ts";

/** What a test reads of a fault. */
export type TestFault = Pick<
  FaultView,
  "id" | "kind" | "node" | "state" | "message" | "endReason" | "injectedAt" | "sightings" | "left"
>;

/**
 * What a test needs of the fault API. `createFaultClient` has it; a test of a test brings its own.
 * An API that cannot be reached is an error of every method, never an empty answer.
 */
export interface FaultService {
  /** What a fault would do, and whether it may be. Changes nothing. */
  plan(request: FaultRequestInput, options?: ServiceCall): Promise<PlanAnswer>;
  /** Creates a fault and has it carried out. The same request with the same name is one fault. */
  inject(request: FaultRequestInput, options?: ServiceCall): Promise<TestFault>;
  /** Lets every fault of a run live for another lease. */
  renew(run: string, options?: ServiceCall): Promise<unknown>;
  /** Takes one fault back. */
  revert(id: string, options?: ServiceCall): Promise<unknown>;
  /** Takes every fault of a run back. */
  revertRun(run: string, options?: ServiceCall): Promise<unknown>;
  /** Takes a passthrough out of the workload's spec without a restart of its pods. */
  releaseSpec(id: string, options?: ServiceCall): Promise<unknown>;
  get(id: string, options?: ServiceCall): Promise<TestFault>;
  list(
    filter: { readonly run?: string; readonly namespace?: string },
    options?: ServiceCall,
  ): Promise<readonly TestFault[]>;
}

/** How a call is limited. */
export interface ServiceCall {
  readonly signal?: AbortSignal;
}

/** True while something of a fault may be in force. */
export function isInForce({ state }: Pick<TestFault, "state">): boolean {
  return state !== "reverted" && state !== "failed";
}
