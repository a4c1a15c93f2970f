import type { Standing } from "../../../../src/control/api/common.ts";
import { formatCount } from "../../format.ts";
import { standingOrder, standingSigns } from "../../ui/tone.ts";

/** How many nodes stand how; each entry shows those alone, or all again. */
export function Legend(props: {
  readonly counts: Readonly<Record<Standing, number>>;
  readonly chosen: ReadonlySet<Standing>;
  onToggle(standing: Standing): void;
}) {
  return (
    <fieldset class="fleet-legend">
      <legend class="sr">Show only nodes that stand</legend>
      {standingOrder.map((standing) => (
        <button
          key={standing}
          type="button"
          class="fleet-legend-entry"
          aria-pressed={props.chosen.has(standing)}
          onClick={() => props.onToggle(standing)}
        >
          <span class={`fleet-swatch swatch-${standing}`} aria-hidden="true">
            {standingSigns[standing].letter}
          </span>
          {standingSigns[standing].word}
          <b>{formatCount(props.counts[standing])}</b>
        </button>
      ))}
      <span class="fleet-legend-note small muted">
        <span class="fleet-swatch swatch-stale" aria-hidden="true" /> pale: evidence old or missing
      </span>
    </fieldset>
  );
}
