import type { History } from "../history/history.ts";
import type { RunIntent, RunRecord } from "../run.ts";

/** A run with all that is known about it; undefined when the history does not have it. */
export async function readRun(
  history: Pick<History, "runs">,
  intent: RunIntent,
): Promise<RunRecord | undefined> {
  const { id, cluster, node, check, plannedAtMs } = intent;
  const found = await history.runs({
    cluster,
    node,
    check,
    plannedFromMs: plannedAtMs,
    plannedBeforeMs: plannedAtMs + 1,
    limit: 10,
  });
  return found.find((record) => record.intent.id === id);
}
