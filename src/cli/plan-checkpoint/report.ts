import type { Fact, Report, ReportItem } from "../../platform/reporters/index.ts";
import type { CheckpointPlan, IntervalForm, ShapeResult } from "../../runtime/planning/index.ts";
import { planPlots } from "./plots.ts";
import type { PlanCheckpointRequest } from "./request.ts";
import { formNotes } from "./show.ts";
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
  shapeEttrText,
  sizeText,
  splitNames,
  warningsOf,
} from "./words.ts";

export interface PlanRun {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly seed: string;
}

/** The plan as a report, for `--html` and `--junit`. It judges nothing. */
export function planReport(
  request: PlanCheckpointRequest,
  plan: CheckpointPlan,
  { startedAtMs, durationMs, seed }: PlanRun,
): Report {
  return {
    title: `Save after every ${intervalText(plan)}`,
    subject: `Checkpoint plan for ${sizeText(request)}, which fails ${failureText(request, plan)}. ETTR ${ettrText(plan.recommended.ettr)}, modelled.`,
    startedAtMs,
    durationMs,
    notes: [
      ...warningsOf(plan).map((warning) => `Beware: ${warning}.`),
      "All figures are modelled, but for those marked simulated; nothing was measured.",
      `Bands hold nine of ten of ${plan.draws} draws of failure rate, write and restart times; seed ${seed}.`,
      ...formNotes(plan),
    ],
    sections: [
      { title: "Recommendation", items: recommendation(request, plan) },
      { title: "Forms", items: plan.forms.map(formItem) },
      {
        title: "What would help",
        items: improvements(plan.job).map(({ change, ettr }) => ({
          ...modelled(change, `ETTR ${ettrText(ettr)} with its own best interval.`),
          facts: [fact("ETTR", ettr, "")],
        })),
      },
      {
        title: "Failures that are not independent",
        items: plan.shapes.map(shapeItem),
      },
    ],
    plots: planPlots(plan),
    judges: false,
  };
}

function recommendation(
  request: PlanCheckpointRequest,
  plan: CheckpointPlan,
): readonly ReportItem[] {
  const { recommended } = plan;
  const { ettr, ettrBand, flat, intervalBand, split, keep, computeS, periodS } = recommended;
  const causes = Object.entries(splitNames) as [keyof typeof splitNames, string][];
  return [
    {
      ...modelled(
        "Interval",
        `Save after every ${intervalText(plan)}; a save begins every ${duration(periodS)}.`,
      ),
      facts: [
        fact("Computing between saves", computeS, "s"),
        fact("Best interval, low", intervalBand.low, "s"),
        fact("Best interval, high", intervalBand.high, "s"),
      ],
    },
    {
      ...modelled(
        "ETTR",
        `${ettrText(ettr)}, between ${ettrText(ettrBand.low)} and ${ettrText(ettrBand.high)} in nine of ten draws.`,
      ),
      facts: [
        fact("ETTR", ettr, ""),
        fact("Low", ettrBand.low, ""),
        fact("High", ettrBand.high, ""),
      ],
    },
    {
      ...modelled("Goodput", `As much as ${goodputText(request, plan)}.`),
      facts: [fact("GPUs that never fail", request.plan.nodes * request.gpusPerNode * ettr, "")],
    },
    {
      ...modelled("The rest", `${lostText(split)}.`),
      facts: causes.map(([cause, name]) => fact(name, 100 * split[cause], "%")),
    },
    {
      ...modelled(
        "Flatness",
        `Every interval from ${duration(flat.fromS)} to ${duration(flat.toS)} is within 1 % of the best.`,
      ),
      facts: [fact("From", flat.fromS, "s"), fact("To", flat.toS, "s")],
    },
    { ...modelled("Keep", `${keepText(plan)}.`), facts: [fact("Checkpoints", keep, "")] },
  ];
}

function formItem({ form, computeS, ettr, expected }: IntervalForm): ReportItem {
  const meta = `Meta's form ${ettrText(expected.ettr)}${expected.holds ? "" : ", which does not hold here"}`;
  return {
    ...modelled(formNames[form], `${duration(computeS)} gives ETTR ${ettrText(ettr)}; ${meta}.`),
    facts: [
      fact("Computing between saves", computeS, "s"),
      fact("ETTR", ettr, ""),
      fact("ETTR by Meta's form", expected.ettr, ""),
    ],
  };
}

function shapeItem(result: ShapeResult): ReportItem {
  return {
    name: `Weibull shape ${result.shape}`,
    status: "pass",
    label: "simulated",
    reason: `ETTR ${shapeEttrText(result)}.`,
    facts: [{ name: "ETTR", value: result.ettr, unit: "", provenance: "simulated" }],
  };
}

function modelled(name: string, reason: string): Omit<ReportItem, "facts"> {
  return { name, status: "pass", label: "modelled", reason };
}

function fact(name: string, value: number, unit: string): Fact {
  return { name, value, unit, provenance: "modelled" };
}
