import type { RankLauncher, RankOutcome } from "../../../../src/runtime/ranks/ranks.ts";
import { createDlUnit } from "../../../../src/validation/checks/dl-unit/index.ts";
import { dlUnitTask } from "../../../../src/validation/checks/dl-unit/rank-task.ts";
import { type ExecuteOptions, executeCheck } from "../../../../src/validation/checks/index.ts";
import { clock, executionOf } from "../support.ts";

/** Runs ranks one after the other in this process: the work is the same, the processes are not. */
export function inProcessRanks(
  lost: ReadonlyMap<number, string> = new Map(),
  env: Readonly<Record<string, string | undefined>> = {},
): RankLauncher {
  return async ({ worldSize, input, signal, onReport }) => {
    const outcomes: RankOutcome[] = [];
    for (let rank = 0; rank < worldSize; rank++) {
      const reason = lost.get(rank);
      if (reason !== undefined) {
        outcomes.push({ rank, ended: "lost", reason });
        continue;
      }
      const report = (value: unknown) => onReport?.(rank, JSON.parse(JSON.stringify(value)));
      const meeting = { rendezvous: "127.0.0.1:1", secret: "", clock, env };
      const context = { rank, worldSize, input, signal, report, ...meeting };
      try {
        const value: unknown = JSON.parse(JSON.stringify(await dlUnitTask(context)));
        outcomes.push({ rank, ended: "completed", value });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        outcomes.push({ rank, ended: "failed", error: { message } });
      }
    }
    return outcomes;
  };
}

/** A run of the check with these options. */
export async function runDlUnit(
  options: Readonly<Record<string, unknown>>,
  change: Partial<ExecuteOptions> = {},
) {
  const check = createDlUnit();
  const how = executionOf({ ranks: inProcessRanks(), ...change });
  const prepared = { check, options: check.options.parse({ engine: "cpu", ...options }) };
  return { ...(await executeCheck({ ...how, prepared })), lines: how.lines };
}
