import type { Curve } from "./curves.ts";
import type { Predict } from "./errors-of.ts";

/**
 * What one gets without a model: the table itself, interpolated in the logarithms of bytes and of the
 * group's size. Outside the table, the nearest curve.
 */
export function interpolateTable(curves: readonly Curve[]): Predict {
  return ({ op, devices }, { bytes }) => {
    const known = curves
      .filter((curve) => curve.op === op)
      .toSorted((a, b) => a.devices - b.devices);
    const below = known.findLast((curve) => curve.devices <= devices) ?? known[0];
    const above = known.find((curve) => curve.devices >= devices) ?? known.at(-1);
    if (below === undefined || above === undefined) return Number.NaN;
    const [low, high] = [timeAt(below, bytes), timeAt(above, bytes)];
    if (below.devices === above.devices) return low;
    const share = Math.log(devices / below.devices) / Math.log(above.devices / below.devices);
    return low * (high / low) ** share;
  };
}

function timeAt({ points }: Curve, bytes: number): number {
  const next = points.findIndex((point) => point.bytes >= bytes);
  const index = next === -1 ? points.length - 1 : Math.max(1, next);
  const [from, to] = [points[index - 1], points[index]];
  if (from === undefined || to === undefined) return Number.NaN;
  const share = Math.log(bytes / from.bytes) / Math.log(to.bytes / from.bytes);
  return from.timeUs * (to.timeUs / from.timeUs) ** share;
}
