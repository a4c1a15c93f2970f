import { formatShape } from "../../../tensor/shape.ts";
import { describePlacement, type Layout, samePlacement } from "../layout.ts";
import type { Placement } from "../placement.ts";
import type { Findings, ShardingWarning } from "./finding.ts";
import type { LocalFacts, ShardingView } from "./view.ts";

/**
 * Remarks on what was asked for and not done: a split that became a copy, in the layout or in what
 * the ranks hold, and any other difference.
 */
export function remarkOnRequest(
  view: ShardingView,
  requested: Layout | undefined,
  findings: Findings<ShardingWarning>,
): void {
  const { mesh, layout, locals } = view;
  for (const [axis, wanted] of (requested ?? layout).placements.entries()) {
    const name = mesh.axes[axis] ?? String(axis);
    const actual = layout.placements[axis] ?? wanted;
    const asked = describePlacement(wanted);
    if (!samePlacement(wanted, actual)) {
      const replicated = wanted.kind === "shard" && actual.kind === "replicate";
      findings.add({
        code: replicated ? "silent-replication" : "not-as-requested",
        message: replicated
          ? `${asked} was asked for on ${name}, and every device along ${name} holds a whole copy instead.`
          : `${asked} was asked for on ${name}, and the tensor is ${describePlacement(actual)} there.`,
      });
      continue;
    }
    if (locals !== undefined && holdsWhole(view, locals, axis, wanted)) {
      findings.add({
        code: "silent-replication",
        message: `${asked} is the layout on ${name}, and every rank holds all of that dimension of ${formatShape(view.shape)}.`,
      });
    }
  }
}

/** True when no rank's part is smaller than the whole in a dimension that should be split. */
function holdsWhole(
  { mesh, shape }: ShardingView,
  locals: LocalFacts,
  axis: number,
  placement: Placement,
): boolean {
  if (placement.kind !== "shard" || (mesh.shape[axis] ?? 1) === 1) return false;
  const length = shape[placement.dim] ?? 0;
  if (length < 2) return false;
  return mesh.devices.every((_, rank) => locals.shape(rank)[placement.dim] === length);
}
