import type { Axis, Plot } from "../../platform/plots/index.ts";
import { type CheckpointPlan, timeSplit } from "../../runtime/planning/index.ts";
import { formNames, splitNames } from "./words.ts";

/** A fifth of the recommended interval, about. */
const linesApart = 0.18;

const factors = [
  { factor: 1 / 4, name: "a quarter" },
  { factor: 1 / 2, name: "half" },
  { factor: 1, name: "recommended" },
  { factor: 2, name: "twice" },
  { factor: 4, name: "four times" },
];

/** The plan in pictures. */
export function planPlots(plan: CheckpointPlan): readonly Plot[] {
  return [ettrOverInterval(plan), whereTimeGoes(plan), ettrByShape(plan)];
}

function ettrOverInterval({ curve, recommended, forms }: CheckpointPlan): Plot {
  const { flat, computeS } = recommended;
  return {
    kind: "lines",
    title: "ETTR over the interval",
    provenance: "modelled",
    areaHeightPx: 300,
    x: { label: "Computing between saves", unit: "s", scale: "log" },
    y: { label: "ETTR; band: nine of ten draws", unit: "" },
    series: [
      {
        name: "ETTR",
        x: curve.map((point) => point.computeS),
        y: curve.map(({ ettr }) => ettr),
        low: curve.map(({ band }) => band.low),
        high: curve.map(({ band }) => band.high),
      },
    ],
    references: [
      { axis: "x", value: computeS, label: "recommended" },
      ...forms
        // Labels of lines on top of each other cannot be read.
        .filter((form) => Math.abs(Math.log(form.computeS / computeS)) > linesApart)
        .map((form) => ({ axis: "x" as const, value: form.computeS, label: formNames[form.form] })),
    ],
    bands: [{ axis: "x", from: flat.fromS, to: flat.toS, label: "within 1 % of the best" }],
  };
}

function whereTimeGoes({ job, recommended }: CheckpointPlan): Plot {
  const shortest = job.writeS - job.blockingS;
  const usable = factors.filter(({ factor }) => factor * recommended.computeS >= shortest);
  const splits = usable.map(({ factor }) => timeSplit(job, factor * recommended.computeS));
  const causes = Object.entries(splitNames) as [keyof typeof splitNames, string][];
  const most = Math.max(...splits.map(({ productive }) => 100 * (1 - productive)));
  return {
    kind: "bars",
    title: "Time that is not productive, by interval",
    provenance: "modelled",
    categories: usable.map(({ name }) => name),
    y: { label: "Share of all time, over intervals", unit: "%", ...marksUpTo(most) },
    stacked: true,
    series: causes
      .filter(([cause]) => splits.some((split) => split[cause] > 0))
      .map(([cause, name]) => ({ name, values: splits.map((split) => 100 * split[cause]) })),
  };
}

/** Round marks would end at 150 % where nearly all time is lost. */
function marksUpTo(percent: number): Pick<Axis, "include" | "ticks"> {
  return percent > 90 ? { ticks: [0, 25, 50, 75, 100] } : { include: [0] };
}

function ettrByShape({ shapes }: CheckpointPlan): Plot {
  return {
    kind: "bars",
    title: "ETTR where failures are not independent",
    description:
      "Bars: the ETTR at the recommended interval for each Weibull shape of the times between failures, with two standard errors.",
    provenance: "simulated",
    categories: shapes.map(({ shape }) => `shape ${shape}`),
    y: { label: "ETTR, ± 2 standard errors", unit: "", include: [0, 1] },
    series: [
      {
        name: "ETTR",
        values: shapes.map(({ ettr }) => ettr),
        low: shapes.map(({ ettr, standardError }) => ettr - 2 * standardError),
        high: shapes.map(({ ettr, standardError }) => ettr + 2 * standardError),
      },
    ],
  };
}
