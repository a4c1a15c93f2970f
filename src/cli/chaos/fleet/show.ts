import { fleetTimeUses } from "../../../chaos/sim/fleet/index.ts";
import type { FleetStudy } from "../../../chaos/sim/fleet/study/index.ts";
import { tableOf } from "../../text-table.ts";
import {
  assumptionsOf,
  bandText,
  causesOf,
  durationUs,
  jobText,
  meanOf,
  publishedText,
  savesText,
  share,
  useNames,
} from "./words.ts";

const causesShown = 8;

/** The study for people: the answer first, then where it comes from. */
export function showFleet(study: FleetStudy): readonly string[] {
  const { scenario, runs, ettr, goodput, seed } = study;
  const [first] = runs;
  const days = scenario.inputs.days.value;
  const failures = meanOf(study, (run) => run.failures);
  const published = publishedText(study);
  const contaminated = meanOf(study, (run) => run.contaminated);
  return [
    `SIMULATED ETTR ${bandText(ettr)} over ${runs.length === 1 ? "1 run" : `${runs.length} runs`} of ${days} days; nothing was measured.`,
    "",
    ...tableOf([
      ["  job", `${scenario.title}: ${jobText(scenario)}`],
      ["  saves", savesText(scenario)],
      ["  goodput", `${bandText(goodput)}; slow nodes and replicas that are away count against it`],
      ["  failures", `${(failures / days).toFixed(2)} a day`],
      [
        "  recovery",
        `median ${durationUs(first.recovery.medianUs)}, p95 ${durationUs(first.recovery.p95Us)}, longest ${durationUs(first.recovery.maxUs)} (first run)`,
      ],
      ...(published === null ? [] : [["  published", published]]),
      ...(contaminated === 0
        ? []
        : [
            [
              "  beware",
              `${contaminated.toFixed(1)} times a run no checkpoint from before a corruption was left: keep more of them`,
            ],
          ]),
    ]),
    "",
    "WHERE THE TIME WENT (simulated)",
    ...tableOf(
      fleetTimeUses
        .map((use) => [`  ${useNames[use]}`, share(meanOf(study, ({ shares }) => shares[use]))])
        .filter(([, text]) => text !== "0.0 %"),
    ),
    "",
    "CAUSES (simulated failures a run)",
    ...tableOf(
      causesOf(study)
        .slice(0, causesShown)
        .map(([name, count]) => [`  ${name}`, (count / runs.length).toFixed(1)]),
    ),
    "",
    "ASSUMED, because nobody published it",
    ...assumptionsOf(scenario).map((text) => `  ${text}`),
    ...(Object.keys(scenario.changes).length === 0 ? [] : [`  failures: ${scenario.changesNote}`]),
    "",
    `Seed ${seed}; first trace ${first.traceHash}. docs/failure-model.md has the source of every parameter.`,
  ];
}
