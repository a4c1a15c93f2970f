import { cellOf, type HeatLayout } from "./layout.ts";
import type { HeatModel } from "./model.ts";

/**
 * One pixel a cell: the canvas enlarges it. Colours are numbers as ImageData wants them. `plain` and
 * `dimmed` have a colour for each code, the stale ones at `code | staleBit`.
 */
export interface Palette {
  readonly plain: Uint32Array;
  readonly dimmed: Uint32Array;
}

export function paintAll(
  pixels: Uint32Array,
  layout: HeatLayout,
  painting: {
    readonly model: HeatModel;
    readonly palette: Palette;
    readonly found: Uint8Array | undefined;
  },
): void {
  pixels.fill(0);
  const { model, palette, found } = painting;
  const { cellsPerNode, order, width, pitch } = layout;
  const codes = layout.mode === "checks" ? model.cells : model.standings;
  for (const block of layout.blocks) {
    for (let within = 0; within < block.count; within++) {
      const node = order[block.first + within] ?? 0;
      const colours = found === undefined || found[node] === 1 ? palette.plain : palette.dimmed;
      const column = Math.floor(within / block.rows);
      const row = within - column * block.rows;
      const at = (block.y + row) * width + block.x + column * pitch;
      for (let check = 0; check < cellsPerNode; check++) {
        pixels[at + check] = colours[codes[node * cellsPerNode + check] ?? 0] ?? 0;
      }
    }
  }
}

/** A rectangle of pixels, in cells. */
export interface Patch {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Paints only the cells that differ between two models of the same nodes, and says which part of
 * the picture they are in; undefined when nothing differs.
 */
export function paintChanged(
  pixels: Uint32Array,
  layout: HeatLayout,
  painting: {
    readonly before: HeatModel;
    readonly model: HeatModel;
    readonly palette: Palette;
    readonly found: Uint8Array | undefined;
  },
): Patch | undefined {
  const { before, model, palette, found } = painting;
  const { cellsPerNode, slotOf, width } = layout;
  const isByCheck = layout.mode === "checks";
  const [old, now] = isByCheck ? [before.cells, model.cells] : [before.standings, model.standings];
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (let at = 0; at < now.length; at++) {
    if (old[at] === now[at]) continue;
    const node = Math.floor(at / cellsPerNode);
    const slot = slotOf[node] ?? -1;
    if (slot < 0) continue;
    const cell = cellOf(layout, slot);
    const x = cell.x + (at - node * cellsPerNode);
    const colours = found === undefined || found[node] === 1 ? palette.plain : palette.dimmed;
    pixels[cell.y * width + x] = colours[now[at] ?? 0] ?? 0;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, cell.y), Math.max(bottom, cell.y)];
  }
  if (right < 0) return undefined;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Whether two models show the same nodes in the same places, so that a layout fits both. */
export function hasSameNodes(a: HeatModel, b: HeatModel): boolean {
  return (
    isSameList(a.view.names, b.view.names) &&
    isSameList(a.checks, b.checks) &&
    isSameList(a.view.racks, b.view.racks) &&
    isSameList(a.view.rackOf, b.view.rackOf)
  );
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
