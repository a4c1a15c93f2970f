import type { Mesh } from "../../mesh/index.ts";
import type { Layout } from "../layout.ts";
import { localShape, sliceAt } from "../local-slices.ts";
import { type Findings, nameRank, type ShardingWarning } from "./finding.ts";
import type { ShardingView } from "./view.ts";

/** Remarks on how the tensor is split: uneven and empty parts, mesh axes that split nothing. */
export function remarkOnSplits(view: ShardingView, findings: Findings<ShardingWarning>): void {
  const { mesh, shape, layout } = view;
  for (const [dim, length] of shape.entries()) {
    const message = describeUneven(mesh, layout, dim, length);
    if (message !== undefined) findings.add({ code: "uneven", message });
  }
  if (!shape.includes(0)) remarkOnEmpty(view, findings);
  for (const [axis, size] of mesh.shape.entries()) {
    if (size !== 1) continue;
    const message = `The mesh axis ${mesh.axes[axis] ?? axis} has size 1, so it splits and copies nothing.`;
    findings.add({ code: "axis-of-one", message });
  }
}

function describeUneven(
  mesh: Mesh,
  layout: Layout,
  dim: number,
  length: number,
): string | undefined {
  const names = layout.splitsOf(dim).map(({ axis }) => mesh.axes[axis] ?? "");
  if (names.length === 0) return undefined;
  const counts = mesh
    .groupOf(0, names)
    .map(
      (rank) => sliceAt(layout, { mesh, length, dim, coordinates: mesh.coordinatesOf(rank) }).count,
    );
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  const least = counts.reduce((a, b) => Math.min(a, b), most);
  if (most === least) return undefined;
  const percent = ((most / (length / counts.length) - 1) * 100).toFixed(1);
  return `Dimension ${dim} of length ${length} is split unevenly over ${names.join(", ")}: parts have ${least} to ${most} elements, the largest ${percent} % above the mean.`;
}

function remarkOnEmpty(
  { mesh, shape, layout }: ShardingView,
  findings: Findings<ShardingWarning>,
): void {
  for (let rank = 0; rank < mesh.size; rank++) {
    if (!localShape(layout, { mesh, shape, rank }).includes(0)) continue;
    const message = `The part of ${nameRank(mesh, rank)} is empty.`;
    findings.add({ code: "empty-shard", rank, message });
  }
}
