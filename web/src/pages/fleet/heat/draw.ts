import { css, type HeatColours } from "./colours.ts";
import { drawGlyphs } from "./draw-glyphs.ts";
import { cellOf, type HeatLayout, type RackBlock, type Spot } from "./layout.ts";
import type { HeatModel } from "./model.ts";
import type { Size, Viewport } from "./viewport.ts";

export interface Scene {
  readonly model: HeatModel;
  readonly layout: HeatLayout;
  readonly colours: HeatColours;
  readonly viewport: Viewport;
  readonly size: Size;
  readonly pixelRatio: number;
  /** One pixel a cell. */
  readonly picture: CanvasImageSource;
  readonly labels: readonly string[];
  readonly shortLabels: readonly string[];
  readonly cursor: Spot | undefined;
  readonly hover: Spot | undefined;
}

const leastScaleForLines = 3;

/** Paints one frame. The cells are one enlarged picture, whatever their number. */
export function drawScene(context: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, viewport, size, colours } = scene;
  const { scale } = viewport;
  context.fillStyle = css(colours.ground);
  context.fillRect(0, 0, size.widthPx, size.heightPx);
  if (layout.width === 0 || layout.height === 0) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(
    scene.picture,
    -viewport.x,
    -viewport.y,
    layout.width * scale,
    layout.height * scale,
  );
  const blocks = blocksInSight(scene);
  drawLines(context, scene, blocks);
  drawLabels(context, scene, blocks);
  drawGlyphs(context, scene, blocks);
  for (const spot of [scene.hover, scene.cursor]) {
    if (spot !== undefined) drawFrame(context, scene, spot);
  }
}

function blocksInSight({ layout, viewport, size }: Scene): readonly RackBlock[] {
  const { scale, x, y } = viewport;
  const { header } = layout;
  return layout.blocks.filter(
    (block) =>
      block.x * scale < x + size.widthPx &&
      (block.x + block.width) * scale > x &&
      (block.y - header) * scale < y + size.heightPx &&
      (block.y + block.rows) * scale > y,
  );
}

/** Nodes are kept apart by lines in the colour of the ground, and in wide cells the checks too. */
function drawLines(
  context: CanvasRenderingContext2D,
  { layout, viewport, colours }: Scene,
  blocks: readonly RackBlock[],
): void {
  const { scale } = viewport;
  if (scale < leastScaleForLines) return;
  const thick = scale >= 16 ? 2 : 1;
  context.fillStyle = css(colours.ground);
  for (const block of blocks) {
    const left = block.x * scale - viewport.x;
    const top = block.y * scale - viewport.y;
    const width = block.width * scale;
    const height = block.rows * scale;
    for (let row = 1; row <= block.rows; row++) {
      context.fillRect(left, top + row * scale - thick, width, thick);
    }
    if (scale < 8 && layout.cellsPerNode > 1) continue;
    for (let column = 1; column <= block.width; column++) {
      context.fillRect(left + column * scale - thick, top, thick, height);
    }
  }
}

function drawLabels(
  context: CanvasRenderingContext2D,
  scene: Scene,
  blocks: readonly RackBlock[],
): void {
  const { layout, viewport, colours, pixelRatio } = scene;
  const fontPx = Math.min(12 * pixelRatio, layout.header * viewport.scale - 2);
  if (fontPx < 8 * pixelRatio) return;
  context.font = `${fontPx}px system-ui, sans-serif`;
  context.fillStyle = css(colours.faint);
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  const fits = (text: string | undefined, block: RackBlock): text is string =>
    text !== undefined && context.measureText(text).width <= roomOf(scene, block);
  // Whole names for all of them, or short ones for all: a mixture looks like two kinds of racks.
  const isWhole = blocks.every((block) => fits(scene.labels[block.rack], block));
  const labels = isWhole ? scene.labels : scene.shortLabels;
  for (const block of blocks) {
    const label = labels[block.rack];
    if (!fits(label, block)) continue;
    const left = block.x * viewport.scale - viewport.x;
    context.fillText(label, left, block.y * viewport.scale - viewport.y - 3 * pixelRatio);
  }
}

/** A label may be as wide as its rack, or up to the next one; after the last there is all the room. */
function roomOf({ layout, viewport }: Scene, block: RackBlock): number {
  const last = block.first + block.count - 1;
  const next = layout.blocks[(layout.blockOf[last] ?? 0) + 1];
  const isLastInRow = next === undefined || next.x <= block.x;
  return isLastInRow ? Infinity : (next.x - block.x - 0.5) * viewport.scale;
}

function drawFrame(context: CanvasRenderingContext2D, scene: Scene, spot: Spot): void {
  const { layout, viewport, colours, pixelRatio } = scene;
  const { scale } = viewport;
  const cell = cellOf(layout, spot.slot);
  const x = (cell.x + (spot.check ?? 0)) * scale - viewport.x;
  const y = cell.y * scale - viewport.y;
  const width = spot.check === undefined ? layout.cellsPerNode * scale : scale;
  const line = Math.max(1, Math.round(pixelRatio * (spot === scene.cursor ? 2 : 1)));
  context.lineWidth = line;
  context.strokeStyle = css(spot === scene.cursor ? colours.accent : colours.ink);
  context.strokeRect(x - line / 2, y - line / 2, width + line - 1, scale + line - 1);
}
