import type { FigureHistoryView } from "../../../../src/control/api/nodes.ts";
import { formatNumber } from "../../format.ts";
import { siblingPlace } from "./siblings.ts";

const [width, height, edge] = [640, 56, 8];

/** The newest value of each sibling as a dot; this node is the one that stands out. */
export function SiblingsStrip({ figure }: { readonly figure: FigureHistoryView }) {
  const place = siblingPlace(figure);
  if (place === undefined) return <p class="small muted">Not compared with other nodes yet.</p>;
  const x = (share: number) => edge + share * (width - 2 * edge);
  const middle = height / 2 - 8;
  const { low, high, usual } = place;
  return (
    <div class="siblings">
      <p class="small">
        <b>Siblings.</b> {place.sentence}{" "}
        {usual !== undefined && (
          <span class="muted">
            Their middle is {formatNumber(usual, 4)} {figure.unit}.
          </span>
        )}{" "}
        {place.sample !== undefined && <span class="muted">{place.sample}</span>}
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={place.sentence}>
        <line class="siblings-line" x1={edge} x2={width - edge} y1={middle} y2={middle} />
        {usual !== undefined && high > low && (
          <line
            class="siblings-usual"
            x1={x((usual - low) / (high - low))}
            x2={x((usual - low) / (high - low))}
            y1={middle - 14}
            y2={middle + 14}
          />
        )}
        {place.dots
          .toSorted((a, b) => Number(a.isSelf) - Number(b.isSelf))
          .map((dot) => (
            <circle
              key={dot.node}
              class={dot.isSelf ? "siblings-self" : "siblings-dot"}
              cx={x(dot.share)}
              cy={middle}
              r={dot.isSelf ? 8 : 5}
            >
              <title>{`${dot.node}: ${formatNumber(dot.median, 4)} ${figure.unit}`}</title>
            </circle>
          ))}
        <text x={edge} y={height - 3}>
          {formatNumber(low, 4)}
        </text>
        {high > low && (
          <text x={width - edge} y={height - 3} text-anchor="end">
            {formatNumber(high, 4)}
          </text>
        )}
      </svg>
    </div>
  );
}
