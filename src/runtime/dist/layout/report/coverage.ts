import type { Mesh } from "../../mesh/index.ts";
import type { Layout } from "../layout.ts";
import { localSlices } from "../local-slices.ts";
import type { DimSlice } from "../split.ts";
import { type Box, boxOf, intersect, showBox, sizeOfBox, subtract } from "./box.ts";
import { type Findings, nameRank, type ShardingError } from "./finding.ts";

/** A region that needs more pieces than this to describe is not described further. */
const piecesMax = 4096;

/** Each rank that deviates is compared with its whole replica, so many pairs in all. */
const pairsMax = 4_000_000;

interface Part {
  readonly rank: number;
  /** What the layout gives the rank. */
  readonly due: Box | undefined;
  /** What it holds: from the same start on, as many elements as it really has. */
  readonly held: Box | undefined;
}

/** What a check of coverage needs to know. */
export interface CoverageQuestion {
  readonly mesh: Mesh;
  readonly shape: readonly number[];
  readonly layout: Layout;
  /** Ranks whose part has another shape than the layout asks for, with that shape. */
  readonly deviants: ReadonlyMap<number, readonly number[]>;
}

/**
 * Finds elements that no rank of a replica holds, and elements that two hold. Ranks that hold what
 * the layout gives them tile the tensor, so only the others are looked at, and never an element.
 */
export function checkCoverage(question: CoverageQuestion, findings: Findings<ShardingError>): void {
  const { mesh, layout, deviants } = question;
  if (deviants.size === 0) return;
  const steps = stepsOf(question);
  const splitting = layout.axesWith("shard").map((axis) => mesh.axes[axis] ?? "");
  let pairs = 0;
  for (const replica of mesh.groups(splitting)) {
    if (!replica.some((rank) => deviants.has(rank))) continue;
    const parts = replica.map((rank) => partOf(question, rank, steps));
    for (const part of parts) {
      if (!deviants.has(part.rank)) continue;
      if (pairs > pairsMax) return;
      pairs += parts.length;
      findHole(part, parts, { mesh, steps, findings });
      findOverlaps(part, parts, { mesh, steps, findings, deviants });
    }
  }
}

interface Context {
  readonly mesh: Mesh;
  readonly steps: readonly number[];
  readonly findings: Findings<ShardingError>;
}

function findHole(part: Part, parts: readonly Part[], { mesh, steps, findings }: Context): void {
  if (part.due === undefined) return;
  let missing: readonly Box[] = [part.due];
  // Its own part first: it usually covers most.
  for (const { held } of [part, ...parts]) {
    if (held === undefined) continue;
    missing = missing.flatMap((box) => subtract(box, held));
    if (missing.length === 0) return;
    if (missing.length > piecesMax) break;
  }
  const first = missing[0];
  if (first === undefined) return;
  const elements = missing.reduce((sum, box) => sum + sizeOfBox(box), 0);
  findings.add({
    code: "hole",
    rank: part.rank,
    message: `No rank holds ${showBox(first, steps)}, which belongs to ${nameRank(mesh, part.rank)}; ${count(elements)} of its part are missing.`,
  });
}

function findOverlaps(
  part: Part,
  parts: readonly Part[],
  context: Context & { readonly deviants: ReadonlyMap<number, unknown> },
): void {
  const { mesh, steps, findings, deviants } = context;
  for (const other of parts) {
    // Two deviants are a pair once, seen from the lower rank.
    if (other === part || (deviants.has(other.rank) && other.rank < part.rank)) continue;
    if (part.held === undefined || other.held === undefined) continue;
    const common = intersect(part.held, other.held);
    if (common === undefined) continue;
    findings.add({
      code: "overlap",
      rank: part.rank,
      message: () =>
        `${capital(nameRank(mesh, part.rank))} and ${nameRank(mesh, other.rank)} both hold ${showBox(common, steps)}, ${count(sizeOfBox(common))}.`,
    });
  }
}

function partOf(question: CoverageQuestion, rank: number, steps: readonly number[]): Part {
  const { mesh, shape, layout, deviants } = question;
  const slices = localSlices(layout, { mesh, shape, rank });
  const due = boxOf(slices, steps);
  const actual = deviants.get(rank);
  if (actual === undefined) return { rank, due, held: due };
  if (actual.length !== shape.length) return { rank, due, held: undefined };
  const held = slices.map(
    (slice, dim): DimSlice => ({
      ...slice,
      count: Math.min(actual[dim] ?? 0, roomAfter(slice, shape[dim] ?? 0)),
    }),
  );
  return { rank, due, held: boxOf(held, steps) };
}

/** How many elements a slice could have before the dimension ends. */
function roomAfter({ start, step }: DimSlice, length: number): number {
  return Math.max(0, Math.ceil((length - start) / step));
}

/** The step of every part in each dimension: the product of the axes that split it cyclically. */
function stepsOf({ mesh, shape, layout }: CoverageQuestion): number[] {
  return shape.map((_, dim) =>
    layout
      .splitsOf(dim)
      .reduce(
        (step, { axis, how }) => step * (how.split === "cyclic" ? (mesh.shape[axis] ?? 1) : 1),
        1,
      ),
  );
}

function count(elements: number): string {
  return elements === 1 ? "1 element" : `${elements} elements`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
