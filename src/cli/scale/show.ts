import { formatBytes } from "../../platform/units/index.ts";
import type { CurvePoint } from "../../runtime/scaling/fits/index.ts";
import { scalingModels } from "../../runtime/scaling/fits/index.ts";
import type {
  ModelledCount,
  ModelledStudy,
  RuleVerdict,
  ScalingStudy,
} from "../../runtime/scaling/study/index.ts";
import {
  bottleneckSentence,
  findingsOf,
  notesOf,
  parametersText,
  percent,
  subjectOf,
} from "../../runtime/scaling/study/words.ts";
import { formatUs } from "../collective/show.ts";
import { tableOf } from "../text-table.ts";

const barColumnsMax = 50;
const columnsMin = 40;

/** The report for people: what limits the scaling first, then the figures behind it. */
export function showStudy(
  study: ScalingStudy,
  verdicts: readonly RuleVerdict[],
  columns: number,
): readonly string[] {
  const wrap = (text: string) => wrapped(text, Math.max(columnsMin, columns));
  return [
    ...wrap(bottleneckSentence(study)),
    "",
    ...wrap(`${subjectOf(study)}: ${study.source}.`),
    "",
    ...tableOf(study.source === "modelled" ? modelledRows(study) : measuredRows(study)),
    "",
    ...efficiencyBars(study.curve.points, columns),
    "",
    ...tableOf(lawRows(study)).flatMap(wrap),
    "",
    ...findingsOf(study).flatMap(wrap),
    ...(study.source === "modelled" ? groupLines(study).flatMap(wrap) : []),
    ...(verdicts.length === 0 ? [] : ["", ...verdicts.flatMap((rule) => wrap(verdictLine(rule)))]),
    "",
    ...notesOf(study).flatMap(wrap),
  ];
}

function modelledRows({ curve, counts }: ModelledStudy): readonly (readonly string[])[] {
  const head = ["DEVICES", "TPxPPxDP", "STEP", "SPEED-UP", "EFF", "MFU", "BOUND BY", "ORDER"];
  return [
    head,
    ...counts.map((count, at) => [
      String(count.devices),
      splitText(count),
      formatUs(1e6 * count.attribution.step.timeS),
      short(curve.points[at]?.speedUp ?? 0),
      percent(curve.points[at]?.efficiency ?? 0),
      percent(count.attribution.step.modelFlopsShare),
      count.attribution.bottleneck.label.replace(/-bound$/, ""),
      signed(count.determinism.price),
    ]),
  ];
}

/** How the devices are divided: tensor x pipeline x data. */
export function splitText({ split }: ModelledCount): string {
  return `${split.tensor}x${split.pipeline}x${split.data}`;
}

function measuredRows({ curve }: ScalingStudy): readonly (readonly string[])[] {
  return [
    ["DEVICES", "RUNS", "MEDIAN", "SPEED-UP", "EFF", "BETWEEN"],
    ...curve.points.map(({ devices, runs, timeS, speedUp, efficiency, efficiencyInterval }) => [
      String(devices),
      String(runs),
      formatUs(1e6 * timeS),
      short(speedUp),
      percent(efficiency),
      efficiencyInterval === undefined
        ? "-"
        : `${percent(efficiencyInterval.low)} and ${percent(efficiencyInterval.high)}`,
    ]),
  ];
}

/** Efficiency as bars: full is ideal. What is above ideal is cut off and marked. */
function efficiencyBars(points: readonly CurvePoint[], columns: number): readonly string[] {
  const width = Math.max(10, Math.min(barColumnsMax, columns - 20));
  const labels = Math.max(...points.map(({ devices }) => String(devices).length));
  return points.map(({ devices, efficiency }) => {
    const filled = Math.min(width, Math.round(width * efficiency));
    const bar = `${"█".repeat(filled)}${"·".repeat(width - filled)}`;
    const mark = efficiency > 1.005 ? "»" : "│";
    return `${String(devices).padStart(labels)} │${bar}${mark} ${percent(efficiency)}`;
  });
}

function lawRows({ fits }: ScalingStudy): readonly (readonly string[])[] {
  return [
    ["LAW", "ERROR", "MOST", "PARAMETERS"],
    ...scalingModels.flatMap((model) => {
      const fit = fits.models[model];
      const errors =
        fit.status === "fitted" ? [fit.errorMean, fit.errorMax].map(percent) : ["-", "-"];
      const [first = "", ...more] = parametersText(fit);
      return [[model, ...errors, first], ...more.map((text) => ["", "", "", text])];
    }),
  ];
}

/** What each kind of group of the largest count is bound by. */
function groupLines({ counts }: ModelledStudy): readonly string[] {
  const last = counts.at(-1);
  return (last?.groups ?? []).map(
    ({ axis, op, devices, bytes, bound, halfBandwidthBytes }) =>
      `Groups of ${axis} parallelism (${devices} of ${last?.devices}): ${op} of ${formatBytes(Math.round(bytes))}, bound by ${bound}; half of the bandwidth from ${formatBytes(halfBandwidthBytes)}.`,
  );
}

function verdictLine({ rule, verdict, reason }: RuleVerdict): string {
  return `${verdict.toUpperCase()}: ${rule}. ${reason}`;
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
}

function signed(share: number): string {
  return Math.abs(share) < 0.0005 ? "+0 %" : `${share < 0 ? "-" : "+"}${percent(Math.abs(share))}`;
}

/** Lines of words no longer than the terminal is wide; a line that fits stays as it is. */
function wrapped(text: string, columns: number): readonly string[] {
  if (text.length <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line.trimEnd());
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line.trimEnd()];
}
