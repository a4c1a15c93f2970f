import type { Queryable } from "../../platform/store/index.ts";
import type { RunFigure } from "../run.ts";
import { chunksOf } from "./chunks.ts";

/** The newest run of a check that a node completed. */
export interface NewestCompleted {
  readonly node: string;
  readonly runId: string;
}

/** The newest completed runs of the nodes of a SKU, the newest ends first. */
export async function readNewestCompleted(
  db: Queryable,
  given: {
    readonly cluster: string;
    readonly check: string;
    readonly sku: string;
    readonly fromMs: number;
    readonly limit: number;
  },
): Promise<readonly NewestCompleted[]> {
  const { cluster, check, sku, fromMs, limit } = given;
  return await db
    .selectFrom("latest_runs as latest")
    .innerJoin("run_intents as intent", "intent.id", "latest.completed_run")
    .select(["latest.node", "intent.id as runId"])
    .where("latest.cluster", "=", cluster)
    .where("latest.check_name", "=", check)
    .where("latest.completed_at", ">=", fromMs)
    .where("intent.sku", "=", sku)
    .orderBy("latest.completed_at", "desc")
    .orderBy("latest.node")
    .limit(limit)
    .execute();
}

/** Figures are long: with more of them others would wait. */
const figuresAtOnce = 200;

/** What a completed run measured. */
export interface CompletedFigures {
  readonly runId: string;
  /** Empty for runs without one. */
  readonly cohort: string;
  readonly figures: Readonly<Record<string, RunFigure>>;
}

/** The figures of some completed runs, in parts, so that thousands are never in memory at once. */
export async function* readCompletedFigures(
  db: Queryable,
  runIds: readonly string[],
): AsyncGenerator<readonly CompletedFigures[]> {
  for (const part of chunksOf(runIds, figuresAtOnce)) {
    const rows = await db
      .selectFrom("run_results")
      .select(["run_id", "cohort", "figures"])
      .where("run_id", "in", part)
      // What completed was said by the pod itself, or by nobody.
      .where("outcome", "=", "completed")
      .execute();
    yield rows.map(({ run_id: runId, cohort, figures }) => ({
      runId,
      cohort: cohort ?? "",
      figures: JSON.parse(figures),
    }));
  }
}
