import { blockNear, type HeatLayout, smallestScale } from "./layout.ts";

/** What part of the map is in sight. All in whole device pixels, so that cells stay crisp. */
export interface Viewport {
  /** Pixels a cell. */
  readonly scale: number;
  /** Of the map, at the canvas's upper left corner. */
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

export const largestScale = 96;

type Extent = Pick<HeatLayout, "width" | "height" | "fitScale">;

/** The whole map, or as much of it as there is room for. */
export function fit(layout: Extent, size: Size): Viewport {
  return clamped({ scale: layout.fitScale, x: 0, y: 0 }, layout, size);
}

/** The size of cells one step nearer or further. */
export function nextScale(scale: number, step: 1 | -1, layout: Extent): number {
  const next =
    step > 0
      ? Math.max(scale + 1, Math.round(scale * 1.25))
      : Math.min(scale - 1, Math.round(scale / 1.25));
  return Math.min(largestScale, Math.max(smallestScale, layout.fitScale, next));
}

/** The map with other cells, so that the rack under a point of the canvas stays under it. */
export function zoomed(
  from: Viewport,
  scale: number,
  around: {
    readonly x: number;
    readonly y: number;
    readonly before: HeatLayout;
    readonly after: HeatLayout;
    readonly size: Size;
  },
): Viewport {
  const { before, after, size } = around;
  const x = (from.x + around.x) / from.scale;
  const y = (from.y + around.y) / from.scale;
  const index = blockNear(before, x, y);
  const [old, now] = [before.blocks[index], after.blocks[index]];
  const moved = {
    scale,
    x: (x - (old?.x ?? 0) + (now?.x ?? 0)) * scale - around.x,
    y: (y - (old?.y ?? 0) + (now?.y ?? 0)) * scale - around.y,
  };
  return clamped(moved, after, size);
}

export function panned(
  from: Viewport,
  by: { readonly x: number; readonly y: number },
  within: { readonly layout: Extent; readonly size: Size },
): Viewport {
  return clamped({ ...from, x: from.x + by.x, y: from.y + by.y }, within.layout, within.size);
}

/** Moves as little as needed to bring a cell into sight. */
export function revealing(
  from: Viewport,
  cell: { readonly x: number; readonly y: number; readonly width: number },
  within: { readonly layout: Extent; readonly size: Size },
): Viewport {
  const { scale } = from;
  const axis = (offset: number, low: number, high: number, room: number) =>
    Math.max(Math.min(offset, low), high - room);
  const x = axis(from.x, cell.x * scale, (cell.x + cell.width) * scale, within.size.widthPx);
  const y = axis(from.y, cell.y * scale, (cell.y + 1) * scale, within.size.heightPx);
  return clamped({ scale, x, y }, within.layout, within.size);
}

function clamped({ scale, x, y }: Viewport, layout: Extent, size: Size): Viewport {
  const axis = (offset: number, length: number, room: number) =>
    Math.round(Math.max(0, Math.min(offset, length * scale - room)));
  return {
    scale,
    x: axis(x, layout.width, size.widthPx),
    y: axis(y, layout.height, size.heightPx),
  };
}
