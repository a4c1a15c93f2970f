import type { Rng } from "../../platform/rng/index.ts";
import type { History, NodeEventKind } from "../history/history.ts";
import type { ValidationSettings } from "../settings.ts";
import { createPlanner } from "./create-planner.ts";
import { endedRunOf } from "./ended-run.ts";
import type { Planner } from "./planner.ts";

const dayMs = 86_400_000;
/** How far back the risk policy looks, and how much of it at most: the newest counts. */
const lookBack = { days: 90, events: 200_000, runs: 20_000 } as const;
/** The other policies only want to know what came to nothing; that waits for a day at most. */
const shortDays = 2;
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
  const learns = settings.policy === "risk";
  const fromMs = nowMs - (learns ? lookBack.days : shortDays) * dayMs;
  const [events, records] = await Promise.all([
    learns ? history.nodeEvents({ cluster, kinds: telling, fromMs, limit: lookBack.events }) : [],
    history.runs({ cluster, plannedFromMs: fromMs, limit: lookBack.runs }),
  ]);
  const ended = records.flatMap((record) => endedRunOf(record) ?? []);
  const runs = ended.toSorted((a, b) => a.endedAtMs - b.endedAtMs);
  return createPlanner({ settings, rng, events, runs });
}
