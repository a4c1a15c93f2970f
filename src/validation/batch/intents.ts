import type { Cluster } from "../clusters/cluster.ts";
import type { History } from "../history/history.ts";
import type { PlannedRun } from "../plan/planner.ts";
import type { RunIntent } from "../run.ts";
import { jobNameOf, runIdOf } from "./names.ts";

const attemptsMax = 1_000;

/**
 * Writes decisions out as intents. The time a run was planned is moved by milliseconds where an
 * earlier run of the same node and check has it already, which happens when a clock was set back:
 * a new decision must not be taken for an old one that has ended.
 */
export async function intentsOf(
  runs: readonly PlannedRun[],
  context: {
    readonly cluster: Pick<Cluster, "name" | "provenance">;
    readonly history: Pick<History, "findIntent">;
    readonly policy: string;
    readonly nowMs: number;
  },
): Promise<readonly RunIntent[]> {
  const intents: RunIntent[] = [];
  for (const run of runs) {
    const intent = await freshIntent(run, context);
    if (intent !== undefined) intents.push(intent);
  }
  return intents;
}

async function freshIntent(
  run: PlannedRun,
  context: Parameters<typeof intentsOf>[1],
): Promise<RunIntent | undefined> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const intent = intentAt(run, context.nowMs + attempt, context);
    if ((await context.history.findIntent(intent.id)) === undefined) return intent;
  }
  return undefined;
}

function intentAt(
  run: PlannedRun,
  plannedAtMs: number,
  context: Parameters<typeof intentsOf>[1],
): RunIntent {
  const { node, check, purpose, reason, gpuHours, fileSystem } = run;
  const { name: cluster, provenance } = context.cluster;
  const id = runIdOf({ cluster, node: node.name, check, plannedAtMs });
  return {
    id,
    cluster,
    node: node.name,
    check,
    plannedAtMs,
    jobName: jobNameOf({ id, check, node: node.name }),
    purpose,
    reason,
    policy: purpose === "routine" ? context.policy : "none",
    sku: node.sku,
    rack: node.rack,
    fileSystem,
    gpus: node.gpus,
    gpuHours,
    provenance,
  };
}
