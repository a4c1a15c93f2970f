import { type Queryable, readTimes, type Store } from "../../platform/store/index.ts";
import type { LatestStatus } from "../prioritize/index.ts";
import type { History } from "./history.ts";

/** @see History.latestStatus */
export async function readLatestStatus(
  store: Store,
  options: {
    readonly cluster: string;
    readonly checks: readonly string[];
    readonly nowMs: number;
  },
): Promise<LatestStatus> {
  const { cluster, checks, nowMs } = options;
  const tested = new Map<string, ReadonlyMap<string, number>>();
  for (const check of checks) {
    const completed = store.db
      .selectFrom("latest_runs")
      .select(["node as name", "completed_at as at"])
      .where("cluster", "=", cluster)
      .where("check_name", "=", check)
      .where("completed_at", "is not", null);
    tested.set(check, await readTimes(store, completed));
  }
  return { readAtMs: nowMs, checks, testedAtMs: (node, check) => tested.get(check)?.get(node) };
}

/**
 * The seed's name for the look-up of what was tested when: for each node and check the time of the
 * newest run that completed.
 */
export function getDbLatestStatus(
  history: Pick<History, "latestStatus">,
  cluster: string,
  checks: readonly string[],
  nowMs: number,
): Promise<LatestStatus> {
  return history.latestStatus(cluster, checks, nowMs);
}

/** @see History.lastEndedAtMs */
export function readLastEnded(store: Store, cluster: string): Promise<ReadonlyMap<string, number>> {
  const ended = store.db
    .selectFrom("latest_runs")
    .select(["node as name", (of) => of.fn.max("ended_at").as("at")])
    .where("cluster", "=", cluster)
    .groupBy("node");
  return readTimes(store, ended);
}

/** @see History.gpuHoursSince */
export async function readGpuHours(
  db: Queryable,
  cluster: string,
  fromMs: number,
): Promise<number> {
  const row = await db
    .selectFrom("run_intents")
    .select((of) => of.fn.sum<number | null>("gpu_hours").as("hours"))
    .where("cluster", "=", cluster)
    .where("planned_at", ">=", fromMs)
    .executeTakeFirstOrThrow();
  return row.hours ?? 0;
}
