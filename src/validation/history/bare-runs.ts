import type { Queryable } from "../../platform/store/index.ts";
import type { RunFigure, RunRecord } from "../run.ts";
import { chunksOf } from "./chunks.ts";
import type { RunFilter } from "./history.ts";
import { bareRecordsQuery, intentsQuery, type RunPlace, toRecord } from "./read-records.ts";
import { toFigures } from "./result-rows.ts";

const pageSize = 1000;
/** Results of so many runs are in memory at once: with their samples they are large. */
const measuredAtOnce = 100;

/**
 * Runs without what they measured, newest plan first, page after page: whoever looks at a long history
 * keeps others waiting for one page at most.
 */
export async function* bareRunPages(
  db: Queryable,
  filter: RunFilter & { readonly limit: number },
): AsyncGenerator<readonly RunRecord[], void, undefined> {
  let left = filter.limit;
  let before: RunPlace | undefined;
  while (left > 0) {
    const size = Math.min(pageSize, left);
    const newest = intentsQuery(db, { ...filter, before })
      .orderBy("planned_at", "desc")
      .orderBy("seq", "desc")
      .limit(size);
    const rows = await bareRecordsQuery(db, newest)
      .orderBy("intent.planned_at", "desc")
      .orderBy("intent.seq", "desc")
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(toRecord);
    if (rows.length < size) return;
    left -= rows.length;
    before = { plannedAtMs: last.planned_at, seq: last.seq };
  }
}

/** How many runs a filter finds. */
export async function countRuns(db: Queryable, filter: Omit<RunFilter, "limit">): Promise<number> {
  const row = await db
    .selectFrom(intentsQuery(db, filter).as("intent"))
    .select((of) => of.fn.countAll<number | bigint | string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** What these runs measured, by run, a part after the other. */
export async function* figuresOfRuns(
  db: Queryable,
  runIds: readonly string[],
): AsyncGenerator<readonly [runId: string, figures: RunFigures], void, undefined> {
  for (const part of chunksOf(runIds, measuredAtOnce)) {
    const rows = await db
      .selectFrom("run_results as result")
      .select(["result.run_id", "result.figures"])
      .where("result.run_id", "in", [...part])
      .where("result.origin", "=", (of) =>
        of
          .selectFrom("run_results as said")
          // `pod` outweighs `loop`, and is the greater of the two words.
          .select((said) => said.fn.max("said.origin").as("origin"))
          .whereRef("said.run_id", "=", "result.run_id"),
      )
      .execute();
    for (const row of rows) yield [row.run_id, toFigures(row.figures)];
  }
}

type RunFigures = Readonly<Record<string, RunFigure>>;
