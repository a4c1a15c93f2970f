import { standingSigns } from "../../../ui/tone.ts";
import { css, type HeatColours } from "./colours.ts";
import type { Scene } from "./draw.ts";
import type { RackBlock } from "./layout.ts";
import { isStale, staleBit, standingOf } from "./standing-codes.ts";

const leastScalePx = 12;
/** More than these cannot be painted within a frame; nearer, fewer are in sight. */
const mostGlyphs = 4000;
const sprites: { key: string; canvas: HTMLCanvasElement | undefined } = {
  key: "",
  canvas: undefined,
};

/** A sign in each cell in sight, and a hatch over old evidence, where there is room for them. */
export function drawGlyphs(
  context: CanvasRenderingContext2D,
  scene: Scene,
  blocks: readonly RackBlock[],
): void {
  const { layout, viewport, size, model, colours, pixelRatio } = scene;
  const { scale } = viewport;
  if (scale < leastScalePx * pixelRatio) return;
  const inSight = blocks.reduce((sum, block) => sum + block.count * layout.cellsPerNode, 0);
  if (inSight > mostGlyphs) return;
  const signs = spritesOf(scale, colours);
  if (signs === undefined) return;
  const codes = layout.mode === "checks" ? model.cells : model.standings;
  for (const block of blocks) {
    for (let within = 0; within < block.count; within++) {
      const column = Math.floor(within / block.rows);
      const y = (block.y + within - column * block.rows) * scale - viewport.y;
      if (y < -scale || y > size.heightPx) continue;
      const node = layout.order[block.first + within] ?? 0;
      for (let check = 0; check < layout.cellsPerNode; check++) {
        const x = (block.x + column * layout.pitch + check) * scale - viewport.x;
        const code = codes[node * layout.cellsPerNode + check] ?? 0;
        context.drawImage(signs, code * scale, 0, scale, scale, x, y, scale, scale);
      }
    }
  }
}

function spritesOf(scale: number, colours: HeatColours): HTMLCanvasElement | undefined {
  const key = `${scale} ${colours.palette.plain.join(" ")}`;
  if (sprites.key === key) return sprites.canvas;
  const canvas = document.createElement("canvas");
  canvas.width = scale * staleBit * 2;
  canvas.height = scale;
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  context.font = `600 ${Math.round(scale * 0.55)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const [code, onCell] of colours.onCell.entries()) {
    // Codes have a gap between the last fresh one and the first stale one.
    if (onCell === undefined) continue;
    context.fillStyle = css(onCell);
    context.strokeStyle = css(onCell);
    if (isStale(code)) hatch(context, code * scale, scale);
    context.fillText(standingSigns[standingOf(code)].letter, (code + 0.5) * scale - 0.5, scale / 2);
  }
  sprites.key = key;
  sprites.canvas = canvas;
  return canvas;
}

function hatch(context: CanvasRenderingContext2D, left: number, scale: number): void {
  context.save();
  context.beginPath();
  context.rect(left, 0, scale - 1, scale - 1);
  context.clip();
  context.globalAlpha = 0.35;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = -scale; x < scale; x += 5) {
    context.moveTo(left + x, scale);
    context.lineTo(left + x + scale, 0);
  }
  context.stroke();
  context.restore();
}
