import { shareOf, type TimeRange, visiblePart } from "../model/time-scale.ts";
import type { Lane } from "../model/timeline-lanes.ts";

const marks = { effect: "◆", save: "▾", bad: "✕" } as const;
/** A narrower span has no room for its words; the readout has them. */
const labelShareMin = 0.07;

/** One lane: spans as bars, single moments as signs. */
export function LaneTrack({ lane, range }: { readonly lane: Lane; readonly range: TimeRange }) {
  return (
    <>
      {lane.spans.map((span) => {
        const part = visiblePart(range, span);
        if (part === undefined) return null;
        return (
          <span
            key={`${span.kind}-${span.fromS}-${span.label}`}
            class={`lane-span lane-${span.kind}${span.isOpen ? " lane-open" : ""}`}
            style={{ left: percent(part.left), width: percent(part.width) }}
          >
            {part.width >= labelShareMin ? <span class="lane-label">{span.label}</span> : null}
          </span>
        );
      })}
      {lane.marks.map((mark) => {
        const share = shareOf(range, mark.atS);
        if (share < 0 || share > 1) return null;
        return (
          <span
            key={`${mark.kind}-${mark.atS}-${mark.label}`}
            class={`lane-mark lane-mark-${mark.kind}`}
            style={{ left: percent(share) }}
          >
            {marks[mark.kind]}
          </span>
        );
      })}
    </>
  );
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(4)}%`;
}
