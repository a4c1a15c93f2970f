import assert from "node:assert/strict";
import { listOfRanks } from "./list-of-ranks.ts";
import type { RankWait } from "./rank-wait.ts";
import type { StuckCause } from "./stuck-set.ts";
import type { WaitGraph, WaitOperation } from "./wait-graph.ts";

/** Something that a set of stuck ranks hangs on. */
export interface Root {
  readonly cause: StuckCause;
  readonly culprits: readonly number[];
}

/** All that these stuck ranks hang on. Where there is nothing else, they hang on each other. */
export function rootsOf(
  graph: WaitGraph,
  ranks: readonly number[],
  stuck: ReadonlySet<number>,
): readonly Root[] {
  const roots: Root[] = [];
  for (const operation of operationsOf(graph, ranks)) {
    const { missing, mismatch } = operation;
    if (mismatch !== null) roots.push({ cause: mismatch, culprits: minorityOf(graph, operation) });
    const gone = missing.filter((rank) => graph.waits[rank]?.kind === "gone");
    if (gone.length > 0) roots.push({ cause: "missing rank", culprits: gone });
  }
  for (const rank of ranks) {
    if (graph.waits[rank]?.kind !== "outside") continue;
    roots.push({ cause: "outside a collective", culprits: [rank] });
  }
  return roots.length > 0 ? roots : [cycleOf(graph, ranks, stuck)];
}

function operationsOf(graph: WaitGraph, ranks: readonly number[]): ReadonlySet<WaitOperation> {
  const found = new Set<WaitOperation>();
  for (const rank of ranks) {
    const operation = graph.operationOf.get(rank);
    if (operation !== undefined) found.add(operation);
  }
  return found;
}

/** Those who want something else than most; all, when there is no most. */
function minorityOf({ waits }: WaitGraph, { ranks, mismatch }: WaitOperation): readonly number[] {
  const [first] = ranks;
  const wait = first === undefined ? undefined : waits[first];
  // The two sides of a transfer are both in it, each in its own operation.
  if (wait?.kind === "send" || wait?.kind === "receive") return [...ranks, wait.peer];
  const wantedBy = new Map<string, number[]>();
  for (const rank of ranks) {
    const wanted = wishOf(waits[rank], mismatch);
    wantedBy.set(wanted, [...(wantedBy.get(wanted) ?? []), rank]);
  }
  const groups = [...wantedBy.values()].toSorted((a, b) => b.length - a.length);
  const isTied = groups[0]?.length === groups[1]?.length;
  return isTied ? ranks : groups.slice(1).flat();
}

function wishOf(wait: RankWait | undefined, mismatch: WaitOperation["mismatch"]): string {
  assert(wait?.kind === "collective", "who is in an exchange wants something of it");
  return mismatch === "different op" ? wait.op : `${wait.bytes} bytes of ${wait.dtype}`;
}

/** From rank to a rank it waits for, until one comes again: all from there on wait in a ring. */
function cycleOf(graph: WaitGraph, ranks: readonly number[], stuck: ReadonlySet<number>): Root {
  const path: number[] = [];
  const placeOf = new Map<number, number>();
  let at = ranks[0];
  while (at !== undefined && !placeOf.has(at)) {
    placeOf.set(at, path.length);
    path.push(at);
    at = graph.operationOf.get(at)?.missing.find((rank) => stuck.has(rank));
  }
  assert(at !== undefined, "who hangs on nothing else waits for a stuck rank");
  const culprits = path.slice(placeOf.get(at));
  const hasTransfer = culprits.some((rank) => graph.waits[rank]?.kind !== "collective");
  return { cause: hasTransfer ? "unmatched send or receive" : "different order", culprits };
}

/** One sentence for people. */
export function sentenceOf(graph: WaitGraph, ranks: readonly number[], root: Root): string {
  const { cause, culprits } = root;
  const others = ranks.filter((rank) => !culprits.includes(rank));
  const verb = others.length === 1 ? "waits" : "wait";
  const who = others.length === 0 ? "" : `${listOfRanks(others)} ${verb}`;
  switch (cause) {
    case "missing rank": {
      const operation = graph.operationOf.get(
        ranks.find((rank) => waitsFor(graph, rank, root)) ?? -1,
      );
      const where = describe(graph.waits[operation?.ranks[0] ?? -1]);
      return `${who} for ${listOfRanks(culprits)}, gone and missing in ${where}`;
    }
    case "outside a collective": {
      const wait = graph.waits[culprits[0] ?? -1];
      const what = wait?.kind === "outside" ? wait.what : "something";
      const blocked = `${listOfRanks(culprits)} ${culprits.length === 1 ? "is" : "are"} blocked outside of any exchange (${what})`;
      return others.length === 0 ? blocked : `${blocked}, and ${who} for it`;
    }
    case "different op":
    case "different size": {
      const shown = differing(graph, culprits);
      const all = shown.map((rank) => `rank ${rank} is in ${describe(graph.waits[rank])}`);
      return `${all.join(", ")}: it cannot end`;
    }
    case "unmatched send or receive":
    case "different order": {
      const ring = culprits
        .slice(0, 4)
        .map((rank) => `rank ${rank} is in ${describe(graph.waits[rank])}`);
      const more = culprits.length > 4 ? ", …" : "";
      return `${ring.join(", ")}${more}: each waits for the next, the last for the first`;
    }
  }
}

function waitsFor(graph: WaitGraph, rank: number, { culprits }: Root): boolean {
  return graph.operationOf.get(rank)?.missing.some((one) => culprits.includes(one)) ?? false;
}

/** A culprit, and somebody in the same exchange that is none or wants something else. */
function differing(graph: WaitGraph, culprits: readonly number[]): readonly number[] {
  const [first] = culprits;
  assert(first !== undefined, "a mismatch has somebody who differs");
  const own = describe(graph.waits[first]);
  const peers = [...(graph.operationOf.get(first)?.ranks ?? []), ...culprits];
  const other = peers.find((rank) => describe(graph.waits[rank]) !== own);
  return other === undefined ? [first] : [first, other];
}

function describe(wait: RankWait | undefined): string {
  switch (wait?.kind) {
    case "collective": {
      const size = `${wait.bytes} bytes of ${wait.dtype}`;
      return `${wait.op} ${wait.sequence} (${size}) of ${listOfRanks(wait.group)}`;
    }
    case "send":
      return `a send of ${wait.bytes} bytes of ${wait.dtype} to rank ${wait.peer}`;
    case "receive":
      return `a receive of ${wait.bytes} bytes of ${wait.dtype} from rank ${wait.peer}`;
    case "outside":
      return wait.what;
    default:
      return "nothing";
  }
}
