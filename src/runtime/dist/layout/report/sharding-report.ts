import { isTesseraError } from "../../../../platform/errors/index.ts";
import { formatBytes } from "../../../../platform/units/index.ts";
import { dtypeInfo } from "../../../tensor/dtype/index.ts";
import { formatShape } from "../../../tensor/shape.ts";
import { productOf } from "../../mesh/index.ts";
import type { Layout } from "../layout.ts";
import type { LayoutSpec } from "../layout-spec.ts";
import { localShape } from "../local-slices.ts";
import { resolveLayout } from "../resolve-layout.ts";
import { type Finding, Findings, type ShardingError, type ShardingWarning } from "./finding.ts";
import { remarkOnRequest } from "./honoured.ts";
import { checkLocals } from "./local-errors.ts";
import { remarkOnSplits } from "./split-warnings.ts";
import type { ShardingView } from "./view.ts";

/** Whether a distributed tensor is what its layout says, and everything that speaks against it. */
export interface ShardingReport {
  /** True when there is no error. */
  readonly valid: boolean;
  /** The first of each kind; `counts` has how many there are. */
  readonly errors: readonly Finding<ShardingError>[];
  readonly warnings: readonly Finding<ShardingWarning>[];
  readonly counts: Readonly<Partial<Record<ShardingError | ShardingWarning, number>>>;
  /** Bytes that the layout gives each device. */
  readonly bytesPerDevice: { readonly least: number; readonly most: number };
  /** Several lines for people. */
  describe(): string;
}

/**
 * Judges a distributed tensor: does every element have its place, do shapes, dtypes and copies
 * agree, are the devices alive. Works from metadata, so the size of the tensor does not matter;
 * bytes count only through the digests of `locals`.
 */
export function shardingReport(view: ShardingView): ShardingReport {
  const errors = new Findings<ShardingError>(view.mesh);
  const warnings = new Findings<ShardingWarning>(view.mesh);
  const layout = tryResolve(view.layout, view, errors);
  const requested = tryResolve(view.requested, view, errors);
  if (layout !== undefined) {
    const checked = { ...view, layout };
    checkValues(checked, errors);
    remarkOnSplits(checked, warnings);
    remarkOnRequest(checked, requested, warnings);
  }
  for (const warning of view.mesh.warnings) {
    const [name, message] = warning.split(": ", 2);
    if (name === "MESH_TOPOLOGY") warnings.add({ code: "topology", message: `${message}.` });
  }
  return summarise(view, layout, errors, warnings);
}

function checkValues(view: ShardingView, errors: Findings<ShardingError>): void {
  const { mesh, layout, locals, deadDevices } = view;
  const partial = layout.axesWith("partial").map((axis) => mesh.axes[axis]);
  if (partial.length > 0) {
    const message = `The values are partial over ${partial.join(", ")} and have to be reduced before they are read.`;
    errors.add({ code: "partial-read", message });
  }
  for (const [rank, device] of mesh.devices.entries()) {
    if (deadDevices?.has(device) !== true) continue;
    const message = `Device ${device}, which holds the part of rank ${rank}, is dead.`;
    errors.add({ code: "dead-device", rank, message });
  }
  if (locals !== undefined) checkLocals(view, locals, errors);
}

function tryResolve(
  spec: Layout | LayoutSpec | undefined,
  { mesh, shape }: ShardingView,
  errors: Findings<ShardingError>,
): Layout | undefined {
  if (spec === undefined) return undefined;
  try {
    return resolveLayout(spec, { mesh, shape });
  } catch (thrown) {
    if (!isTesseraError(thrown)) throw thrown;
    errors.add({ code: "bad-layout", message: thrown.message });
    return undefined;
  }
}

function summarise(
  view: ShardingView,
  layout: Layout | undefined,
  errors: Findings<ShardingError>,
  warnings: Findings<ShardingWarning>,
): ShardingReport {
  const valid = errors.listed.length === 0;
  const bytesPerDevice = layout === undefined ? { least: 0, most: 0 } : bytesOf(view, layout);
  const counts = Object.fromEntries([...errors.counts, ...warnings.counts]);
  return {
    valid,
    errors: errors.listed,
    warnings: warnings.listed,
    counts,
    bytesPerDevice,
    describe: () => {
      const { least, most } = bytesPerDevice;
      const bytes =
        least === most ? formatBytes(most) : `${formatBytes(least)} to ${formatBytes(most)}`;
      const what = `${view.dtype}${formatShape(view.shape)} as ${view.layout.describe()} on ${view.mesh.describe()}`;
      return [
        `${valid ? "valid" : "NOT valid"}: ${what}; ${bytes} a device`,
        ...linesOf("error", errors),
        ...linesOf("warning", warnings),
      ].join("\n");
    },
  };
}

function linesOf(kind: string, { listed, counts }: Findings<string>): string[] {
  const lines = listed.map(({ code, message }) => `  ${kind} ${code}: ${message}`);
  for (const [code, count] of counts) {
    const left = count - listed.filter((finding) => finding.code === code).length;
    if (left > 0) lines.push(`  ${kind} ${code}: and ${left} more`);
  }
  return lines;
}

function bytesOf(
  { mesh, shape, dtype }: ShardingView,
  layout: Layout,
): { readonly least: number; readonly most: number } {
  const { bytes } = dtypeInfo(dtype);
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let rank = 0; rank < mesh.size; rank++) {
    const held = productOf(localShape(layout, { mesh, shape, rank })) * bytes;
    least = Math.min(least, held);
    most = Math.max(most, held);
  }
  return { least, most };
}
