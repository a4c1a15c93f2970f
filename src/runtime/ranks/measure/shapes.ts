import assert from "node:assert/strict";
import type { CollectiveOp } from "../../dist/time-model/types.ts";
import type { PreparedSize } from "../ranks.ts";
import { wireFormats } from "./wire-dtype.ts";

/** One rank of a group. */
export interface Place {
  readonly rank: number;
  readonly worldSize: number;
}

/** The buffers of one rank for one collective, in elements. */
export interface CollectiveShape {
  /** S after rounding to whole elements for each rank. */
  readonly bytes: number;
  /** Elements of S. */
  readonly elements: number;
  /** Elements of one rank's share of S; S itself where nothing is shared out. */
  readonly share: number;
  /** What this rank brings, and the place in S of its first element. */
  readonly input: { readonly elements: number; readonly start: number };
  /** What this rank must hold afterwards, from the first element of its answer on. */
  readonly answer: readonly Block[];
}

/** A stretch of an answer: `count` elements from `at` on are those of S from `start` on, … */
export interface Block {
  readonly at: number;
  readonly count: number;
  readonly start: number;
  /** … as one rank brought them, or summed over all. */
  readonly source: number | "sum";
}

const shared: ReadonlySet<CollectiveOp> = new Set([
  "all-gather",
  "reduce-scatter",
  "all-to-all",
  "gather",
  "scatter",
]);

/** What each rank brings to a collective of S bytes and what it gets, as nccl-tests has it. */
export function shapeOf(size: PreparedSize, { rank, worldSize }: Place): CollectiveShape {
  const { op, dtype, root = 0 } = size;
  assert(root >= 0 && root < worldSize, "the root is one of the ranks");
  const width = wireFormats[dtype].bytes;
  const parts = shared.has(op) ? worldSize : 1;
  const share = op === "barrier" ? 0 : Math.max(1, Math.floor(size.bytes / width / parts));
  const elements = share * parts;
  const all = { elements, start: 0 };
  const own = { elements: share, start: rank * share };
  const none = { elements: 0, start: 0 };
  const isRoot = rank === root;
  const block = (source: number | "sum", start: number, at = 0): Block => ({
    at,
    count: share,
    start,
    source,
  });
  const ofAll = (of: (other: number) => Block) =>
    Array.from({ length: worldSize }, (_, i) => of(i));
  const previous = (rank + worldSize - 1) % worldSize;
  const common = { bytes: elements * width, elements, share };
  switch (op) {
    case "all-reduce":
    case "hierarchical-all-reduce":
      return { ...common, input: all, answer: [block("sum", 0)] };
    case "reduce":
      return { ...common, input: all, answer: isRoot ? [block("sum", 0)] : [] };
    case "broadcast":
      return { ...common, input: isRoot ? all : none, answer: [block(root, 0)] };
    case "reduce-scatter":
      return { ...common, input: all, answer: [block("sum", rank * share)] };
    case "all-gather":
      return {
        ...common,
        input: own,
        answer: ofAll((other) => block(other, other * share, other * share)),
      };
    case "gather":
      return {
        ...common,
        input: own,
        answer: isRoot ? ofAll((other) => block(other, other * share, other * share)) : [],
      };
    case "scatter":
      return { ...common, input: isRoot ? all : none, answer: [block(root, rank * share)] };
    case "all-to-all":
      return {
        ...common,
        input: all,
        answer: ofAll((other) => block(other, rank * share, other * share)),
      };
    case "send-recv":
    case "permute":
      return { ...common, input: all, answer: [block(previous, 0)] };
    case "barrier":
      return { ...common, input: none, answer: [] };
  }
}
