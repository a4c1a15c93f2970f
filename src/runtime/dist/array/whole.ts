import { TesseraError } from "../../../platform/errors/index.ts";
import type { DType } from "../../tensor/dtype/index.ts";
import { currentHealth } from "../health/index.ts";
import { type Layout, localSlices } from "../layout/index.ts";
import type { Mesh } from "../mesh/index.ts";
import { AssembledBlock, type Piece } from "./assembled-block.ts";
import type { Block } from "./block.ts";
import { checkLocals } from "./check-locals.ts";
import { isReadable, requireDevices } from "./device-lost.ts";

interface Parts {
  readonly mesh: Mesh;
  readonly layout: Layout;
  readonly dtype: DType;
  readonly shape: readonly number[];
  block(rank: number): Block;
}

/**
 * The whole that the parts make up, read from the first living device that holds each of them.
 *
 * @throws E_LAYOUT_PARTIAL, E_DESYNC, E_DEVICE_LOST, E_TIMEOUT
 */
export function wholeOf(x: Parts): Block {
  const { mesh, layout, dtype, shape } = x;
  refusePartial(x);
  const health = currentHealth();
  const holders = new Map<string, { piece: () => Piece; rank: number; isAlive: boolean }>();
  for (const [rank, device] of mesh.devices.entries()) {
    const slices = localSlices(layout, { mesh, shape, rank });
    const key = JSON.stringify(slices);
    const isAlive = isReadable(health, device);
    const known = holders.get(key);
    if (known?.isAlive || (known !== undefined && !isAlive)) continue;
    holders.set(key, { piece: () => ({ block: x.block(rank), slices }), rank, isAlive });
  }
  const chosen = [...holders.values()];
  const lost = chosen.filter(({ isAlive }) => !isAlive).map(({ rank }) => rank);
  if (lost.length > 0) {
    const op = "reading the tensor";
    requireDevices({ health, op, mesh, ranks: lost, phase: "read" });
  }
  const ranks = chosen.map(({ rank }) => rank);
  checkLocals(x, { op: "reading the tensor", ranks });
  const pieces = chosen.map(({ piece }) => piece());
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only.block;
  return new AssembledBlock({ dtype, shape, pieces });
}

function refusePartial({ mesh, layout }: Parts): void {
  const partial = layout.placements.flatMap((placement, axis) =>
    placement.kind === "partial" ? [{ op: placement.op, axis: mesh.axes[axis] ?? "" }] : [],
  );
  const [first] = partial;
  if (first === undefined) return;
  throw new TesseraError("E_LAYOUT_PARTIAL", {
    op: first.op,
    axes: partial.map(({ axis }) => axis).join(", "),
  });
}
