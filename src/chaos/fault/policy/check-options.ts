import { didYouMean } from "../../../platform/config/index.ts";
import { shown } from "../catalogue/shown.ts";
import { invalidFault } from "../spec/converter.ts";
import type { OnFailureOptions } from "./options.ts";
import { failurePolicies } from "./policy-names.ts";

/** @throws E_FAULT_INVALID */
export function checkOnFailure(options: OnFailureOptions<unknown, unknown>): void {
  const { policy, maxRetries = 0, waitMs = 0, mesh, spares = [], resume } = options;
  requireKnown("onFailure.policy", policy, failurePolicies);
  requireCount("onFailure.maxRetries", maxRetries, "Give a whole number from 0 to 1000.");
  requireTime("onFailure.waitMs", waitMs);
  if ((policy === "shrink" || policy === "spare") && mesh === undefined) {
    throw invalidFault(`onFailure ${policy}`, "it has no mesh to change", "Give `mesh`.");
  }
  if (policy === "spare" && spares.length === 0) {
    throw invalidFault("onFailure spare", "it has no spares", "Give `spares`, a list of devices.");
  }
  const inMesh = spares.find((one) => mesh?.rankOfDevice(one) !== undefined);
  if (inMesh !== undefined) {
    const problem = `the spare ${inMesh} is in the mesh already`;
    throw invalidFault("onFailure spare", problem, "Give devices that the mesh does not have.");
  }
  if (policy === "pauseForManual" && resume === undefined) {
    const remedy = "Give `resume`, which settles when a person has decided.";
    throw invalidFault("onFailure pauseForManual", "nobody can say go on", remedy);
  }
}

export function requireKnown(what: string, given: unknown, known: readonly string[]): void {
  if (known.some((one) => one === given)) return;
  const problem = `${shown(given)} is none${didYouMean(String(given), known)}`;
  throw invalidFault(what, problem, `Give one of ${known.join(", ")}.`);
}

export function requireTime(what: string, ms: number): void {
  if (Number.isFinite(ms) && ms >= 0) return;
  throw invalidFault(what, `${shown(ms)} is no time`, "Give milliseconds from 0 up.");
}

function requireCount(what: string, count: number, remedy: string): void {
  if (Number.isInteger(count) && count >= 0 && count <= 1000) return;
  throw invalidFault(what, `${shown(count)} is no number of tries`, remedy);
}
