import { dayOf, type Queryable } from "../../platform/store/index.ts";
import type { Verdict } from "../../platform/words.ts";

/** What was planned on one day, and what became of it. */
export interface DayCounts {
  /** Whole days since the Unix epoch. */
  readonly day: number;
  readonly runs: number;
  readonly gpuHours: number;
  /** By the newest verdict on each run; runs without one are in none. */
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>;
}

const dayMs = 86_400_000;

/** Counts the runs of a cluster by the day they were planned on, oldest first. */
export async function readDayCounts(
  db: Queryable,
  given: { readonly cluster: string; readonly fromDay: number; readonly beforeDay: number },
): Promise<readonly DayCounts[]> {
  const { cluster, fromDay, beforeDay } = given;
  const rows = await db
    .selectFrom("run_intents as intent")
    .leftJoin("run_verdicts as judged", (join) =>
      join.on("judged.seq", "=", (of) =>
        of
          .selectFrom("run_verdicts as every")
          .select((every) => every.fn.max("every.seq").as("seq"))
          .whereRef("every.run_id", "=", "intent.id"),
      ),
    )
    .select([
      dayOf("intent.planned_at").as("day"),
      "judged.verdict",
      (of) => of.fn.countAll<number>().as("runs"),
      (of) => of.fn.sum<number>("intent.gpu_hours").as("hours"),
    ])
    .where("intent.cluster", "=", cluster)
    .where("intent.planned_at", ">=", fromDay * dayMs)
    .where("intent.planned_at", "<", beforeDay * dayMs)
    .groupBy(["day", "judged.verdict"])
    .execute();
  const days = new Map<number, DayCounts>();
  for (const row of rows) {
    const { day } = row;
    const { runs, gpuHours, verdicts } = days.get(day) ?? { runs: 0, gpuHours: 0, verdicts: {} };
    const own = row.verdict === null ? {} : { [row.verdict]: row.runs };
    days.set(day, {
      day,
      runs: runs + row.runs,
      gpuHours: gpuHours + row.hours,
      verdicts: { ...verdicts, ...own },
    });
  }
  return [...days.values()].toSorted((a, b) => a.day - b.day);
}
