import type { Rng } from "../../platform/rng/index.ts";
import type { History, NodeEventKind } from "../history/history.ts";
import type { ValidationSettings } from "../settings.ts";
import { createPlanner } from "./create-planner.ts";
import { endedRunOf } from "./ended-run.ts";
import type { Planner } from "./planner.ts";

const dayMs = 86_400_000;
/** How far back the risk policy looks, and how much of it at most: the newest counts. */
const lookBack = { days: 90, events: 200_000, runs: 20_000 } as const;
const telling: readonly NodeEventKind[] = ["free", "busy", "crash", "kernel", "repair", "released"];

/** A planner that knows the history of its cluster, as far as its policy learns from it. */
export async function loadPlanner(options: {
  readonly history: History;
  readonly cluster: string;
  readonly settings: ValidationSettings;
  readonly rng: Rng;
  /** Now, in the cluster's time. */
  readonly nowMs: number;
}): Promise<Planner> {
  const { history, cluster, settings, rng, nowMs } = options;
  if (settings.policy !== "risk") return createPlanner({ settings, rng });
  const fromMs = nowMs - lookBack.days * dayMs;
  const [events, records] = await Promise.all([
    history.nodeEvents({ cluster, kinds: telling, fromMs, limit: lookBack.events }),
    history.runs({ cluster, plannedFromMs: fromMs, limit: lookBack.runs }),
  ]);
  const runs = records.flatMap((record) => endedRunOf(record) ?? []);
  return createPlanner({ settings, rng, events, runs });
}
