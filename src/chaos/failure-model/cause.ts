import type { FaultName } from "../fault/fault-names.ts";

/** What fails as one: the processes of the job, a device, a node, or what its network hangs on. */
export type CauseScope = "job" | "device" | "node" | "network";

/**
 * How a failure shows: a process ends and everybody knows; ranks wait until a timeout; or nothing shows
 * until somebody compares, and what was saved since is wrong.
 */
export type CauseSign = "crash" | "hang" | "silent";

/** One row of a table of causes. The counts decide: printed percentages may be wrong. */
export interface Cause {
  readonly name: string;
  readonly count: number;
  readonly scope: CauseScope;
  readonly sign: CauseSign;
  /** The fault of the catalogue that does to a job what this does. */
  readonly fault: FaultName;
}

/** Rows as `[name, count, scope, fault, sign]`; a sign that is not given is a crash. */
export type CauseRow = readonly [string, number, CauseScope, FaultName, CauseSign?];

export function causesOf(rows: readonly CauseRow[]): readonly Cause[] {
  return rows.map(([name, count, scope, fault, sign = "crash"]) => ({
    name,
    count,
    scope,
    sign,
    fault,
  }));
}
