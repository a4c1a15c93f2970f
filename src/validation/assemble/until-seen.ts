import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Cluster } from "../clusters/cluster.ts";

/** Begins to look at a cluster and waits until that can be trusted, for a while at most. */
export async function untilSeen(
  cluster: Cluster,
  clock: Clock,
  { limitMs = 10_000 }: { readonly limitMs?: number } = {},
): Promise<void> {
  const seen = new AbortController();
  const look = () => {
    if (cluster.view().trust.state === "current") seen.abort();
  };
  const unsubscribe = cluster.subscribe(look);
  try {
    cluster.start();
    look();
    await sleep(clock, limitMs, seen.signal);
  } catch (error) {
    if (!seen.signal.aborted) throw error;
  } finally {
    unsubscribe();
  }
}
