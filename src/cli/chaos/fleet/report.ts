import { citations, parametersOf } from "../../../chaos/failure-model/index.ts";
import { fleetTimeUses } from "../../../chaos/sim/fleet/index.ts";
import { assemble, type FleetStudy } from "../../../chaos/sim/fleet/study/index.ts";
import type { Fact, Report, ReportItem } from "../../../platform/reporters/index.ts";
import { fleetPlots } from "./plots.ts";
import {
  assumptionsOf,
  bandText,
  durationUs,
  jobText,
  meanOf,
  publishedText,
  savesText,
  useNames,
} from "./words.ts";

/** The study as a report, for `--html` and `--junit`. It judges nothing. */
export function fleetReport(
  study: FleetStudy,
  times: { readonly startedAtMs: number; readonly durationMs: number },
): Report {
  const { scenario, runs, ettr, seed } = study;
  const published = publishedText(study);
  return {
    title: `Effective training time ${ettr.mean.toFixed(3)}, simulated`,
    subject: `${scenario.title}: ${jobText(scenario)}, ${scenario.inputs.days.value} days. Saves ${savesText(scenario)}.`,
    ...times,
    notes: [
      "Everything is simulated; nothing was measured. Recoveries of the first run.",
      `${runs.length} runs, seeds ${seed}/1 to ${seed}/${runs.length}; bands hold nine of ten runs.`,
      ...(published === null ? [] : [`Published: ${published}.`]),
      ...assumptionsOf(scenario).map((text) => `Assumed: ${text}.`),
    ],
    sections: [
      { title: "Result", items: resultItems(study) },
      { title: "Failure model", items: modelItems(study), judged: false },
    ],
    plots: fleetPlots(study),
    judges: false,
  };
}

function resultItems(study: FleetStudy): readonly ReportItem[] {
  const { ettr, goodput, runs } = study;
  const { recovery } = runs[0];
  return [
    item("ETTR", `${bandText(ettr)}, queueing left out.`, [fact("ETTR", ettr.mean, "")]),
    item("Goodput", `${bandText(goodput)}.`, [fact("Goodput", goodput.mean, "")]),
    item(
      "Time",
      "Where it went, mean of the runs.",
      fleetTimeUses.map((use) =>
        fact(useNames[use], 100 * meanOf(study, ({ shares }) => shares[use]), "%"),
      ),
    ),
    item(
      "Recovery",
      `Median ${durationUs(recovery.medianUs)}, p95 ${durationUs(recovery.p95Us)}; ${recovery.open} failures were not recovered from at the end.`,
      [
        fact(
          "Failures a run",
          meanOf(study, ({ failures }) => failures),
          "",
        ),
      ],
    ),
  ];
}

function modelItems({ scenario }: FleetStudy): readonly ReportItem[] {
  return parametersOf(assemble(scenario).model).map(({ name, value, unit, citation, note }) =>
    item(name, `${note} [${citations[citation].title}]`, [
      fact(unit === "" ? name : unit, value, ""),
    ]),
  );
}

function item(name: string, reason: string, facts: readonly Fact[]): ReportItem {
  return { name, status: "pass", label: "simulated", reason, facts };
}

function fact(name: string, value: number, unit: string): Fact {
  return { name, value, unit, provenance: "simulated" };
}
