import { paintRatio } from "../../../ui/root-scale.ts";
import type { HeatColours } from "./colours.ts";
import { withoutCommonStart } from "./describe.ts";
import { drawScene } from "./draw.ts";
import { keptPlace } from "./keep-place.ts";
import { type HeatLayout, type HeatMode, layOut, rescaled, type Spot, spotAt } from "./layout.ts";
import type { HeatModel } from "./model.ts";
import { hasSameNodes, paintAll, paintChanged } from "./pixels.ts";
import { fit, nextScale, panned, revealing, type Size, type Viewport, zoomed } from "./viewport.ts";

/** What the map shall show. */
export interface HeatContent {
  readonly model: HeatModel;
  readonly order: Uint32Array;
  readonly found: Uint8Array | undefined;
  readonly mode: HeatMode;
  readonly colours: HeatColours;
}

/** A small fleet leaves room to point at it, and for the buttons. */
const leastHeightPx = 180;
const drawnMark = "heat-map-drawn";

/** Keeps the picture of a map on a canvas, and paints at most once a frame. */
export class HeatPainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #picture = document.createElement("canvas");
  #pixels: ImageData | undefined;
  #content: HeatContent | undefined;
  /** Where everything is when all of it is in sight. */
  #fitLayout: HeatLayout | undefined;
  /** The same for the cells as large as they are now. */
  #layout: HeatLayout | undefined;
  #labels: readonly string[] = [];
  #shortLabels: readonly string[] = [];
  #viewport: Viewport = { scale: 1, x: 0, y: 0 };
  #cursor: Spot | undefined;
  #hover: Spot | undefined;
  #frame: number | undefined;
  #room: Size = { widthPx: 0, heightPx: 0 };

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  get layout(): HeatLayout | undefined {
    return this.#layout;
  }

  get size(): Size {
    return { widthPx: this.#canvas.width, heightPx: this.#canvas.height };
  }

  /** New data or another choice of what to see. Repaints only the cells that changed where it can. */
  show(content: HeatContent): void {
    const before = this.#content;
    this.#content = content;
    const isSame =
      before !== undefined &&
      this.#layout !== undefined &&
      before.mode === content.mode &&
      before.found === content.found &&
      before.colours === content.colours &&
      isSameOrder(before.order, content.order) &&
      hasSameNodes(before.model, content.model);
    if (!isSame) return this.#build(before);
    if (this.#repaintChanged(before.model, content)) this.#wish();
  }

  /** There is another amount of room, in device pixels; the map takes as much of its height as it needs. */
  resize(room: Size): void {
    if (room.widthPx === this.#room.widthPx && room.heightPx === this.#room.heightPx) return;
    this.#room = room;
    if (this.#content !== undefined) this.#build(this.#content);
  }

  point(spots: { readonly cursor: Spot | undefined; readonly hover: Spot | undefined }): void {
    this.#cursor = spots.cursor;
    this.#hover = spots.hover;
    this.#wish();
  }

  fit(): void {
    if (this.#fitLayout === undefined) return;
    this.#scaleTo(this.#fitLayout.fitScale);
    this.#viewport = fit(this.#fitLayout, this.size);
    this.#wish();
  }

  zoom(step: 1 | -1, at: { readonly x: number; readonly y: number }): void {
    const before = this.#layout;
    if (before === undefined) return;
    const scale = nextScale(this.#viewport.scale, step, before);
    if (scale === this.#viewport.scale) return;
    const after = this.#scaleTo(scale) ?? before;
    const around = { ...at, before, after, size: this.size };
    this.#viewport = zoomed(this.#viewport, scale, around);
    this.#wish();
  }

  pan(by: { readonly x: number; readonly y: number }): void {
    if (this.#layout === undefined) return;
    this.#viewport = panned(this.#viewport, by, { layout: this.#layout, size: this.size });
    this.#wish();
  }

  reveal(cell: { readonly x: number; readonly y: number; readonly width: number }): void {
    if (this.#layout === undefined) return;
    this.#viewport = revealing(this.#viewport, cell, { layout: this.#layout, size: this.size });
    this.#wish();
  }

  /** What lies under a point of the canvas, in device pixels. */
  spotAt(x: number, y: number): Spot | undefined {
    const { scale, x: left, y: top } = this.#viewport;
    if (this.#layout === undefined) return undefined;
    return spotAt(this.#layout, (x + left) / scale, (y + top) / scale);
  }

  get isFit(): boolean {
    const layout = this.#layout;
    return layout === undefined || this.#viewport.scale <= layout.fitScale;
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  /** Paints now; a frame does it otherwise. */
  paint(): void {
    const context = this.#canvas.getContext("2d", { alpha: false });
    const [content, layout] = [this.#content, this.#layout];
    if (context === null || content === undefined || layout === undefined) return;
    drawScene(context, {
      model: content.model,
      layout,
      colours: content.colours,
      viewport: this.#viewport,
      size: this.size,
      pixelRatio: paintRatio(),
      picture: this.#picture,
      labels: this.#labels,
      shortLabels: this.#shortLabels,
      cursor: this.#cursor,
      hover: this.#hover,
    });
    // For whoever measures how soon the fleet is seen.
    if (performance.getEntriesByName(drawnMark).length === 0) performance.mark(drawnMark);
  }

  #build(before: HeatContent | undefined): void {
    const content = this.#content;
    if (content === undefined || this.#room.widthPx === 0 || this.#room.heightPx === 0) return;
    const { model, order, mode } = content;
    const wasFit = this.isFit;
    const [layoutBefore, sizeBefore] = [this.#layout, this.size];
    const layout = layOut({
      mode,
      order,
      checks: model.checks.length,
      nodes: model.nodes,
      rackOf: model.view.rackOf,
      ...this.#room,
      pixelRatio: paintRatio(),
    });
    this.#fitLayout = layout;
    this.#fitCanvas(layout);
    this.#labels = model.view.racks;
    this.#shortLabels = withoutCommonStart(model.view.racks);
    // Whoever has zoomed in keeps the place, also when other nodes are shown.
    const isKept = !wasFit && before !== undefined && before.mode === mode;
    const scale = isKept ? Math.max(this.#viewport.scale, layout.fitScale) : layout.fitScale;
    const shown = this.#scaleTo(scale) ?? layout;
    const kept =
      isKept && layoutBefore !== undefined
        ? keptPlace(this.#viewport, {
            before: { layout: layoutBefore, model: before.model },
            after: { layout: shown, model },
            scale,
            sizeBefore,
            size: this.size,
          })
        : undefined;
    if (kept === undefined && scale !== layout.fitScale) this.#scaleTo(layout.fitScale);
    this.#viewport = kept ?? fit(layout, this.size);
    this.#hover = undefined;
    if (this.#cursor !== undefined && this.#cursor.slot >= order.length) this.#cursor = undefined;
    this.#wish();
  }

  /** Lays the map out for this size of cells and paints its picture anew. */
  #scaleTo(scale: number): HeatLayout | undefined {
    const content = this.#content;
    if (content === undefined || this.#fitLayout === undefined) return undefined;
    const layout = rescaled(this.#fitLayout, scale, paintRatio());
    this.#layout = layout;
    this.#picture.width = Math.max(1, layout.width);
    this.#picture.height = Math.max(1, layout.height);
    this.#pixels = new ImageData(this.#picture.width, this.#picture.height);
    paintAll(asNumbers(this.#pixels), layout, { ...content, palette: content.colours.palette });
    this.#picture.getContext("2d")?.putImageData(this.#pixels, 0, 0);
    return layout;
  }

  #fitCanvas({ height, fitScale }: HeatLayout): void {
    const { widthPx, heightPx: most } = this.#room;
    const least = Math.min(most, leastHeightPx * devicePixelRatio);
    const heightPx = Math.max(least, Math.min(most, height * fitScale));
    if (this.#canvas.width === widthPx && this.#canvas.height === heightPx) return;
    this.#canvas.width = widthPx;
    this.#canvas.height = heightPx;
    this.#canvas.style.height = `${heightPx / devicePixelRatio}px`;
  }

  #repaintChanged(before: HeatModel, content: HeatContent): boolean {
    if (this.#layout === undefined || this.#pixels === undefined) return false;
    const { model, found, colours } = content;
    const painting = { before, model, found, palette: colours.palette };
    const patch = paintChanged(asNumbers(this.#pixels), this.#layout, painting);
    if (patch === undefined) return false;
    const { x, y, width, height } = patch;
    this.#picture.getContext("2d")?.putImageData(this.#pixels, 0, 0, x, y, width, height);
    return true;
  }

  #wish(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.paint();
    });
  }
}

function asNumbers(pixels: ImageData): Uint32Array {
  return new Uint32Array(pixels.data.buffer);
}

function isSameOrder(a: Uint32Array, b: Uint32Array): boolean {
  return a === b || (a.length === b.length && a.every((node, slot) => node === b[slot]));
}
