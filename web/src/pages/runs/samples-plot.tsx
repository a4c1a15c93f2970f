import type { RunDetailView } from "../../../../src/control/api/runs.ts";
import { countOf, formatNumber } from "../../format.ts";
import { Badge, Sparkline, standingSigns } from "../../ui/index.ts";
import type { FigureBound, PlacedFigure } from "./figure-places.ts";
import { axisOf, type Histogram, histogramOf } from "./histogram.ts";
import { withUnit } from "./with-unit.ts";
import "./samples-plot.css";

const [width, height, foot] = [320, 92, 16];

/** How the samples of a figure lie, what they were held against, and how they came one after the other. */
export function SamplesPlot(props: PlacedFigure & { readonly verdict: RunDetailView["verdict"] }) {
  const { figure, isNamed, bounds, verdict } = props;
  const { name, unit, samples, samplesTotal, median, higherIsBetter } = figure;
  const bars = histogramOf(samples);
  return (
    <figure class={isNamed ? "samples samples-named" : "samples"}>
      <figcaption>
        <code>{name}</code>
        <b>{withUnit(median, unit)}</b>
        {isNamed && (
          <Badge tone={verdict === null ? "unknown" : standingSigns[verdict].tone} sign="!">
            in the findings
          </Badge>
        )}
        <span class="small muted">
          median of {countOf(samplesTotal, "sample")}, {higherIsBetter ? "higher" : "lower"} is
          better
        </span>
        {bounds.map(({ rule, value }) => (
          <span key={`${rule} ${value}`} class="small samples-bound-words">
            {rule}: {withUnit(value, unit)}
          </span>
        ))}
      </figcaption>
      {bars === undefined ? (
        <p class="small muted">No samples were kept.</p>
      ) : (
        <Bars
          bars={bars}
          median={median}
          bounds={bounds}
          label={`${name}: median ${withUnit(median, unit)} of ${countOf(samplesTotal, "sample")}`}
        />
      )}
      {samples.length > 2 && (
        <Sparkline
          values={samples.slice(0, 400)}
          label={`${name}, sample after sample`}
          width={width}
          height={30}
        />
      )}
    </figure>
  );
}

function Bars(props: {
  readonly bars: Histogram;
  readonly median: number | null;
  readonly bounds: readonly FigureBound[];
  readonly label: string;
}) {
  const { bars, median, bounds } = props;
  const { from, to, shareOf } = axisOf(
    bars,
    bounds.map(({ value }) => value),
  );
  // One value alone fills the whole width.
  const share = to > from ? shareOf(bars.high) - shareOf(bars.low) : 1;
  const wide = (share * width) / bars.counts.length;
  const left = shareOf(bars.low) * width;
  return (
    <svg viewBox={`0 0 ${width} ${height + foot}`} role="img" aria-label={props.label}>
      {bars.counts.map((count, at) => {
        const tall = (count / bars.most) * (height - 4);
        return (
          <rect
            key={at}
            class="samples-bar"
            x={left + at * wide}
            y={height - tall}
            width={Math.max(2, wide - 1)}
            height={tall}
          />
        );
      })}
      {bounds.map(({ rule, value }) => (
        <Upright key={`${rule} ${value}`} class="samples-bound" at={shareOf(value)} />
      ))}
      {median !== null && to > from && <Upright class="samples-median" at={shareOf(median)} />}
      <text x={0} y={height + foot - 3}>
        {formatNumber(from, 4)}
      </text>
      {to > from && (
        <text x={width} y={height + foot - 3} text-anchor="end">
          {formatNumber(to, 4)}
        </text>
      )}
    </svg>
  );
}

function Upright(props: { readonly class: string; readonly at: number }) {
  const x = Math.min(width - 1, Math.max(1, props.at * width));
  return <line class={props.class} x1={x} x2={x} y1={0} y2={height} />;
}
