import { newSecret, openRendezvous } from "../../../../src/runtime/ranks/index.ts";
import type { RankLauncher, RankOutcome } from "../../../../src/runtime/ranks/ranks.ts";
import { formatAddress } from "../../../../src/runtime/ranks/wire/address.ts";
import { createDlUnit } from "../../../../src/validation/checks/dl-unit/index.ts";
import { dlUnitTask } from "../../../../src/validation/checks/dl-unit/rank-task.ts";
import { type ExecuteOptions, executeCheck } from "../../../../src/validation/checks/index.ts";
import { clock, executionOf } from "../support.ts";

/** Runs all ranks in this process: the work is the same, the processes are not. */
export function inProcessRanks(
  lost: ReadonlyMap<number, string> = new Map(),
  env: Readonly<Record<string, string | undefined>> = {},
): RankLauncher {
  return async ({ worldSize, input, signal, onReport }) => {
    const secret = newSecret();
    const rendezvous = await openRendezvous({ worldSize, secret, clock });
    const meeting = { rendezvous: formatAddress(rendezvous.address), secret, clock, env };
    const runRank = async (rank: number): Promise<RankOutcome> => {
      const reason = lost.get(rank);
      if (reason !== undefined) return { rank, ended: "lost", reason };
      const report = (value: unknown) => onReport?.(rank, JSON.parse(JSON.stringify(value)));
      const context = { rank, worldSize, input, signal, report, ...meeting };
      try {
        const value: unknown = JSON.parse(JSON.stringify(await dlUnitTask(context)));
        return { rank, ended: "completed", value };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { rank, ended: "failed", error: { message } };
      }
    };
    try {
      return await Promise.all(Array.from({ length: worldSize }, (_, rank) => runRank(rank)));
    } finally {
      await rendezvous.close();
    }
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
