import type { RunDetailView } from "../../../../src/control/api/runs.ts";
import { countOf, formatNumber } from "../../format.ts";
import { Sparkline } from "../../ui/index.ts";
import { histogramOf } from "./histogram.ts";
import { withUnit } from "./with-unit.ts";
import "./samples-plot.css";

type Figure = RunDetailView["figures"][number];

const [width, height, foot] = [320, 92, 16];

/** How the samples of a figure lie, and how they came one after the other. */
export function SamplesPlot({ figure }: { readonly figure: Figure }) {
  const { name, unit, samples, samplesTotal, median, higherIsBetter } = figure;
  const bars = histogramOf(samples);
  const words = `${name}: median ${withUnit(median, unit)} of ${countOf(samplesTotal, "sample")}`;
  return (
    <figure class="samples">
      <figcaption>
        <code>{name}</code>
        <b>{withUnit(median, unit)}</b>
        <span class="small muted">
          median of {countOf(samplesTotal, "sample")}, {higherIsBetter ? "higher" : "lower"} is
          better
        </span>
      </figcaption>
      {bars === undefined ? (
        <p class="small muted">No samples were kept.</p>
      ) : (
        <svg viewBox={`0 0 ${width} ${height + foot}`} role="img" aria-label={words}>
          {bars.counts.map((count, at) => {
            const tall = (count / bars.most) * (height - 4);
            const wide = width / bars.counts.length;
            return (
              <rect
                key={at}
                class="samples-bar"
                x={at * wide}
                y={height - tall}
                width={Math.max(1, wide - 1)}
                height={tall}
              />
            );
          })}
          {median !== null && bars.high > bars.low && (
            <line
              class="samples-median"
              x1={((median - bars.low) / (bars.high - bars.low)) * width}
              x2={((median - bars.low) / (bars.high - bars.low)) * width}
              y1={0}
              y2={height}
            />
          )}
          <text x={0} y={height + foot - 3}>
            {formatNumber(bars.low, 4)}
          </text>
          {bars.high > bars.low && (
            <text x={width} y={height + foot - 3} text-anchor="end">
              {formatNumber(bars.high, 4)}
            </text>
          )}
        </svg>
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
