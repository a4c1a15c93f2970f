import { type Layout, localShape } from "../../layout/index.ts";
import { type Mesh, productOf } from "../../mesh/index.ts";
import type { StepKind } from "./plan-types.ts";

/** A step inside one mesh. */
export interface StepQuestion {
  readonly kind: Exclude<StepKind, "copy">;
  readonly mesh: Mesh;
  readonly shape: readonly number[];
  readonly from: Layout;
  readonly to: Layout;
  readonly meshAxes: readonly string[];
  readonly gathered?: number;
  readonly scattered?: number;
}

/** Bytes that ranks receive. */
export interface Received {
  /** The most of any rank. */
  readonly bytesPerRank: number;
  readonly totalBytes: number;
}

/** What a step moves, by the real sizes of the parts; `elementBytes` is the size of an element. */
export function receivedIn(question: StepQuestion, elementBytes: number): Received {
  let most = 0;
  let total = 0;
  for (let rank = 0; rank < question.mesh.size; rank++) {
    const elements = elementsFor(question, rank);
    most = Math.max(most, elements);
    total += elements;
  }
  return { bytesPerRank: most * elementBytes, totalBytes: total * elementBytes };
}

function elementsFor(question: StepQuestion, rank: number): number {
  const { kind, mesh, shape } = question;
  if (kind === "slice" || kind === "fill") return 0;
  const before = localShape(question.from, { mesh, shape, rank });
  const after = localShape(question.to, { mesh, shape, rank });
  const size = productOf(after);
  if (kind === "all-gather") return size - productOf(before);
  if (kind === "all-to-all") return size - productOf(kept(question, before, after));
  const group = mesh.groupOf(rank, question.meshAxes);
  if (kind === "reduce-scatter") return (group.length - 1) * size;
  // Every rank reduces one chunk, then all chunks are gathered.
  const chunk = chunkOf(size, group.length, group.indexOf(rank));
  return (group.length - 1) * chunk + size - chunk;
}

/** The shape of what a rank keeps: its old part of one dimension, its new part of the other. */
function kept(
  { gathered, scattered }: StepQuestion,
  before: readonly number[],
  after: readonly number[],
): number[] {
  return before.map((count, dim) => {
    if (dim === gathered) return count;
    return dim === scattered ? (after[dim] ?? 0) : count;
  });
}

/** The chunk of an all-reduce that a member of a group reduces, in elements. */
export function chunkOf(elements: number, members: number, member: number): number {
  const each = Math.ceil(elements / members);
  return Math.max(0, Math.min(each, elements - member * each));
}
