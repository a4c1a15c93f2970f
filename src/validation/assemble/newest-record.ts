import type { Store } from "../../platform/store/index.ts";
import type { History } from "../history/index.ts";
import { loadFleetSnapshot } from "../report/index.ts";

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
