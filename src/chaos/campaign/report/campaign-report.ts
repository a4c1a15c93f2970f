import type { Plot } from "../../../platform/plots/index.ts";
import type { Fact, Report, ReportItem, ReportSection } from "../../../platform/reporters/index.ts";
import type { ItemStatus } from "../../../platform/words.ts";
import { asClause, counted } from "../../judge/words.ts";
import type { CampaignPart } from "../campaign-part.ts";
import type { CampaignResult, CanaryFinding, SignatureFinding } from "../campaign-result.ts";
import type { Reproducer } from "../reproducers.ts";
import { type SwarmKind, swarmKinds } from "../swarm/index.ts";
import { distributionPlots } from "./distributions.ts";

export interface CampaignReportOptions {
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Of the first run of each way to fail. */
  readonly timelines: readonly Plot[];
  readonly notes: readonly string[];
}

const kindNames: Readonly<Record<SwarmKind, string>> = {
  inside: "inside the claim: must recover",
  outside: "outside the claim: must fail cleanly",
  clean: "nothing broken: must pass",
};

/** A campaign as a report, for text, JUnit and HTML. */
export function campaignReport(
  result: CampaignResult,
  { runs }: CampaignPart,
  { startedAtMs, durationMs, timelines, notes }: CampaignReportOptions,
): Report {
  const { seed, range, version } = result;
  return {
    title: `Campaign ${seed}`,
    subject: result.reason,
    startedAtMs,
    durationMs,
    notes: [
      `runs ${range[0]} to ${range[1] - 1} of seed ${seed}, Tessera ${version}`,
      `${result.simulatedSeconds.toFixed(0)} s of simulated time`,
      ...notes,
    ],
    sections: [
      { title: "Runs", items: swarmKinds.map((kind) => countItem(kind, result)) },
      { title: "Ways to fail", items: result.signatures.map(signatureItem) },
      { title: "Planted bugs", items: result.canaries.map(canaryItem) },
      { title: "The campaign itself", items: [streakItem(result), repeatItem(result)] },
      coverageSection(result),
    ].filter(({ items }) => items.length > 0),
    plots: [...timelines, ...distributionPlots(runs, result)],
  };
}

function countItem(kind: SwarmKind, { counts }: CampaignResult): ReportItem {
  const { pass, fail, inconclusive } = counts[kind];
  const status: ItemStatus =
    pass + fail + inconclusive === 0
      ? "skipped"
      : fail > 0
        ? "fail"
        : pass === 0
          ? "unknown"
          : "pass";
  return {
    name: kindNames[kind],
    status,
    reason: `${pass} as it must, ${fail} not, ${inconclusive} undecided`,
    facts: [
      simulated("pass", pass),
      simulated("fail", fail),
      simulated("inconclusive", inconclusive),
    ],
  };
}

function signatureItem(one: SignatureFinding): ReportItem {
  return {
    name: one.signature,
    status: "fail",
    reason: `${one.count} ${one.count === 1 ? "run" : "runs"}, first run ${one.firstIndex}: ${one.reason}`,
    hint: hintOf(one.reproducer),
    facts: [simulated("count", one.count), ...reproducerFacts(one.reproducer)],
  };
}

function canaryItem({ defect, found, attempts, reason, reproducer }: CanaryFinding): ReportItem {
  if (!found) {
    return {
      name: defect,
      status: "fail",
      reason: `planted, and none of ${attempts} plans found it: the campaign is blind to it`,
      hint: "Look at what the judge sees of such a run before trusting any other result.",
      facts: [],
    };
  }
  const small =
    reproducer === null
      ? ""
      : `; ${counted(reproducer.faults, "fault")} ${reproducer.faults === 1 ? "shows" : "show"} it`;
  return {
    name: defect,
    status: "pass",
    label: "found",
    reason: `found by plan ${attempts}: ${asClause(reason ?? "")}${small}`,
    facts: reproducerFacts(reproducer),
  };
}

function streakItem({ streak }: CampaignResult): ReportItem {
  const rate = (100 * streak.provenRate).toFixed(2);
  return {
    name: "recoveries in a row",
    status: streak.current > 0 ? "pass" : "unknown",
    reason: `${streak.current} up to the last run (${streak.longest} at most): at ${100 * streak.confidence} % confidence at least ${rate} % of such runs recover`,
    facts: [simulated("current", streak.current), simulated("longest", streak.longest)],
  };
}

function repeatItem({ determinism: { checked, differed } }: CampaignResult): ReportItem {
  const status: ItemStatus = differed.length > 0 ? "fail" : checked > 0 ? "pass" : "unknown";
  const reason =
    differed.length > 0
      ? `runs ${differed.join(", ")} came out otherwise the second time`
      : `${checked} runs were made twice and came out the same`;
  return { name: "repeatable", status, reason, facts: [simulated("checked", checked)] };
}

function coverageSection({ coverage }: CampaignResult): ReportSection {
  const seen = Object.entries(coverage.marks).filter(([, count]) => count > 0);
  const items = [
    ...coverage.holes.map(
      (hole): ReportItem => ({
        name: hole,
        status: "warn",
        label: "hole",
        reason: "no run of this campaign shows what happens then",
        facts: [],
      }),
    ),
    ...seen.map(
      ([mark, count]): ReportItem => ({
        name: mark,
        status: "pass",
        label: "seen",
        reason: `in ${count} ${count === 1 ? "run" : "runs"}`,
        facts: [simulated("runs", count)],
      }),
    ),
  ];
  return { title: "Coverage", items, judged: false };
}

function hintOf(reproducer: Reproducer | null): string {
  if (reproducer === null) return "It was not made smaller.";
  const { outcome, faults, ranks, runs, file } = reproducer;
  if (outcome !== "minimised") return "It did not fail the same way again: look for chance.";
  const where = file === "" ? "give --out to save it" : `tessera chaos run ${file}`;
  const size = `${faults} ${faults === 1 ? "fault" : "faults"}, ${ranks ?? "?"} ranks`;
  return `The smallest plan that fails so has ${size} (${runs} runs): ${where}`;
}

function reproducerFacts(reproducer: Reproducer | null): readonly Fact[] {
  if (reproducer === null) return [];
  return [
    simulated("faults of the smallest plan", reproducer.faults),
    simulated("runs to find it", reproducer.runs),
  ];
}

function simulated(name: string, value: number): Fact {
  return { name, value, unit: "", provenance: "simulated" };
}
