import { ranksThatGoOn } from "./going-on.ts";
import { listOfRanks } from "./list-of-ranks.ts";
import type { RankWait } from "./rank-wait.ts";
import { type Root, rootsOf, sentenceOf } from "./root-cause.ts";
import { type SlowSet, type StuckSet, stuckCauses, type WaitReport } from "./stuck-set.ts";
import { type WaitGraph, type WaitOptions, waitGraphOf } from "./wait-graph.ts";

/**
 * Who is stuck, and why, from what each rank is in (`waits[rank]`). Stuck is who waits for something that
 * cannot end: not who waits for somebody slow.
 */
export function diagnoseWaits(waits: readonly RankWait[], options: WaitOptions = {}): WaitReport {
  const graph = waitGraphOf(waits, options);
  const goOn = ranksThatGoOn(graph);
  const stuck = new Set<number>();
  for (const [rank, wait] of waits.entries()) {
    if (wait.kind !== "gone" && !goOn.has(rank)) stuck.add(rank);
  }
  const sets = partsOf(graph, stuck).map((part) => stuckSetOf(graph, part, stuck));
  return { stuck: sets, slow: slowSetOf(graph, goOn) };
}

/**
 * Whom a rank that waits for too long may hold responsible: those who have not entered what it is in. None
 * when it does not wait for ranks, or when all are there.
 */
export function suspectsOf(
  waits: readonly RankWait[],
  rank: number,
  options: WaitOptions = {},
): readonly number[] {
  return waitGraphOf(waits, options).operationOf.get(rank)?.missing ?? [];
}

/** Stuck ranks that hang together, each part in order. */
function partsOf(graph: WaitGraph, stuck: ReadonlySet<number>): readonly (readonly number[])[] {
  const neighbours = new Map<number, number[]>();
  const point = (from: number, to: number): void => {
    const known = neighbours.get(from);
    if (known === undefined) neighbours.set(from, [to]);
    else known.push(to);
  };
  const link = (a: number, b: number): void => {
    point(a, b);
    point(b, a);
  };
  for (const { ranks, missing, mismatch } of graph.operations) {
    const [first] = ranks;
    if (first === undefined || !stuck.has(first)) continue;
    for (const rank of ranks) if (rank !== first) link(first, rank);
    // The two sides of a transfer that does not fit are in two operations.
    const wait = graph.waits[first];
    if (mismatch !== null && wait !== undefined && "peer" in wait) link(first, wait.peer);
    // Ranks that wait for the same dead one share its fate, too.
    for (const rank of missing) if (isLost(graph, rank) || stuck.has(rank)) link(first, rank);
  }
  const parts: (readonly number[])[] = [];
  const seen = new Set<number>();
  for (const start of stuck) {
    if (seen.has(start)) continue;
    const part: number[] = [];
    const open = [start];
    seen.add(start);
    for (let rank = open.pop(); rank !== undefined; rank = open.pop()) {
      if (stuck.has(rank)) part.push(rank);
      for (const next of neighbours.get(rank) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    parts.push(part.toSorted((a, b) => a - b));
  }
  return parts;
}

function isLost(graph: WaitGraph, rank: number): boolean {
  return graph.waits[rank]?.kind === "gone";
}

function stuckSetOf(
  graph: WaitGraph,
  ranks: readonly number[],
  stuck: ReadonlySet<number>,
): StuckSet {
  const roots = rootsOf(graph, ranks, stuck);
  const cause = stuckCauses.find((cause) => roots.some((root) => root.cause === cause));
  const own = roots.filter((root) => root.cause === cause);
  const culprits = [...new Set(own.flatMap((root) => root.culprits))].toSorted((a, b) => a - b);
  const chosen: Root = { cause: cause ?? "different order", culprits };
  return { ...chosen, ranks, reason: sentenceOf(graph, ranks, chosen) };
}

function slowSetOf(graph: WaitGraph, goOn: ReadonlySet<number>): SlowSet | null {
  const ranks: number[] = [];
  const waitFor = new Set<number>();
  for (const operation of graph.operations) {
    if (operation.missing.length === 0) continue;
    for (const rank of operation.ranks) {
      if (!goOn.has(rank)) continue;
      ranks.push(rank);
      for (const missing of operation.missing) {
        if (!graph.operationOf.has(missing)) waitFor.add(missing);
      }
    }
  }
  if (ranks.length === 0) return null;
  const sorted = ranks.toSorted((a, b) => a - b);
  const slow = [...waitFor].toSorted((a, b) => a - b);
  const reason = `${listOfRanks(sorted)} wait for ${listOfRanks(slow)}, which still ${slow.length === 1 ? "runs" : "run"}: nobody is stuck`;
  return { ranks: sorted, waitFor: slow, reason };
}
