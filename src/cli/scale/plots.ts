import type {
  Axis,
  BarsPlot,
  LineSeries,
  LinesPlot,
  Plot,
  ReferenceLine,
} from "../../platform/plots/index.ts";
import type { ModelFit, ScalingCurve } from "../../runtime/scaling/fits/index.ts";
import { knobs } from "../../runtime/scaling/step/index.ts";
import type { ModelledStudy, ScalingStudy } from "../../runtime/scaling/study/index.ts";
import { causeNames, percent } from "../../runtime/scaling/study/words.ts";

/** More counts than this are too many marks. */
const marksMax = 16;
/** A law this little below the smallest speed-up does not stretch the axis. */
const belowSmallest = 1.1;
/** A cause that nowhere takes this share of a step is left out of the picture. */
const shownShare = 0.002;
const priceMin = 0.0005;
/** Above this something is faster than ideal, and the axis has to show it. */
const aboveIdeal = 1.005;

/** The pictures of a study: efficiency, speed-up, where the time goes, serial share. */
export function plotsOfStudy(study: ScalingStudy): readonly Plot[] {
  if (study.curve.points.length < 2) return [];
  return [
    efficiencyPlot(study),
    speedUpPlot(study),
    ...(study.source === "modelled" ? [causesPlot(study), ...pricePlots(study)] : []),
    ...karpFlattPlots(study),
  ];
}

/** The counts themselves are the marks: round numbers would lie between and beyond them. */
function devicesAxis(counts: readonly number[]): Axis {
  const marked = counts.length <= marksMax ? { ticks: counts } : {};
  return { label: "Devices", scale: "log", ...marked };
}

/** Powers of 2, 4, 8, … around all values, few enough to read. */
function doublingsAround(values: readonly number[]): readonly number[] {
  const low = Math.floor(Math.log2(belowSmallest * Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log2(Math.max(...values))));
  const stride = Math.ceil((high - low) / 6);
  const marks = Math.ceil((high - low) / stride) + 1;
  return Array.from({ length: marks }, (_, at) => 2 ** (low + at * stride));
}

function kneeLine({ fits }: ScalingStudy): readonly ReferenceLine[] {
  const knee = fits.knee.status === "fitted" ? fits.knee.byGain?.devices : undefined;
  return knee === undefined ? [] : [{ axis: "x", value: knee, label: `knee: ${knee}` }];
}

/** Where more devices begin to make it slower; beyond the counts there is nothing to draw it on. */
function turningLine({ fits: { retrograde } }: ScalingStudy): readonly ReferenceLine[] {
  if (retrograde.status === "inconclusive" || retrograde.extrapolated !== false) return [];
  const { devices = 1 } = retrograde;
  return [{ axis: "x", value: devices, label: `turns: ${devices}` }];
}

function devicesOf({ points }: ScalingCurve): readonly number[] {
  return points.map(({ devices }) => devices);
}

function fitted(study: ScalingStudy, model: "amdahl" | "usl"): ModelFit | undefined {
  const fit = study.fits.models[model];
  return fit.status === "fitted" ? fit : undefined;
}

/** A law's curve; the universal law carries its band. */
function lawSeries(
  study: ScalingStudy,
  of: (efficiency: number, relativeDevices: number) => number,
): readonly LineSeries[] {
  const { points } = study.curve;
  const x = devicesOf(study.curve);
  const scaled = (values: readonly number[]) =>
    values.map((value, at) => of(value, points[at]?.relativeDevices ?? 1));
  const [amdahl, usl] = [fitted(study, "amdahl"), fitted(study, "usl")];
  const band = usl?.efficiencyInterval;
  return [
    ...(amdahl === undefined ? [] : [{ name: "Amdahl, fitted", x, y: scaled(amdahl.efficiency) }]),
    ...(usl === undefined
      ? []
      : [
          {
            name: "universal law, fitted",
            x,
            y: scaled(usl.efficiency),
            ...(band === undefined
              ? {}
              : {
                  low: scaled(band.map(({ low }) => low)),
                  high: scaled(band.map(({ high }) => high)),
                }),
          },
        ]),
  ];
}

function efficiencyPlot(study: ScalingStudy): LinesPlot {
  const { curve, source, fits } = study;
  const x = devicesOf(curve);
  const intervals = curve.points.map(({ efficiencyInterval }) => efficiencyInterval);
  const banded = intervals.some((interval) => interval !== undefined);
  const percents = (shares: readonly (number | undefined)[]) =>
    shares.map((share) => (share === undefined ? null : 100 * share));
  // A law a little above ideal at its beginning would stretch the axis to twice its height.
  const ideal = curve.points.every(({ efficiency }) => efficiency <= aboveIdeal);
  const most = ideal ? 1 : Number.POSITIVE_INFINITY;
  const bandLevel = fits.confidence.from === "none" ? undefined : fits.confidence.level;
  return {
    kind: "lines",
    title: "Efficiency",
    provenance: source,
    x: devicesAxis(x),
    y: { label: efficiencyLabel(bandLevel), unit: "%", ...efficiencyMarks(curve) },
    series: [
      {
        name: source,
        x,
        y: percents(curve.points.map(({ efficiency }) => efficiency)),
        ...(banded
          ? {
              low: percents(intervals.map((interval) => interval?.low)),
              high: percents(intervals.map((interval) => interval?.high)),
            }
          : {}),
      },
      ...lawSeries(study, (share) => 100 * Math.min(share, most)),
    ],
    references: [{ axis: "y", value: 100, label: "ideal" }, ...kneeLine(study)],
  };
}

