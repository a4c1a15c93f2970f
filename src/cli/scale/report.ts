import type { Fact, Report, ReportItem, ReportSection } from "../../platform/reporters/index.ts";
import type { Provenance } from "../../platform/words.ts";
import { type CurvePoint, scalingModels } from "../../runtime/scaling/fits/index.ts";
import { knobs } from "../../runtime/scaling/step/index.ts";
import type {
  ModelledCount,
  RuleVerdict,
  ScalingStudy,
} from "../../runtime/scaling/study/index.ts";
import {
  bottleneckSentence,
  capital,
  causeNames,
  findingsOf,
  notesOf,
  parametersText,
  percent,
  subjectOf,
} from "../../runtime/scaling/study/words.ts";
import { plotsOfStudy } from "./plots.ts";
import { splitText } from "./show.ts";

/** The study as a report, for `--html`: pictures, what rules say, the counts, the laws. */
export function scalingReport(result: {
  readonly study: ScalingStudy;
  readonly verdicts: readonly RuleVerdict[];
  readonly startedAtMs: number;
  readonly durationMs: number;
}): Report {
  const { study, verdicts, startedAtMs, durationMs } = result;
  const figures = [countsSection(study), lawsSection(study)];
  return {
    title: titleOf(study),
    subject: bottleneckSentence(study),
    startedAtMs,
    durationMs,
    notes: [`${capital(subjectOf(study))}.`, ...findingsOf(study), ...notesOf(study)],
    // Only rules are judged; without any, the figures are what the page is about.
    sections:
      verdicts.length === 0
        ? figures
        : [ruleSection(verdicts), ...figures.map((section) => ({ ...section, judged: false }))],
    ...(verdicts.length === 0 ? { judges: false } : {}),
    plots: plotsOfStudy(study),
  };
}

function titleOf(study: ScalingStudy): string {
  const kind = `${capital(study.kind)} scaling`;
  if (study.source === "measured") return `${kind}, measured`;
  const { cause } = study.bottleneck;
  return `${kind}, limited by ${cause === "compute" ? "computation" : causeNames[cause]}`;
}

function ruleSection(verdicts: readonly RuleVerdict[]): ReportSection {
  const items = verdicts.map(({ rule, verdict, reason }) => ({
    name: rule,
    status: verdict,
    reason,
    facts: [],
  }));
  return { title: "Rules", items };
}

function countsSection(study: ScalingStudy): ReportSection {
  const items = study.curve.points.map((point, at) => {
    const count = study.source === "modelled" ? study.counts[at] : undefined;
    return countItem(point, study.source, count);
  });
  return { title: "Devices", items };
}

function countItem(
  point: CurvePoint,
  provenance: Provenance,
  count: ModelledCount | undefined,
): ReportItem {
  const { devices, timeS, speedUp, efficiency, runs } = point;
  const fact = (name: string, value: number | string, unit = ""): Fact => ({
    name,
    value,
    unit,
    provenance,
  });
  const name = `${devices} device${devices === 1 ? "" : "s"}`;
  const plain = [
    fact("Time of a step", timeS, "s"),
    fact("Speed-up", speedUp),
    fact("Efficiency", 100 * efficiency, "%"),
  ];
  if (count === undefined) {
    return {
      name,
      status: "pass",
      label: provenance,
      reason: `Efficiency ${percent(efficiency)}, the median of ${runs} run${runs === 1 ? "" : "s"}.`,
      facts: plain,
    };
  }
  const { attribution, determinism, memory, groups } = count;
  const { bottleneck, step, causesS } = attribution;
  return {
    name,
    status: "pass",
    label: provenance,
    reason: `Efficiency ${percent(efficiency)}, ${bottleneck.label}; tensor x pipeline x data: ${splitText(count)}.`,
    ...(bottleneck.cause === "compute" ? {} : { hint: bottleneck.help }),
    facts: [
      ...plain,
      fact("Model's arithmetic, of the peak", 100 * step.modelFlopsShare, "%"),
      fact("Memory of a device", memory.needBytes, "B"),
      ...knobs.map((knob) => fact(`Lost to ${causeNames[knob]}`, causesS[knob], "s")),
      fact("Fixed order takes longer by", 100 * determinism.price, "%"),
      ...groups.flatMap(({ axis, op, bytes, bound, halfBandwidthBytes }) => [
        fact(`${axis}: ${op}, bound by ${bound}`, bytes, "B"),
        fact(`${axis}: half of the bandwidth from`, halfBandwidthBytes, "B"),
      ]),
    ],
  };
}

function lawsSection({ fits }: ScalingStudy): ReportSection {
  const items = scalingModels.map((model): ReportItem => {
    const fit = fits.models[model];
    if (fit.status === "inconclusive") {
      return {
        name: model,
        status: "unknown",
        label: "inconclusive",
        reason: `${fit.reason}.`,
        facts: [],
      };
    }
    const errors = `off by ${percent(fit.errorMean)} on average, ${percent(fit.errorMax)} at most`;
    const values = Object.keys(fit.parameters).length === 0 ? [] : parametersText(fit);
    return {
      name: model,
      status: "pass",
      label: "fitted",
      reason: `${capital([...values, errors].join(", "))}.`,
      facts: [],
    };
  });
  return { title: "Laws", items };
}
