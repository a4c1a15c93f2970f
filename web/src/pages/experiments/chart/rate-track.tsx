import { formatNumber } from "../../../format.ts";
import { niceTicks } from "../../../ui/ticks.ts";
import { curvePath, type Rate, rateMax } from "../model/rate-curve.ts";
import { shareOf, type TimeRange, visiblePart } from "../model/time-scale.ts";
import { percent } from "./lane-track.tsx";

const dipOpacityMin = 0.25;
const ticksWanted = 2;

/** The rate with faults over the usual one, on the same axis as the lanes: dips shaded, faults marked. */
export function RateTrack(props: {
  readonly rate: Rate;
  readonly range: TimeRange;
  readonly faultsS: readonly number[];
}) {
  const { rate, range } = props;
  const max = rateMax(rate) * 1.08;
  const ticks = niceTicks(0, max, ticksWanted).filter((tick) => tick > 0);
  const topOf = (value: number) => percent(1 - value / max);
  return (
    <>
      {rate.dips.map((dip) => {
        const part = visiblePart(range, dip);
        if (part === undefined) return null;
        // A shallow dip is a pale one.
        const opacity = Math.min(1, Math.max(dipOpacityMin, dip.depth));
        const style = { left: percent(part.left), width: percent(part.width), opacity };
        return <span key={dip.fromS} class="rate-dip" style={style} />;
      })}
      {ticks.map((tick) => (
        <span key={tick} class="rate-line" style={{ top: topOf(tick) }} />
      ))}
      {props.faultsS.map((atS) => {
        const share = shareOf(range, atS);
        if (share < 0 || share > 1) return null;
        return <span key={atS} class="rate-fault" style={{ left: percent(share) }} />;
      })}
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="rate-usual" d={curvePath(rate.times, rate.usual, { range, max })} />
        <path class="rate-own" d={curvePath(rate.times, rate.withFaults, { range, max })} />
      </svg>
      {ticks.map((tick) => (
        <span key={tick} class="rate-value" style={{ top: topOf(tick) }}>
          {formatNumber(tick)}
        </span>
      ))}
    </>
  );
}