/**
 * Marks up to what was seen: a little above ideal does not make it 150 %, and the band of a law or of
 * two runs, which may reach anywhere, does not squeeze the points.
 */
function efficiencyMarks({ points }: ScalingCurve): Pick<Axis, "ticks"> {
  const reaches = points.map(({ efficiency, efficiencyInterval }) =>
    Math.min(efficiencyInterval?.high ?? efficiency, 1.5 * efficiency),
  );
  const most = Math.max(...reaches);
  const stepPercent = most <= aboveIdeal ? 20 : most <= 1.25 ? 25 : 50 * Math.ceil(most / 3);
  const marks = Math.ceil((100 * Math.max(1, most - 0.005)) / stepPercent) + 1;
  return { ticks: Array.from({ length: marks }, (_, at) => at * stepPercent) };
}

function efficiencyLabel(bandLevel: number | undefined): string {
  if (bandLevel === undefined) return "Efficiency";
  return `Efficiency; bands: ${percent(bandLevel)} of resamples`;
}

function speedUpPlot(study: ScalingStudy): LinesPlot {
  const { curve, source } = study;
  const x = devicesOf(curve);
  const series = [
    { name: source, x, y: curve.points.map(({ speedUp }) => speedUp) },
    { name: "ideal", x, y: curve.points.map(({ relativeDevices }) => relativeDevices) },
    ...lawSeries(study, (efficiency, relative) => efficiency * relative),
  ];
  const drawn = series.flatMap(({ y }) => y).filter((value) => value !== null);
  return {
    kind: "lines",
    title: `Speed-up over ${curve.baseDevices} device${curve.baseDevices === 1 ? "" : "s"}`,
    provenance: source,
    x: devicesAxis(x),
    y: { label: "Speed-up, times", scale: "log", ticks: doublingsAround(drawn) },
    series,
    references: [...kneeLine(study), ...turningLine(study)],
  };
}

/** Perfect computation and what each cause adds, of the whole step. */
function causesPlot({ counts }: ModelledStudy): BarsPlot {
  const shareOf = (at: number, seconds: number) =>
    (100 * Math.max(0, seconds)) / (counts[at]?.attribution.step.timeS ?? 1);
  const series = knobs
    .map((knob) => ({
      name: causeNames[knob],
      values: counts.map(({ attribution }, at) => shareOf(at, attribution.causesS[knob])),
    }))
    .filter(({ values }) => Math.max(...values) >= 100 * shownShare);
  return {
    kind: "bars",
    title: "Where a step's time goes",
    provenance: "modelled",
    categories: counts.map(({ devices }) => String(devices)),
    y: { label: "Share of the step, over devices", unit: "%", ticks: [0, 25, 50, 75, 100] },
    stacked: true,
    series: [
      {
        name: "perfect computation",
        values: counts.map(({ attribution }, at) => shareOf(at, attribution.idealS)),
      },
      ...series,
    ],
  };
}

/** Nothing where a fixed order costs nothing anywhere. */
function pricePlots({ counts }: ModelledStudy): readonly BarsPlot[] {
  if (counts.every(({ determinism }) => Math.abs(determinism.price) < priceMin)) return [];
  const plot: BarsPlot = {
    kind: "bars",
    title: "Price of determinism",
    provenance: "modelled",
    categories: counts.map(({ devices }) => String(devices)),
    y: {
      label: "Longer step with sums in a fixed order, over devices",
      unit: "%",
      include: [0, 1],
    },
    series: [{ name: "longer", values: counts.map(({ determinism }) => 100 * determinism.price) }],
  };
  return [plot];
}

function karpFlattPlots({ fits, source }: ScalingStudy): readonly LinesPlot[] {
  const { karpFlatt } = fits;
  if (karpFlatt.status === "inconclusive") return [];
  const { points, trend, judgedFrom } = karpFlatt;
  const said = trend === "none" ? "nothing to explain" : `${trend} from ${judgedFrom} devices on`;
  return [
    {
      kind: "lines",
      title: `Serial share by Karp and Flatt: ${said}`,
      provenance: source,
      x: devicesAxis(points.map(({ devices }) => devices)),
      y: { label: "Serial share", unit: "%", include: [0] },
      series: [
        {
          name: "serial share",
          x: points.map(({ devices }) => devices),
          y: points.map(({ serialShare }) => 100 * serialShare),
        },
      ],
    },
  ];
}
