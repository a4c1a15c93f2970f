import { TesseraError } from "../../../../platform/errors/index.ts";
import { type DType, dtypeInfo } from "../../../tensor/dtype/index.ts";
import { Layout, type LayoutSpec, type Placement, resolveLayout } from "../../layout/index.ts";
import type { DeviceId, Mesh } from "../../mesh/index.ts";
import { describePlan } from "./describe-plan.ts";
import { planCopy } from "./plan-copy.ts";
import { planOnMesh } from "./plan-on-mesh.ts";
import type { Placed, RedistributePlan, RedistributeStep } from "./plan-types.ts";

/** A tensor as a plan sees it. */
export interface PlannedTensor {
  readonly mesh: Mesh;
  readonly layout: Layout;
  readonly shape: readonly number[];
  readonly dtype: DType;
}

/** Where a tensor shall go. */
export interface RedistributeOptions {
  /** @default the placement each mesh axis has now, by its name; new axes replicate */
  readonly layout?: LayoutSpec | Layout;
  /** @default the mesh it is on */
  readonly mesh?: Mesh;
}

/** What a plan has to avoid. */
export interface PlanLimits {
  /** Devices that cannot send; a copy to another mesh prefers others. @default none */
  readonly isDead?: (device: DeviceId) => boolean;
}

/**
 * Plans how a tensor gets to another layout or mesh, from metadata alone.
 *
 * @throws E_REDISTRIBUTE when a split would have to become partial; the errors of `resolveLayout`.
 */
export function planRedistribute(
  x: PlannedTensor,
  options: RedistributeOptions,
  { isDead = () => false }: PlanLimits = {},
): RedistributePlan {
  const { shape, dtype } = x;
  const mesh = options.mesh?.equals(x.mesh) === false ? options.mesh : x.mesh;
  const from: Placed = { mesh: x.mesh, layout: x.layout };
  const spec = options.layout ?? placementsByName(x.layout, mesh);
  const to: Placed = { mesh, layout: resolveLayout(spec, { mesh, shape }) };
  const steps = mesh === x.mesh ? onMesh(x, from, to) : acrossMeshes(x, from, to, isDead);
  const plan = {
    shape,
    dtype,
    from,
    to,
    steps,
    totalBytes: steps.reduce((sum, step) => sum + step.totalBytes, 0),
    bytesPerRank: steps.reduce((sum, step) => sum + step.bytesPerRank, 0),
  };
  return { ...plan, describe: () => describePlan(plan) };
}

function onMesh({ shape, dtype }: PlannedTensor, from: Placed, to: Placed): RedistributeStep[] {
  const { mesh } = from;
  for (const [axis, placement] of to.layout.placements.entries()) {
    const splits = from.layout.placements[axis]?.kind === "shard" && (mesh.shape[axis] ?? 1) > 1;
    if (!splits || placement.kind !== "partial") continue;
    throw new TesseraError("E_REDISTRIBUTE", {
      from: `[${from.layout.describe()}]`,
      to: `[${to.layout.describe()}]`,
      problem: `${mesh.axes[axis]} splits a dimension, and parts are no terms of a reduction`,
      remedy: "Replicate that axis first, then make it partial in a second redistribution.",
    });
  }
  return planOnMesh({ mesh, shape, dtype, from: from.layout, to: to.layout });
}

/** Reduces on the old mesh, copies, and makes partial values on the new one. */
function acrossMeshes(
  { shape, dtype }: PlannedTensor,
  from: Placed,
  to: Placed,
  isDead: (device: DeviceId) => boolean,
): RedistributeStep[] {
  const sent = { mesh: from.mesh, layout: withoutPartial(from.layout) };
  const landed = { mesh: to.mesh, layout: withoutPartial(to.layout) };
  return [
    ...planOnMesh({ mesh: from.mesh, shape, dtype, from: from.layout, to: sent.layout }),
    planCopy({ shape, from: sent, to: landed, isDead }, dtypeInfo(dtype).bytes),
    ...planOnMesh({ mesh: to.mesh, shape, dtype, from: landed.layout, to: to.layout }),
  ];
}

function withoutPartial(layout: Layout): Layout {
  const placements = layout.placements.map(
    (placement): Placement => (placement.kind === "partial" ? { kind: "replicate" } : placement),
  );
  return new Layout(layout.axes, placements);
}

function placementsByName(layout: Layout, mesh: Mesh): readonly Placement[] {
  return mesh.axes.map(
    (axis) => layout.placements[layout.axes.indexOf(axis)] ?? { kind: "replicate" },
  );
}
