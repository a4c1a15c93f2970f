import type { WaitGraph, WaitOperation } from "./wait-graph.ts";

/**
 * The ranks that will go on by themselves: those that run, and those that wait for nobody else than such.
 * The smallest set with that property, so ranks that only wait for each other are not in it.
 */
export function ranksThatGoOn(graph: WaitGraph): ReadonlySet<number> {
  const { waits, operations } = graph;
  const goOn = new Set<number>();
  const neededBy = new Map<number, WaitOperation[]>();
  const openOf = new Map<WaitOperation, number>();
  const news: number[] = [];
  const add = (rank: number): void => {
    if (goOn.has(rank)) return;
    goOn.add(rank);
    news.push(rank);
  };
  for (const [rank, wait] of waits.entries()) {
    if (wait.kind === "running" || (wait.kind === "outside" && wait.comes)) add(rank);
  }
  for (const operation of operations) {
    if (operation.mismatch !== null) continue;
    openOf.set(operation, operation.missing.length);
    if (operation.missing.length === 0) for (const rank of operation.ranks) add(rank);
    for (const rank of operation.missing) {
      const needed = neededBy.get(rank);
      if (needed === undefined) neededBy.set(rank, [operation]);
      else needed.push(operation);
    }
  }
  // Every rank is taken once.
  for (let rank = news.pop(); rank !== undefined; rank = news.pop()) {
    for (const operation of neededBy.get(rank) ?? []) {
      const open = (openOf.get(operation) ?? 0) - 1;
      openOf.set(operation, open);
      if (open === 0) for (const waiting of operation.ranks) add(waiting);
    }
  }
  return goOn;
}
