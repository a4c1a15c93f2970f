import { formatBytes } from "../../platform/units/index.ts";
import type { CheckpointPlan, IntervalForm } from "../../runtime/planning/index.ts";
import { tableOf } from "../text-table.ts";
import type { PlanCheckpointRequest } from "./request.ts";
import { ettrPlot } from "./text-plot.ts";
import { improvements } from "./what-if.ts";
import {
  duration,
  ettrText,
  failureText,
  formNames,
  goodputText,
  intervalText,
  keepText,
  lostText,
  percent,
  shapeEttrText,
  sizeText,
  warningsOf,
} from "./words.ts";

/** The plan for people: what to do first, then why. */
export function showPlan(
  request: PlanCheckpointRequest,
  plan: CheckpointPlan,
  seed: string,
): readonly string[] {
  return [
    `Save after every ${intervalText(plan)}.`,
    "",
    ...tableOf(recommendation(request, plan)),
    "",
    "MODELLED ETTR over the computing between saves (░ nine of ten draws, ┴ recommended)",
    ...ettrPlot(plan.curve, plan.recommended.computeS),
    "",
    ...tableOf([
      [
        "FORM",
        "INTERVAL",
        ...(request.plan.stepS === undefined ? [] : ["STEPS"]),
        "ETTR",
        "META'S FORM",
      ],
      ...plan.forms.map(formRow),
    ]),
    ...formNotes(plan),
    "",
    "WHAT WOULD HELP, each with its own best interval (modelled):",
    ...improvements(plan.job).map(({ change, ettr }) => `  ETTR ${ettrText(ettr)} with ${change}`),
    "",
    `FAILURES THAT ARE NOT INDEPENDENT, at the recommended interval (simulated, seed ${seed}):`,
    ...plan.shapes.map(
      (result) =>
        `  ETTR ${shapeEttrText(result)} for a Weibull shape of ${result.shape}${shapeWord(result.shape)}`,
    ),
  ];
}

function recommendation(
  request: PlanCheckpointRequest,
  plan: CheckpointPlan,
): readonly (readonly string[])[] {
  const { recommended } = plan;
  const { ettr, ettrBand, intervalBand, flat, split, periodS } = recommended;
  return [
    ["  job", sizeText(request)],
    ["  fails", failureText(request, plan)],
    ["  saves", savesText(plan)],
    ["  period", `a save begins every ${duration(periodS)}`],
    [
      "  ETTR",
      `${ettrText(ettr)} modelled; ${ettrText(ettrBand.low)} to ${ettrText(ettrBand.high)} in nine of ten draws of what is not known exactly`,
    ],
    ["  goodput", goodputText(request, plan)],
    ["  the rest", lostText(split)],
    [
      "  flat",
      `every interval from ${duration(flat.fromS)} to ${duration(flat.toS)} is within 1 % of the best`,
    ],
    [
      "  sure",
      `the best interval lies between ${duration(intervalBand.low)} and ${duration(intervalBand.high)} in nine of ten draws`,
    ],
    ["  keep", `${keepText(plan)}${spaceText(request, recommended.keep)}`],
    ...warningsOf(plan).map((warning) => ["  beware", warning]),
  ];
}

function savesText({ job: { blockingS, writeS, restartS, detectS } }: CheckpointPlan): string {
  const write =
    blockingS === writeS
      ? `${duration(writeS)} each`
      : `${duration(blockingS)} each, written after ${duration(writeS)}`;
  const detection = detectS === 0 ? "" : ` and detection ${duration(detectS)}`;
  return `${write}; a restart takes ${duration(restartS)}${detection}`;
}

function spaceText({ checkpointGib }: PlanCheckpointRequest, keep: number): string {
  if (checkpointGib === undefined) return "";
  return `; ${formatBytes(Math.round(checkpointGib * keep * 2 ** 30))} of space`;
}

function formRow({ form, computeS, steps, ettr, expected }: IntervalForm): readonly string[] {
  return [
    formNames[form],
    duration(computeS),
    ...(steps === undefined ? [] : [String(steps)]),
    ettrText(ettr),
    `${ettrText(expected.ettr)}${expected.holds ? "" : " (does not hold)"}`,
  ];
}

/** What a reader must know about the table. */
export function formNotes({ forms, job }: CheckpointPlan): readonly string[] {
  const load = Math.max(...forms.map(({ expected }) => expected.load));
  const broken = forms.some(({ expected }) => !expected.holds);
  return [
    "ETTR is modelled by the exact form for failures without memory; queueing is left out.",
    broken
      ? `Meta's form is of first order: failures take ${percent(load)} of its time here, and it holds only up to 15 %.`
      : `Meta's form is of first order; failures take ${percent(load)} of its time here, so it holds.`,
    ...(job.detectS > 0
      ? [
          "The availability form never saves faster than failures are found; with more checkpoints kept, the others need not wait.",
        ]
      : []),
  ];
}

function shapeWord(shape: number): string {
  if (shape === 1) return ", no memory: what the forms assume";
  return shape < 1 ? ", failures cluster" : ", failures keep a distance";
}
