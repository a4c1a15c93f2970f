import type { Rng } from "../../platform/rng/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { History } from "../history/index.ts";
import { createPlanner, endedRunOf, type Planner } from "../plan/index.ts";
import { loadFleetSnapshot } from "../report/index.ts";
import type { ValidationSettings } from "../settings.ts";

const runsMax = 20_000;

/** A planner that has learned from the history of its cluster. */
export async function plannerFrom(
  history: History,
  about: {
    readonly cluster: string;
    readonly settings: ValidationSettings;
    readonly rng: Rng;
  },
): Promise<Planner> {
  const { cluster, settings, rng } = about;
  const events = await history.nodeEvents({ cluster });
  const runs = (await history.runs({ cluster, limit: runsMax }))
    .flatMap((run) => endedRunOf(run) ?? [])
    .toSorted((a, b) => a.endedAtMs - b.endedAtMs);
  return createPlanner({ settings, rng, events, runs });
}

/** The newest time on record of a cluster; undefined when nothing is. */
export async function newestRecordMs(
  store: Pick<Store, "db">,
  history: History,
  cluster: string,
): Promise<number | undefined> {
  const [newest] = await history.runs({ cluster, limit: 1 });
  const [event] = await history.nodeEvents({ cluster, limit: 1 });
  const ended = (await history.lastEndedAtMs(cluster)).values();
  const snapshot = await loadFleetSnapshot(store, cluster);
  const times = [newest?.intent.plannedAtMs, event?.atMs, snapshot?.atMs, ...ended];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}
