import type { OpenRun } from "../run.ts";
import type { BatchContext } from "./job-calls.ts";
import { dueForCollection } from "./reconcile.ts";
import { storeStep } from "./record.ts";
import type { Sightings } from "./sightings.ts";

export interface Collected {
  /** False when nobody could look, so that silence proves nothing. */
  readonly looked: boolean;
  /** Runs whose results are on record now. */
  readonly recorded: ReadonlySet<string>;
}

/** Looks on the shared volume for results of runs whose jobs are over, and records them. */
export async function collectResults(
  context: BatchContext,
  open: readonly OpenRun[],
  sightings: Sightings,
): Promise<Collected> {
  const { collect, cluster, history, episodes, memory } = context;
  const recorded = new Set<string>();
  const late = [...memory.late.values()].map(({ run }) => run);
  const due = [...dueForCollection(open, sightings), ...late];
  if (collect === undefined || due.length === 0) return { looked: true, recorded };
  const found = await episodes.attempt("collect", () => collect(due));
  if (found === undefined) return { looked: false, recorded };
  for (const { result, digest } of found.value) {
    const atMs = cluster.clock.nowMs();
    const done = await episodes.attempt(storeStep, () =>
      history.recordResult(result, { origin: "pod", atMs, way: "file", digest }),
    );
    if (done === undefined) return { looked: false, recorded };
    recorded.add(result.runId);
    memory.late.delete(result.runId);
  }
  return { looked: true, recorded };
}
