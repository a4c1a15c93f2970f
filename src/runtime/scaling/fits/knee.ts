import { aiccOf } from "./akaike.ts";
import { dot, leastSquares } from "./small-squares.ts";
import type { CurvePoint, Fitted, Knee, ScalingCurve } from "./types.ts";

const pointsMin = 3;
const breakPointsMin = 7;
/** Two lines must explain the curve so much better than one. */
const aiccGain = 2;
const slopeFallMin = 0.1;

/**
 * The last count that is worth it, in two ways: the smallest count from which no larger one gains
 * `gainMin` for each doubling, and where the log-log curve breaks into two straight lines.
 */
export function kneeOf(curve: ScalingCurve, gainMin: number): Fitted<Knee> {
  const { points } = curve;
  if (points.length < pointsMin) {
    const reason = `a knee needs ${pointsMin} counts, and there are ${points.length}`;
    return { status: "inconclusive", reason };
  }
  const byGain = kneeByGain(points, gainMin);
  return {
    status: "fitted",
    gainMin,
    ...(byGain === undefined ? {} : { byGain }),
    ...breakOf(points),
  };
}

/** What each doubling adds to the throughput from one count to another: 1 when it doubles too. */
function gainPerDoubling(one: CurvePoint, other: CurvePoint): number {
  const doublings = Math.log2(other.devices / one.devices);
  return (other.speedUp / one.speedUp) ** (1 / doublings) - 1;
}

function kneeByGain(points: readonly CurvePoint[], gainMin: number): Knee["byGain"] {
  for (const [at, point] of points.entries()) {
    const larger = points.slice(at + 1);
    const [next] = larger;
    if (next === undefined) return undefined;
    const best = Math.max(...larger.map((other) => gainPerDoubling(point, other)));
    if (best < gainMin) return { devices: point.devices, nextGain: gainPerDoubling(point, next) };
  }
  return undefined;
}

function breakOf(points: readonly CurvePoint[]): Pick<Knee, "byResiduals" | "residualsReason"> {
  if (points.length < breakPointsMin) {
    return { residualsReason: `two lines need ${breakPointsMin} counts` };
  }
  const targets = points.map(({ speedUp }) => Math.log2(speedUp));
  const places = points.map(({ relativeDevices }) => Math.log2(relativeDevices));
  const one = lineThrough(
    places.map((place) => [1, place]),
    targets,
  );
  const candidates = points.slice(2, -2).flatMap((point, index) => {
    const bend = places[index + 2] ?? 0;
    const two = lineThrough(
      places.map((place) => [1, place, Math.max(0, place - bend)]),
      targets,
    );
    return two === undefined ? [] : [{ point, two }];
  });
  const [first] = candidates;
  if (one === undefined || first === undefined) return {};
  const best = candidates.reduce((a, b) => (b.two.errors < a.two.errors ? b : a), first);
  const count = points.length;
  const before = aiccOf({ count, freedoms: 2, meanSquare: one.errors / count });
  const after = aiccOf({ count, freedoms: 4, meanSquare: best.two.errors / count });
  const [, slopeBefore = 0, fall = 0] = best.two.weights;
  const bends = before !== undefined && after !== undefined && after < before - aiccGain;
  if (!bends || fall > -slopeFallMin) return {};
  const { devices } = best.point;
  return { byResiduals: { devices, slopeBefore, slopeAfter: slopeBefore + fall } };
}

function lineThrough(rows: readonly (readonly number[])[], targets: readonly number[]) {
  const weights = leastSquares(rows, targets);
  if (weights === undefined) return undefined;
  const errors = rows.reduce(
    (sum, row, at) => sum + (dot(row, weights) - (targets[at] ?? 0)) ** 2,
    0,
  );
  return { weights, errors };
}
