import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { formatNumber } from "../format.ts";
import { theme } from "../theme.ts";
import { type PlotProps, type PlotSeries, plotWords } from "./plot-model.ts";
import { plotOptions, seriesColor } from "./plot-options.ts";
import { pointLook, tonesOf } from "./plot-points.ts";
import { rootScale } from "./root-scale.ts";
import "uplot/dist/uPlot.min.css";
import "./line-plot.css";

export type { PlotBand, PlotMark, PlotSeries } from "./plot-model.ts";

/** On a laptop, like those that are asked for. */
const usualHeightPx = 220;

/** Curves over time, seconds, sizes or devices, with bands, marks, a legend and the values at the cursor. */
export function LinePlot(props: PlotProps) {
  const room = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const colors = theme.value;
  const em = rootScale.value;
  const heightPx = Math.round((props.height ?? usualHeightPx) * em);
  const shape = shapeOf(props);
  const plot = useRef<uPlot | undefined>(undefined);

  useEffect(() => {
    const element = room.current;
    if (element === null) return;
    const size = () => ({
      width: Math.max(200, element.clientWidth),
      height: heightPx,
    });
    const made = new uPlot(
      plotOptions(() => latest.current, size()),
      dataOf(latest.current),
      element,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize(size()));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [shape, colors, em]);

  useEffect(() => {
    plot.current?.setData(dataOf(props));
  }, [props.x, props.series, props.bands, props.marks, props.spans]);

  return (
    <figure class="plot">
      <figcaption class="plot-head">
        <span class="plot-title">
          {props.title} <span class="muted">{props.unit}</span>
        </span>
        <span class="plot-legend">
          {props.series.map((series, at) => (
            <span key={series.label}>
              <i
                aria-hidden="true"
                class={series.dashed === true ? "plot-key dashed" : "plot-key"}
                style={{ color: seriesColor(series, at) }}
              />
              {series.label}
            </span>
          ))}
          <PointKeys series={props.series} />
        </span>
      </figcaption>
      <div
        ref={room}
        class={props.onPoint === undefined ? "plot-room" : "plot-room plot-points"}
        role="img"
        aria-label={props.summary ?? plotWords(props, (value) => formatNumber(value))}
        style={{ height: `${heightPx}px` }}
      />
    </figure>
  );
}

/** What the shapes of points mean. */
function PointKeys({ series }: { readonly series: readonly PlotSeries[] }) {
  const tones = tonesOf(series.flatMap(({ pointTones }) => pointTones ?? []));
  return (
    <>
      {tones.map((tone) => (
        <span key={tone}>
          <span class={`tone-${tone}`} aria-hidden="true">
            {pointLook(tone).sign}
          </span>{" "}
          {pointLook(tone).word}
        </span>
      ))}
    </>
  );
}

/** What a plot has to be made anew for; other changes only bring new data. */
function shapeOf(props: PlotProps): string {
  const series = props.series.map(({ label, tone, color, dashed, draw, width }) =>
    [label, tone, color, dashed, draw, width].join(","),
  );
  const { xKind, unit, height, syncKey, yLog } = props;
  return [xKind, unit, height, syncKey, yLog, ...series].join("|");
}

function dataOf(props: PlotProps): uPlot.AlignedData {
  return [[...props.x], ...props.series.map(({ values }) => [...values])];
}
