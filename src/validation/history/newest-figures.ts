import type { Queryable } from "../../platform/store/index.ts";
import type { RunFigure } from "../run.ts";

/** The figures of a node's newest completed run of a check. */
export interface NewestFigures {
  readonly node: string;
  readonly sku: string;
  /** Empty for runs without one. */
  readonly cohort: string;
  readonly endedAtMs: number;
  readonly figures: Readonly<Record<string, RunFigure>>;
}

/** The newest figures of the nodes of a SKU that completed a check, the newest ends first. */
export async function readNewestFigures(
  db: Queryable,
  given: {
    readonly cluster: string;
    readonly check: string;
    readonly sku: string;
    readonly fromMs: number;
    readonly limit: number;
  },
): Promise<readonly NewestFigures[]> {
  const { cluster, check, sku, fromMs, limit } = given;
  const rows = await db
    .selectFrom("latest_runs as latest")
    .innerJoin("run_intents as intent", "intent.id", "latest.completed_run")
    .innerJoin("run_results as result", (join) =>
      join
        .onRef("result.run_id", "=", "latest.completed_run")
        // What completed was said by the pod itself, or by nobody.
        .on("result.outcome", "=", "completed"),
    )
    .select(["latest.node", "intent.sku", "result.cohort", "result.ended_at", "result.figures"])
    .where("latest.cluster", "=", cluster)
    .where("latest.check_name", "=", check)
    .where("latest.completed_at", ">=", fromMs)
    .where("intent.sku", "=", sku)
    .orderBy("latest.completed_at", "desc")
    .orderBy("latest.node")
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const figures: Readonly<Record<string, RunFigure>> = JSON.parse(row.figures);
    const { node, cohort } = row;
    return { node, sku: row.sku, cohort: cohort ?? "", endedAtMs: row.ended_at, figures };
  });
}
