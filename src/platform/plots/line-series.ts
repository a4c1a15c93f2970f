import { columnsOf, type LinePoint, stretches } from "./decimate.ts";
import type { Area } from "./frame.ts";
import { colourClass, dashClass, marker, pathThrough, spread } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { Scale } from "./scale.ts";
import { fitText } from "./text-size.ts";

/** A series ready to be drawn. */
export interface DrawnSeries {
  readonly name: string;
  readonly points: readonly LinePoint[];
  /** How many of the points have a value. */
  readonly valueCount: number;
  /** The column of pixels an x falls into. */
  readonly columnOf: (x: number) => number;
  readonly columnsMax: number;
}

interface Drawing {
  readonly area: Area;
  readonly x: Scale;
  readonly y: Scale;
}

// With few points each gets its marker; with many, some markers tell the line from the others.
const markersAll = 40;
const markersSome = 7;

/** Band, line and markers of one series. */
export function drawSeries(
  series: DrawnSeries,
  index: number,
  drawing: Drawing & { /** There is no other line to tell it from. */ readonly alone: boolean },
): Markup {
  const { columns } = columnsOf(series.points, series);
  const place = placer(drawing);
  const lines = stretches(columns, (column) => column.points).map((points) => points.map(place));
  const bands = stretches(columns, ({ band }) => (band === undefined ? [] : [band]));
  const path = lines.map(pathThrough).join("");
  return fragment(
    ...bands.map((band) => {
      const upper = band.map(({ x, high }) => place({ x, y: high }));
      const lower = band.map(({ x, low }) => place({ x, y: low })).toReversed();
      const d = `${pathThrough([...upper, ...lower])}Z`;
      return element("path", { class: `${colourClass(index)} tp-band`, d });
    }),
    path === ""
      ? undefined
      : element("path", { class: `${colourClass(index)} ${dashClass(index)} tp-line`, d: path }),
    ...markersOf(lines, index, drawing.alone),
  );
}

type Pixel = { readonly x: number; readonly y: number };

function placer({ area, x, y }: Drawing): (point: Pixel) => Pixel {
  return (point) => ({
    x: area.left + x.position(point.x) * area.width,
    y: area.bottom - y.position(point.y) * area.height,
  });
}

/** A point between two gaps has no line to show it, so it always gets a marker. */
function markersOf(lines: readonly (readonly Pixel[])[], index: number, alone: boolean): Markup[] {
  const total = lines.reduce((sum, line) => sum + line.length, 0);
  const stride = total <= markersAll ? 1 : Math.ceil(total / markersSome);
  // Series start at different places, so that markers of lines close together do not hide each other.
  const offset = stride === 1 ? 0 : Math.floor((stride * (index % 4)) / 4);
  let seen = 0;
  const markers: Markup[] = [];
  for (const line of lines) {
    for (const point of line) {
      const chosen = seen % stride === offset && !(alone && stride > 1);
      if (line.length === 1 || chosen) {
        markers.push(marker(index, point.x, point.y));
      }
      seen++;
    }
  }
  return markers;
}

/** The name of each series beside the end of its line, with its marker and dash. */
export function directLabels(
  drawn: readonly DrawnSeries[],
  drawing: Drawing,
  labels: { readonly left: number; readonly widthPx: number },
): Markup {
  const { left, widthPx } = labels;
  const place = placer(drawing);
  const { area } = drawing;
  const ends = drawn.flatMap(({ name, points }, index) => {
    const last = points.findLast(({ y }) => y !== null);
    return last === undefined || last.y === null
      ? []
      : [{ name, index, ...place({ x: last.x, y: last.y }) }];
  });
  const rows = spread(
    ends.map(({ y }) => y),
    { min: area.top, max: area.bottom, gap: 16 },
  );
  return fragment(
    ...ends.map(({ name, index, x, y }, rank) => {
      const row = rows[rank] ?? y;
      const colour = colourClass(index);
      const points = [
        { x, y },
        { x: left, y: row },
      ];
      return fragment(
        element("path", { class: `${colour} tp-leader`, d: pathThrough(points) }),
        element("path", {
          class: `${colour} ${dashClass(index)} tp-line`,
          d: pathThrough([
            { x: left, y: row },
            { x: left + 18, y: row },
          ]),
        }),
        marker(index, left + 9, row),
        element("text", { x: left + 23, y: row + 4 }, fitText(name, 12, widthPx - 23)),
      );
    }),
  );
}
