import type { ScalingStudyView } from "../../../../src/control/api/studies.ts";
import { formatCount, formatShare } from "../../format.ts";
import { Bars } from "../../ui/bars.tsx";
import { causeWords, lostTime } from "./lost-time.ts";

/** Each size as one bar: what was useful, and what each cause took. */
export function LostTimeBars({ points }: { readonly points: ScalingStudyView["points"] }) {
  const { causes, rows } = lostTime(points);
  const colorOf = new Map(causes.map((cause, at) => [cause, at % 8]));
  return (
    <>
      <ul class="scaling-legend small">
        <li>
          <i class="scaling-key scaling-useful" /> useful
        </li>
        {causes.map((cause) => (
          <li key={cause}>
            <i
              class="scaling-key"
              style={{ background: `var(--plot-${colorOf.get(cause) ?? 0})` }}
            />{" "}
            {causeWords(cause)}
          </li>
        ))}
      </ul>
      <Bars
        label="Where the time of a step goes, by devices"
        max={1}
        rows={rows.map(({ devices, parts, useful }) => ({
          key: String(devices),
          label: formatCount(devices),
          text: `${formatShare(useful)} useful`,
          parts: [
            {
              label: "useful",
              value: useful,
              tone: "untested" as const,
              text: formatShare(useful),
            },
            ...parts.map(({ cause, share }) => ({
              label: causeWords(cause),
              value: share,
              color: colorOf.get(cause) ?? 0,
              text: formatShare(share),
            })),
          ],
        }))}
      />
      {causes.length === 0 ? <p class="muted">The model sees nothing that is lost.</p> : null}
    </>
  );
}
