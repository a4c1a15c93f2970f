import type { QueryResult } from "../api/use-query.ts";
import { formatAgo, formatClock, formatMoment } from "../format.ts";

/** What is younger passes for what is now: pages ask again about as often. */
const youngMsMax = 60_000;
/** From then on a time of day alone could be taken for today's. */
const clockMsMax = 12 * 3_600_000;

/**
 * What is said above data that are not of now; undefined while they are. Data whose question failed, unless the
 * line is lost, which the page says as a whole; and those of an earlier visit, which are older than the loss.
 */
export function staleWords(
  query: Pick<QueryResult<unknown>, "problem" | "atMs" | "isEarlier">,
  what: string,
  { nowMs, isLost }: { readonly nowMs: number; readonly isLost: boolean },
): string | undefined {
  const { problem, isEarlier, atMs = Number.NaN } = query;
  const ageMs = nowMs - atMs;
  const isOld = isEarlier && !(ageMs <= youngMsMax);
  if (!isOld && (problem === undefined || isLost)) return undefined;
  const when = ageMs > clockMsMax ? formatMoment(atMs) : formatClock(atMs);
  const ago = isOld && Number.isFinite(ageMs) ? `, ${formatAgo(atMs, nowMs)}` : "";
  const stood = `This is how ${what} stood at ${when}${ago}.`;
  if (problem !== undefined && !isLost) return `${problem.message} ${stood}`;
  return `${stood} Nothing newer has come yet.`;
}
