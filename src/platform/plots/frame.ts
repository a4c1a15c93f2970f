import assert from "node:assert/strict";
import { element, fragment, type Markup, trustedMarkup } from "./markup.ts";
import type { PlotCommon, RenderOptions } from "./plot.ts";
import { fitText, textWidth, wrapText } from "./text-size.ts";
import { plotStyle } from "./theme.ts";

/** The rectangle that carries data, in the units of the view box. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** What a kind of plot says about itself before the frame around it is laid out. */
export interface FrameRequest {
  readonly plot: PlotCommon & { readonly kind: string };
  readonly options: RenderOptions;
  /** The line under the title: what the values are. */
  readonly subtitle: string;
  /** What a screen reader says when the plot brings no description of its own. */
  readonly summary: string;
  /** Room left and right of the area. */
  readonly leftPx: number;
  readonly rightPx: number;
  /** Room between area and notes, for ticks and the label of the x axis. */
  readonly axisPx: number;
  /** Rows of a legend between subtitle and area. */
  readonly legendRows?: number;
  /** Room directly above the area, for the labels of vertical lines. */
  readonly labelsPx?: number;
  /** Sentences under the plot: what was left out, merged or decimated. */
  readonly notes: readonly string[];
}

export interface Frame {
  readonly area: Area;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Where the legend's first row stands. */
  readonly legendTop: number;
  /** An id for use inside this plot only. */
  id(name: string): string;
  /** The finished SVG around the body. */
  render(body: Markup, definitions?: Markup): string;
}

export const paddingPx = 16;
export const rowPx = 18;
const titleSizePx = 15;
const noteSizePx = 11;
const notePx = 15;
const widthPxDefault = 720;
const widthPxMin = 360;
const widthPxMax = 4000;
const areaHeightPxDefault = 240;
const areaHeightPxMin = 80;

/** The width of a plot, so that kinds can lay out before there is a frame. */
export function plotWidth(plot: PlotCommon): number {
  const width = plot.widthPx ?? widthPxDefault;
  assert(width >= widthPxMin && width <= widthPxMax, `widthPx ${width} is out of range`);
  return width;
}

export function areaHeight(plot: PlotCommon): number {
  const height = plot.areaHeightPx ?? areaHeightPxDefault;
  assert(height >= areaHeightPxMin && height <= widthPxMax, `areaHeightPx ${height} out of range`);
  return height;
}

/** Lays out title, area and notes. */
export function createFrame(request: FrameRequest): Frame {
  const { plot } = request;
  const widthPx = plotWidth(plot);
  const tagPx = plot.provenance === undefined ? 0 : textWidth(plot.provenance, 12) + 18;
  const titleLines = wrapText(plot.title, {
    sizePx: titleSizePx * 1.12,
    widthPx: widthPx - 2 * paddingPx - tagPx - 16,
    linesMax: 2,
  });
  const subtitleTop = paddingPx + titleLines.length * 20;
  const legendTop = subtitleTop + (request.subtitle === "" ? 0 : rowPx);
  const legendBottom = legendTop + (request.legendRows ?? 0) * rowPx;
  const top = legendBottom + (request.labelsPx ?? 0) + 12;
  const bottom = top + areaHeight(plot);
  const left = request.leftPx;
  const right = widthPx - request.rightPx;
  assert(right - left >= 80, "the area is too narrow");
  const notes = request.notes.flatMap((note) =>
    wrapText(note, { sizePx: noteSizePx, widthPx: widthPx - 2 * paddingPx, linesMax: 3 }),
  );
  const notesTop = bottom + request.axisPx;
  const heightPx = Math.ceil(notesTop + notes.length * notePx + (notes.length > 0 ? 10 : 6));
  const prefix = request.options.id ?? `plot-${hash(`${plot.kind} ${plot.title}`)}`;
  const id = (name: string) => `${prefix}-${name}`;
  const head = fragment(
    ...titleLines.map((line, index) =>
      element("text", { class: "tp-title", x: paddingPx, y: paddingPx + 14 + index * 20 }, line),
    ),
    request.subtitle === "" ? undefined : subtitleLine(request.subtitle, subtitleTop + 12, widthPx),
    provenanceTag(plot, widthPx),
  );
  const foot = fragment(
    ...notes.map((line, index) =>
      element("text", { class: "tp-note", x: paddingPx, y: notesTop + 10 + index * notePx }, line),
    ),
  );
  return {
    area: { left, top, right, bottom, width: right - left, height: bottom - top },
    widthPx,
    heightPx,
    legendTop,
    id,
    render: (body, definitions) =>
      svg({ request, widthPx, heightPx, id, definitions }, fragment(head, body, foot)),
  };
}

function subtitleLine(subtitle: string, y: number, widthPx: number): Markup {
  const fitted = fitText(subtitle, 12, widthPx - 2 * paddingPx);
  return element("text", { class: "tp-sub", x: paddingPx, y }, fitted);
}

function provenanceTag(plot: PlotCommon, widthPx: number): Markup | undefined {
  if (plot.provenance === undefined) return undefined;
  const width = textWidth(plot.provenance, 12) + 14;
  const x = widthPx - paddingPx - width;
  return fragment(
    element("rect", { class: "tp-tag", x, y: paddingPx, width, height: 19, rx: 9.5 }),
    element(
      "text",
      { class: "tp-sub", x: x + width / 2, y: paddingPx + 13.5, "text-anchor": "middle" },
      plot.provenance,
    ),
  );
}

interface SvgParts {
  readonly request: FrameRequest;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly id: (name: string) => string;
  readonly definitions: Markup | undefined;
}

function svg(parts: SvgParts, body: Markup): string {
  const { request, widthPx, heightPx, id } = parts;
  const description = request.plot.description ?? request.summary;
  const notes = request.notes.length === 0 ? "" : ` ${request.notes.join(" ")}`;
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "tp",
      viewBox: `0 0 ${widthPx} ${heightPx}`,
      width: widthPx,
      height: heightPx,
      role: "img",
      "aria-labelledby": `${id("title")} ${id("description")}`,
    },
    element("title", { id: id("title") }, request.plot.title),
    element("desc", { id: id("description") }, `${description}${notes}`),
    element("style", {}, trustedMarkup(plotStyle)),
    parts.definitions === undefined ? undefined : element("defs", {}, parts.definitions),
    element("rect", { class: "tp-bg", x: 0, y: 0, width: widthPx, height: heightPx, rx: 8 }),
    body,
  ).markup;
}

/** FNV-1a: short, stable, and different for different titles. */
function hash(text: string): string {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(text)) state = Math.imul(state ^ byte, 0x01000193) >>> 0;
  return state.toString(36);
}

/** The designed absence of data: the area, empty, and why. */
export function emptyBody(area: Area, reason: string): Markup {
  const x = area.left + area.width / 2;
  const y = area.top + area.height / 2;
  return fragment(
    element("rect", {
      class: "tp-frame tp-dashed",
      x: area.left,
      y: area.top,
      width: area.width,
      height: area.height,
      rx: 6,
    }),
    element("text", { class: "tp-empty", x, y, "text-anchor": "middle" }, "No data"),
    element(
      "text",
      { class: "tp-note", x, y: y + 20, "text-anchor": "middle" },
      fitText(reason, noteSizePx, area.width - 16),
    ),
  );
}
