import { secondsPerDay } from "./policy.ts";

/** When each check last gave a result on each node, and when that was looked up. */
export interface LatestStatus {
  readonly readAtMs: number;
  /** The checks a node should have; their order breaks ties. */
  readonly checks: readonly string[];
  /** The newest result of a check on a node; undefined when there is none. */
  testedAtMs(node: string, check: string): number | undefined;
}

/** A (node, check) pair that is due. */
export interface QueueEntry {
  readonly node: string;
  readonly check: string;
  /** Undefined when it never gave a result. */
  readonly testedAtMs: number | undefined;
  readonly reason: string;
}

const msPerDay = secondsPerDay * 1000;

/** True when a result is too old, or was never there. Exactly at the threshold it still counts. */
export function isStale(ageDays: number, thresholdDays: number): boolean {
  return ageDays > thresholdDays;
}

/**
 * The seed's queue: of the free nodes, every check whose last result is older than the threshold;
 * never tested first, then the oldest; ties in the order of `freeNodes`, then of the checks.
 *
 * @param thresholdDays Z of the seed; a result exactly this old is not due yet.
 */
export function buildPriorityQueue(
  freeNodes: readonly string[],
  latestStatus: LatestStatus,
  thresholdDays: number,
): readonly QueueEntry[] {
  const { readAtMs, checks } = latestStatus;
  const due = freeNodes.flatMap((node) =>
    checks.flatMap((check): QueueEntry[] => {
      const testedAtMs = latestStatus.testedAtMs(node, check);
      if (testedAtMs === undefined) {
        return [{ node, check, testedAtMs, reason: "never tested" }];
      }
      const ageDays = (readAtMs - testedAtMs) / msPerDay;
      if (!isStale(ageDays, thresholdDays)) return [];
      const reason = `last tested ${ageDays.toFixed(1)} d ago, over ${thresholdDays} d`;
      return [{ node, check, testedAtMs, reason }];
    }),
  );
  const rank = ({ testedAtMs }: QueueEntry) => testedAtMs ?? Number.NEGATIVE_INFINITY;
  // The sort is stable, so ties stay in fleet order; infinities must not be subtracted.
  return due.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? -1 : 1));
}
