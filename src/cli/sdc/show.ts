import {
  productDetectors,
  type SdcBenchResult,
  shareOf,
  siteDetectors,
  standardErrorOf,
} from "../../runtime/verify/bench/index.ts";
import { tableOf } from "../text-table.ts";
import {
  detectorHeads,
  detectorNotes,
  distributionTitles,
  rateText,
  secondsText,
  shareText,
} from "./words.ts";

/** The score tables, at most 120 columns wide. */
export function showSdcBench(result: SdcBenchResult): readonly string[] {
  return [
    `Detectors of silent corruption on products of ${result.side} x ${result.side} (bf16 factors), seed ${result.seed}`,
    "",
    ...patternLines(result),
    ...bitLines(result),
    ...siteLines(result),
    ...noiseLines(result),
    ...costLines(result),
    ...campaignLines(result),
    "",
    ...tableOf(detectorNotes.map(([head, note]) => [head, note])),
  ];
}

function patternLines({ patterns, patternTrials }: SdcBenchResult): readonly string[] {
  const errors = patterns.flatMap(({ scores }) =>
    productDetectors.map((name) => standardErrorOf(scores[name])),
  );
  const largest = Math.max(0, ...errors.filter((error) => !Number.isNaN(error)));
  return [
    `FOUND BY PATTERN, N(0,1): measured, ${patternTrials} trials each, standard error up to ${largest.toFixed(3)}`,
    ...tableOf([
      ["pattern", ...productDetectors.map((name) => detectorHeads[name]), "what happens"],
      ...patterns.map(({ pattern, title, scores }) => [
        pattern,
        ...productDetectors.map((name) => shareText(scores[name])),
        title,
      ]),
    ]),
    ...blindLines(patterns),
    ...silentLines(patterns),
  ];
}

/** What passes by the plain sum and not by the random one. */
function blindLines(patterns: SdcBenchResult["patterns"]): readonly string[] {
  const blind = patterns.filter(
    ({ scores }) => shareOf(scores.ones) < 0.05 && shareOf(scores["signs-2"]) > 0.5,
  );
  if (blind.length === 0) return [];
  const names = blind.map(({ pattern }) => pattern).join(", ");
  return [`Blind spots of the plain sum that random signs see: ${names}.`];
}

/** Events that nobody can find are not counted as missed. */
function silentLines(patterns: SdcBenchResult["patterns"]): readonly string[] {
  return patterns
    .filter(({ silent }) => silent > 0)
    .map(({ pattern, silent }) => `${silent} events of ${pattern} changed nothing.`);
}

function bitLines({ bits, bitTrials }: SdcBenchResult): readonly string[] {
  return (["f32", "bf16"] as const).flatMap((format) => {
    const rows = bits.filter((one) => one.format === format);
    const what = format === "f32" ? "the f32 sums (±1 k=1)" : "the bf16 product (BF16 OUT)";
    return [
      "",
      `FOUND BY BIT of one element of ${what}: measured, ${bitTrials} trials each`,
      ...tableOf([
        ["bit", ...(rows[0]?.scores.map(({ bit }) => String(bit)) ?? [])],
        ...rows.map(({ distribution, scores }) => [
          distributionTitles[distribution],
          ...scores.map(shareText),
        ]),
      ]),
    ];
  });
}

function siteLines({ sites, patternTrials }: SdcBenchResult): readonly string[] {
  return [
    "",
    `FOUND BY PLACE of one flipped bit, any of 32: measured, up to ${patternTrials} trials; "-" does not look`,
    ...tableOf([
      ["place", ...siteDetectors.map((name) => detectorHeads[name])],
      ...sites.map(({ title, scores }) => [
        title,
        ...siteDetectors.map((name) => shareText(scores[name])),
      ]),
    ]),
  ];
}

function noiseLines({ noise, products, uncalibrated }: SdcBenchResult): readonly string[] {
  const names = ["ones", "signs-1", "signs-2", "rows-columns", "rounded"] as const;
  return [
    "",
    `FALSE ALARMS on fresh clean data: measured, rows (WATCH: products) of ${products} products`,
    ...tableOf([
      ["numbers", ...names.map((name) => detectorHeads[name]), "WATCH", "clean max, ±1", "of bf16"],
      ...noise.map(({ distribution, falseAlarms, watchAlarms, cleanMax }) => [
        distributionTitles[distribution],
        ...[...names.map((name) => falseAlarms[name]), watchAlarms].map(
          ({ found, trials }) => `${found}/${trials}`,
        ),
        `${cleanMax.signs.toPrecision(2)} u S`,
        `${cleanMax.rounded.toFixed(2)} σ`,
      ]),
    ]),
    ...openLines(noise),
    "A threshold is twice the clean maximum; BF16 OUT has one for all numbers, 1 false alarm in 10^9 rows at most.",
    `Before it has learnt a threshold, a check answers: ${uncalibrated}.`,
  ];
}

/** What no alarm at all leaves open: three in as many trials, with a chance of a twentieth. */
function openLines(noise: SdcBenchResult["noise"]): readonly string[] {
  const scores = noise.map(({ falseAlarms }) => falseAlarms["signs-1"]);
  if (scores.some(({ found }) => found > 0)) return [];
  const fewest = Math.min(...scores.map(({ trials }) => trials));
  return [
    `No alarm in ${fewest} rows leaves a rate of up to ${(3 / fewest).toExponential(1)} a row open (95 %).`,
  ];
}

function costLines({ costs }: SdcBenchResult): readonly string[] {
  const of = costs[0]?.of ?? "";
  return [
    "",
    `COST on this machine's processors: measured in the same run, % of ${of}`,
    ...tableOf([
      costs.map(
        ({ detector }) =>
          detectorHeads[detector as keyof typeof detectorHeads] ?? detector.toUpperCase(),
      ),
      costs.map(({ percent }) => percent.toFixed(1)),
    ]),
  ];
}

function campaignLines({ campaign }: SdcBenchResult): readonly string[] {
  const { rates, operationsPerSecond, detectors } = campaign;
  return [
    "",
    `MEAN TIME TO DETECTION: modelled, ${operationsPerSecond} products/s, all checked, an assumed mix of patterns`,
    ...tableOf([
      ["rate per product", "found", ...rates.map(rateText)],
      ...detectors.map(({ detector, share, meanSeconds }) => [
        detectorHeads[detector],
        `${(100 * share).toFixed(0)} %`,
        ...meanSeconds.map(secondsText),
      ]),
    ]),
  ];
}
