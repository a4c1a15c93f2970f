import { cellOf, type HeatLayout } from "./layout.ts";
import type { HeatModel } from "./model.ts";
import { panned, type Size, type Viewport } from "./viewport.ts";

/** A map as it lay or lies, and whose it is. */
interface Placed {
  readonly layout: HeatLayout;
  readonly model: HeatModel;
}

/**
 * The part in sight after other nodes are shown: the one nearest to the middle that is there before and
 * after stays where it is on the screen. Undefined when there is none.
 */
export function keptPlace(
  from: Viewport,
  given: {
    readonly before: Placed;
    readonly after: Placed;
    readonly scale: number;
    readonly sizeBefore: Size;
    readonly size: Size;
  },
): Viewport | undefined {
  const { before, after, scale, size, sizeBefore } = given;
  const slotAfter = slotFinder(before.model, after);
  const middle = {
    x: (from.x + sizeBefore.widthPx / 2) / from.scale,
    y: (from.y + sizeBefore.heightPx / 2) / from.scale,
  };
  let [least, best, bestAfter] = [Infinity, -1, -1];
  for (const [slot, node] of before.layout.order.entries()) {
    const cell = cellOf(before.layout, slot);
    const distance = (cell.x - middle.x) ** 2 + (cell.y - middle.y) ** 2;
    if (distance >= least) continue;
    const to = slotAfter(node);
    if (to >= 0) [least, best, bestAfter] = [distance, slot, to];
  }
  if (best < 0) return undefined;
  const [old, now] = [cellOf(before.layout, best), cellOf(after.layout, bestAfter)];
  const moved = {
    scale,
    x: now.x * scale - (old.x * from.scale - from.x),
    y: now.y * scale - (old.y * from.scale - from.y),
  };
  return panned(moved, { x: 0, y: 0 }, { layout: after.layout, size });
}

/** Where a node of the model before is now; -1 when it is not shown. Most of them keep their index. */
function slotFinder(before: HeatModel, { layout, model }: Placed): (node: number) => number {
  let places: ReadonlyMap<string, number> | undefined;
  return (node) => {
    const name = before.view.names[node] ?? "";
    if (model.view.names[node] === name) return layout.slotOf[node] ?? -1;
    places ??= new Map(model.view.names.map((one, at) => [one, at]));
    return layout.slotOf[places.get(name) ?? -1] ?? -1;
  };
}
