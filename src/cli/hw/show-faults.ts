import type { FaultView } from "../../hardware/api/index.ts";
import { tableOf } from "../text-table.ts";

/** Faults as a table. */
export function faultLines(faults: readonly FaultView[]): readonly string[] {
  if (faults.length === 0) return ["No fault is in force."];
  const rows = faults.map((fault) => [
    fault.id,
    fault.state,
    fault.kind,
    fault.target,
    fault.run,
    fault.leaseUntil ?? fault.expiresAt,
    fault.requestedBy,
  ]);
  return tableOf([["ID", "STATE", "KIND", "TARGET", "RUN", "ENDS BY", "ASKED FOR BY"], ...rows]);
}

/** What became of faults that were taken back, and what was left alone. */
export function revertLines(faults: readonly FaultView[]): readonly string[] {
  if (faults.length === 0) return ["Nothing was in force."];
  return faults.flatMap(({ id, state, left, message }) => [
    `${id} is ${state}${left.length === 0 && message !== null ? `: ${message}` : ""}`,
    ...left.map((what) => `  left as it is: ${what}`),
  ]);
}
