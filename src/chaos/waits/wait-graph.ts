import assert from "node:assert/strict";
import type { RankWait } from "./rank-wait.ts";

export type PeerWait = Extract<RankWait, { kind: "send" | "receive" }>;

/** One thing that ranks wait in: an exchange of a group, or one side of a transfer. */
export interface WaitOperation {
  /** Those in it. */
  readonly ranks: readonly number[];
  /** Those without whom it does not end. */
  readonly missing: readonly number[];
  /** It cannot end even if everybody came: those in it do not want the same. */
  readonly mismatch: "different op" | "different size" | null;
}

/** Who is in what, and who is missing there. */
export interface WaitGraph {
  readonly waits: readonly RankWait[];
  readonly operations: readonly WaitOperation[];
  /** The operation of each rank that waits for other ranks. */
  readonly operationOf: ReadonlyMap<number, WaitOperation>;
}

export interface WaitOptions {
  /**
   * How many exchanges of this group a rank has entered, for ranks that are elsewhere now: who has been in
   * an exchange and left it holds nobody up. Without it, who is elsewhere counts as not having come.
   */
  readonly entered?: (rank: number, group: readonly number[]) => number;
}

/** The wait-for graph: rank -> operation -> ranks that have not entered it. Linear in its size. */
export function waitGraphOf(waits: readonly RankWait[], options: WaitOptions = {}): WaitGraph {
  const operations: WaitOperation[] = [];
  const nameOf = groupNames();
  for (const members of collectives(waits, nameOf).values()) {
    operations.push(exchangeOf({ waits, nameOf, ...options }, members));
  }
  for (const [rank, wait] of waits.entries()) {
    if (wait.kind === "send" || wait.kind === "receive") {
      operations.push(transferOf(waits, rank, wait));
    }
  }
  const operationOf = new Map<number, WaitOperation>();
  for (const operation of operations) {
    for (const rank of operation.ranks) operationOf.set(rank, operation);
  }
  return { waits, operations, operationOf };
}

type NameOf = (group: readonly number[]) => string;

/** Ranks of a large group mostly give the very same list: its name is made once. */
function groupNames(): NameOf {
  const names = new Map<readonly number[], string>();
  return (group) => {
    const known = names.get(group);
    if (known !== undefined) return known;
    const name = group.join(",");
    names.set(group, name);
    return name;
  };
}

/** Ranks by the exchange they are in: those of the same group with the same sequence number. */
function collectives(
  waits: readonly RankWait[],
  nameOf: NameOf,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [rank, wait] of waits.entries()) {
    if (wait.kind !== "collective") continue;
    const key = `${wait.sequence}:${nameOf(wait.group)}`;
    const ranks = found.get(key);
    if (ranks === undefined) found.set(key, [rank]);
    else ranks.push(rank);
  }
  return found;
}

interface Scene extends WaitOptions {
  readonly waits: readonly RankWait[];
  readonly nameOf: NameOf;
}

function exchangeOf({ waits, nameOf, entered }: Scene, ranks: readonly number[]): WaitOperation {
  const own = waits[ranks[0] ?? -1];
  assert(own?.kind === "collective", "an exchange has a rank in it");
  const { group, sequence } = own;
  const members = new Set(group);
  assert(
    ranks.every((rank) => members.has(rank)),
    "a rank waits in a group that it is in",
  );
  const missing = group.filter((rank) => {
    const other = waits[rank];
    assert(other !== undefined, "all ranks of a group are known");
    const isHere = other.kind === "collective" && nameOf(other.group) === nameOf(group);
    // Who is in a later one of the same group has been in this one.
    if (isHere) return other.sequence < sequence;
    return entered === undefined || entered(rank, group) < sequence;
  });
  const all = ranks.map((rank) => waits[rank]).filter((wait) => wait?.kind === "collective");
  return { ranks, missing, mismatch: mismatchOf(all) };
}

function mismatchOf(
  all: readonly { readonly op?: string; readonly bytes: number; readonly dtype: string }[],
): WaitOperation["mismatch"] {
  const [first] = all;
  if (all.some(({ op }) => op !== first?.op)) return "different op";
  const isOther = all.some(({ bytes, dtype }) => bytes !== first?.bytes || dtype !== first.dtype);
  return isOther ? "different size" : null;
}

function transferOf(waits: readonly RankWait[], rank: number, wait: PeerWait): WaitOperation {
  const other = waits[wait.peer];
  const wanted = wait.kind === "send" ? "receive" : "send";
  const isMet = other?.kind === wanted && other.peer === rank;
  return {
    ranks: [rank],
    missing: isMet ? [] : [wait.peer],
    mismatch: isMet
      ? mismatchOf([
          { ...wait, op: "" },
          { ...other, op: "" },
        ])
      : null,
  };
}
