import type { CollectiveQuery } from "../../dist/time-model/index.ts";
import { modelCollective } from "../../dist/time-model/index.ts";

/** Large enough that no latency shows. */
const endlessBytes = 2 ** 50;
const halvings = 60;

/**
 * The size at which a collective reaches half of the bandwidth it has without end. Below, it is bound
 * by latency and pipelining rather than by bytes.
 */
export function halfBandwidthBytes(query: Omit<CollectiveQuery, "bytes">): number {
  const rateAt = (bytes: number) => modelCollective({ ...query, bytes }).algbwGBps;
  const half = rateAt(endlessBytes) / 2;
  let [low, high] = [0, Math.log2(endlessBytes)];
  for (let step = 0; step < halvings && high - low > 1e-3; step++) {
    const middle = (low + high) / 2;
    if (rateAt(2 ** middle) < half) low = middle;
    else high = middle;
  }
  return Math.round(2 ** high);
}
