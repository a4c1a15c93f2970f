import assert from "node:assert/strict";

/** The orders in which values are combined two at a time. */
export type FoldOrder = "rank" | "ring" | "tree";

/** Elements that are combined in one and the same order. */
export interface FoldSegment {
  readonly start: number;
  readonly count: number;
  /**
   * What to do, on a stack: a source index puts that source on top, `combine` replaces the two on
   * top by the result of the lower and the upper one. One value is left at the end.
   */
  readonly steps: readonly number[];
}

export const combine = -1;

export interface FoldRequest {
  readonly count: number;
  readonly order: FoldOrder;
  /** Source indices: the order applies inside each group, and again among the groups. */
  readonly groups: readonly (readonly number[])[];
}

/** Cuts the elements where the order changes, which only a ring does, and says each order. */
export function foldSegments({ count, order, groups }: FoldRequest): readonly FoldSegment[] {
  assert(groups.length > 0 && groups.every((group) => group.length > 0), "sources in every group");
  const starts = order === "ring" ? ringStarts(count, groups) : [0];
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? count;
    const inGroups = groups.map((group) => {
      const sources = group.map((source) => [source]);
      return stepsOf(order, sources, chunkOf(start, count, group.length));
    });
    const steps = stepsOf(order, inGroups, chunkOf(start, count, groups.length));
    return { start, count: end - start, steps };
  });
}

/** How many values the stack holds at most while these steps are taken. */
export function stackDepth(steps: readonly number[]): number {
  let depth = 0;
  let depthMax = 0;
  for (const step of steps) {
    depth += step === combine ? -1 : 1;
    depthMax = Math.max(depthMax, depth);
  }
  assert(depth === 1, "one value is left");
  return depthMax;
}

type Steps = readonly number[];

/** Combines parts, each given by the steps that make it. */
function stepsOf(order: FoldOrder, parts: readonly Steps[], ringChunk: number): Steps {
  if (order === "tree") return treeSteps(parts);
  // The rank after the chunk's own starts; its own comes last and completes the chunk.
  const first = order === "ring" ? ringChunk + 1 : 0;
  return parts.flatMap((_, index) => {
    const part = parts[(first + index) % parts.length] ?? [];
    return index === 0 ? part : [...part, combine];
  });
}

/** Complete pairs, pairs of pairs and so on as they come; then the odd ones, from the last up. */
function treeSteps(parts: readonly Steps[]): Steps {
  const steps: number[] = [];
  for (const [index, part] of parts.entries()) {
    steps.push(...part);
    for (let done = index + 1; done % 2 === 0; done /= 2) steps.push(combine);
  }
  let odd = 0;
  for (let left = parts.length; left > 0; left = Math.floor(left / 2)) odd += left % 2;
  for (; odd > 1; odd--) steps.push(combine);
  return steps;
}

function chunkOf(element: number, count: number, ranks: number): number {
  return Math.floor(element / Math.max(1, Math.ceil(count / ranks)));
}

/** Where a chunk of the ring in a group, or of the ring among the groups, begins. */
function ringStarts(count: number, groups: readonly (readonly number[])[]): readonly number[] {
  const sizes = new Set([groups.length, ...groups.map((group) => group.length)]);
  const starts = new Set([0]);
  for (const size of sizes) {
    const chunk = Math.max(1, Math.ceil(count / size));
    for (let start = chunk; start < count; start += chunk) starts.add(start);
  }
  return [...starts].toSorted((one, other) => one - other);
}
