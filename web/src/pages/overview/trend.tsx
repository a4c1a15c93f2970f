import type { TrendDayView } from "../../../../src/control/api/overview.ts";
import { formatCount, formatDay, formatShare } from "../../format.ts";
import { type TrendBar, trendModel, trendWords, verdictsIn } from "./trend-model.ts";
import "./trend.css";

/** Two weeks at a glance: runs by verdict as bars, coverage as a line. */
export function Trend({ days }: { readonly days: readonly TrendDayView[] }) {
  if (days.length === 0) return <p class="muted small">No day has been seen yet.</p>;
  const model = trendModel(days);
  const hasCoverage = model.lines.length > 0;
  return (
    <figure class="trend">
      <figcaption class="trend-head">
        <span>Runs by verdict, {days.length} days (UTC)</span>
        <span class="trend-legend">
          {verdictsIn(model).map((verdict) => (
            <span key={verdict}>
              <i
                class={`trend-swatch trend-${verdict}`}
                style={{ background: `var(--${verdict})` }}
                aria-hidden="true"
              />{" "}
              {verdict}
            </span>
          ))}
          {model.bars.some(({ undecided }) => undecided.count > 0) ? (
            <span>
              <i class="trend-swatch trend-open" aria-hidden="true" /> no verdict
            </span>
          ) : null}
          {hasCoverage ? (
            <span>
              <i class="trend-line" aria-hidden="true" /> coverage
            </span>
          ) : null}
        </span>
      </figcaption>
      <div class="trend-plot" role="img" aria-label={`Days of UTC. ${trendWords(model)}`}>
        <span class="trend-axis" aria-hidden="true">
          <span>{formatCount(model.runsMax)}</span>
          <span>0</span>
        </span>
        <div class="trend-room">
          <div class="trend-bars">
            {model.bars.map((bar) => (
              <Bar key={bar.day} bar={bar} />
            ))}
          </div>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {model.lines.map((points) => (
              <polyline key={points} points={points} />
            ))}
          </svg>
        </div>
        {hasCoverage ? (
          <span class="trend-axis" aria-hidden="true">
            <span>100 %</span>
            <span>0 %</span>
          </span>
        ) : null}
      </div>
      <div class="trend-days" aria-hidden="true">
        <span>{formatDay(days[0]?.day ?? "")}</span>
        <span>today</span>
      </div>
    </figure>
  );
}

function Bar({ bar }: { readonly bar: TrendBar }) {
  const words = [
    `${formatDay(bar.day)}: ${formatCount(bar.runs)} runs`,
    ...bar.parts.map(({ verdict, count }) => `${verdict} ${formatCount(count)}`),
    ...(bar.undecided.count > 0 ? [`no verdict ${formatCount(bar.undecided.count)}`] : []),
    ...(bar.coverage === null ? [] : [`covered ${formatShare(bar.coverage)}`]),
  ];
  return (
    <span class="trend-bar" title={words.join("\n")}>
      {bar.parts.map(({ verdict, share }) => (
        <i
          key={verdict}
          class={`trend-${verdict}`}
          style={{ height: `${share * 100}%`, background: `var(--${verdict})` }}
        />
      ))}
      {bar.undecided.count > 0 ? (
        <i class="trend-open" style={{ height: `${bar.undecided.share * 100}%` }} />
      ) : null}
    </span>
  );
}
