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

/** A place in the queue without its words. */
export type DueEntry = Omit<QueueEntry, "reason">;

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
  return dueEntries(freeNodes, latestStatus, thresholdDays).map((entry) => ({
    ...entry,
    reason: dueReason(entry, latestStatus.readAtMs, thresholdDays),
  }));
}

/** The same queue for those who read few of its reasons; `dueReason` gives them. */
export function dueEntries(
  freeNodes: readonly string[],
  latestStatus: LatestStatus,
  thresholdDays: number,
): readonly DueEntry[] {
  const { readAtMs, checks } = latestStatus;
  const never: DueEntry[] = [];
  const old: (DueEntry & { readonly testedAtMs: number })[] = [];
  for (const node of freeNodes) {
    for (const check of checks) {
      const testedAtMs = latestStatus.testedAtMs(node, check);
      if (testedAtMs === undefined) never.push({ node, check, testedAtMs });
      else if (isStale((readAtMs - testedAtMs) / msPerDay, thresholdDays)) {
        old.push({ node, check, testedAtMs });
      }
    }
  }
  // The sort is stable, so ties stay in fleet order.
  return [...never, ...old.toSorted((a, b) => a.testedAtMs - b.testedAtMs)];
}

/** Why an entry is due, in words and numbers. */
export function dueReason(
  { testedAtMs }: DueEntry,
  readAtMs: number,
  thresholdDays: number,
): string {
  if (testedAtMs === undefined) return "never tested";
  const ageDays = (readAtMs - testedAtMs) / msPerDay;
  return `last tested ${ageDays.toFixed(1)} d ago, over ${thresholdDays} d`;
}
