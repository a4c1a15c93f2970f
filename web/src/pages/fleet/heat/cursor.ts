import { cellOf, type HeatLayout, type RackBlock, type Spot } from "./layout.ts";

export type Direction = "left" | "right" | "up" | "down";

/** The cell next to this one, in its rack or in the nearest rack on that side; else the same. */
export function step(layout: HeatLayout, from: Spot, direction: Direction): Spot {
  return withinRack(layout, from, direction) ?? intoNextRack(layout, from, direction) ?? from;
}

function withinRack(layout: HeatLayout, from: Spot, direction: Direction): Spot | undefined {
  const block = layout.blocks[layout.blockOf[from.slot] ?? -1];
  if (block === undefined) return undefined;
  const within = from.slot - block.first;
  const row = within % block.rows;
  const to = (slot: number, check = from.check): Spot | undefined =>
    slot >= 0 && slot < block.count ? { slot: block.first + slot, check } : undefined;
  if (direction === "up") return row > 0 ? to(within - 1) : undefined;
  if (direction === "down") return row < block.rows - 1 ? to(within + 1) : undefined;
  const side = direction === "right" ? 1 : -1;
  if (from.check === undefined) return to(within + side * block.rows);
  const check = from.check + side;
  if (check >= 0 && check < layout.cellsPerNode) return { slot: from.slot, check };
  return to(within + side * block.rows, side > 0 ? 0 : layout.cellsPerNode - 1);
}

function intoNextRack(layout: HeatLayout, from: Spot, direction: Direction): Spot | undefined {
  const here = layout.blocks[layout.blockOf[from.slot] ?? -1];
  if (here === undefined) return undefined;
  const cell = cellOf(layout, from.slot);
  const x = cell.x + (from.check ?? 0);
  let best: RackBlock | undefined;
  let least = Infinity;
  for (const block of layout.blocks) {
    const distance = distanceTo(block, { here, x, y: cell.y, direction });
    if (distance < least) [best, least] = [block, distance];
  }
  return best === undefined ? undefined : nearestIn(layout, best, { x, y: cell.y, from });
}

/** How far a rack is on that side; whatever is beside the straight line counts more. */
function distanceTo(
  block: RackBlock,
  from: {
    readonly here: RackBlock;
    readonly x: number;
    readonly y: number;
    readonly direction: Direction;
  },
): number {
  const { here, x, y, direction } = from;
  const aside = {
    x: Math.max(block.x - x, 0, x - (block.x + block.width - 1)),
    y: Math.max(block.y - y, 0, y - (block.y + block.rows - 1)),
  };
  const ahead = {
    left: here.x - (block.x + block.width),
    right: block.x - (here.x + here.width),
    up: here.y - (block.y + block.rows),
    down: block.y - (here.y + here.rows),
  }[direction];
  if (block === here || ahead < 0) return Infinity;
  return ahead + 4 * (direction === "left" || direction === "right" ? aside.y : aside.x);
}

function nearestIn(
  layout: HeatLayout,
  block: RackBlock,
  at: { readonly x: number; readonly y: number; readonly from: Spot },
): Spot {
  const between = (value: number, most: number) => Math.max(0, Math.min(most, value));
  const column = between(Math.floor((at.x - block.x) / layout.pitch), block.columns - 1);
  const row = between(at.y - block.y, block.rows - 1);
  const within = Math.min(column * block.rows + row, block.count - 1);
  const across = at.x - block.x - Math.floor(within / block.rows) * layout.pitch;
  const check = at.from.check === undefined ? undefined : between(across, layout.cellsPerNode - 1);
  return { slot: block.first + within, check };
}

/** The first node of the rack before or after this one's; the map's ends are where it stops. */
export function stepRack(layout: HeatLayout, from: Spot, by: 1 | -1): Spot {
  const block = layout.blocks[(layout.blockOf[from.slot] ?? 0) + by];
  return block === undefined ? from : { slot: block.first, check: from.check };
}

/** The worst cell of the next bad node in the map's order, all around; undefined when there is none. */
export function nextBad(
  layout: HeatLayout,
  from: Spot,
  badCheck: (node: number) => number | undefined,
): Spot | undefined {
  const { order } = layout;
  for (let ahead = 1; ahead <= order.length; ahead++) {
    const slot = (from.slot + ahead) % order.length;
    const check = badCheck(order[slot] ?? 0);
    if (check !== undefined) return { slot, check: layout.mode === "checks" ? check : undefined };
  }
  return undefined;
}
