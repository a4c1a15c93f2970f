import type { JsonObject } from "../../../platform/store/index.ts";
import type { RunFigure } from "../../run.ts";
import { busbwFigure } from "./cases/collectives.ts";
import type { CaseReport, DeviceReport } from "./device-report.ts";
import { describeDevice } from "./run-cases.ts";
import { describeVote, vote } from "./vote.ts";

/** What all devices of a node say together. */
export interface Combined {
  readonly figures: Readonly<Record<string, RunFigure>>;
  /** What only shows when devices are compared; their own problems they have told themselves. */
  readonly hardFacts: readonly string[];
  readonly facts: JsonObject;
}

/** Figures of which only the slowest device counts, since a step ends with it. */
const slowestOnly: ReadonlySet<string> = new Set([
  "step_ms",
  "overlap_ms",
  busbwFigure,
  `tcp_${busbwFigure}`,
]);
const samplesMax = 200;

/**
 * Puts the reports of devices together: votes on every output, figures by device, and what is known
 * about software and answers.
 */
export function combineReports(
  reports: readonly DeviceReport[],
  goldens: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Combined {
  const answers = answersOf(reports);
  const hardFacts = [
    ...votesOn(answers, reports),
    ...reports.flatMap((report) => againstGoldens(report, goldens[report.softwareKey] ?? {})),
  ];
  const [first] = reports;
  const keys = [...new Set(reports.map(({ softwareKey }) => softwareKey))];
  return {
    figures: figuresOf(reports),
    hardFacts,
    facts: {
      softwareKey: keys.length === 1 ? (keys[0] ?? "") : keys,
      versions: { ...first?.versions },
      devices: reports.map(({ device }) => ({ ...device })),
      // Those of the first round: later ones are compared among devices, and never seen again.
      digests: Object.fromEntries(
        [...answers]
          .filter(([key]) => !key.includes(" #"))
          .map(([key, byDevice]) => [key, sameForAll(byDevice) ?? Object.fromEntries(byDevice)]),
      ),
      goldens: keys.some((key) => [...answers.keys()].some((name) => goldens[key]?.[name]))
        ? "known"
        : "learning",
      cases: casesOf(reports),
      rounds: Math.min(...reports.map(({ cases }) => Math.max(0, ...cases.map((c) => c.round)))),
      notCovered: { ...first?.notCovered },
    },
  };
}

/** By case and output, what each device has. */
function answersOf(
  reports: readonly DeviceReport[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const answers = new Map<string, Map<string, string>>();
  for (const { device, cases } of reports) {
    for (const { key, digests } of cases) {
      for (const [output, digest] of Object.entries(digests)) {
        const name = `${key} ${output}`;
        const known = answers.get(name) ?? new Map<string, string>();
        known.set(device.name, digest);
        answers.set(name, known);
      }
    }
  }
  return answers;
}

/** Devices with other software may well have other bits; they are not put to the vote together. */
function votesOn(
  answers: ReadonlyMap<string, ReadonlyMap<string, string>>,
  reports: readonly DeviceReport[],
): readonly string[] {
  const keyOf = new Map(reports.map(({ device, softwareKey }) => [device.name, softwareKey]));
  const named = new Map(reports.map(({ device }) => [device.name, describeDevice(device)]));
  const facts: string[] = [];
  for (const [answer, byDevice] of answers) {
    const wrong = new Set(
      reports
        .filter(({ cases }) =>
          cases.some(({ key, problems }) => problems.length > 0 && answer.startsWith(`${key} `)),
        )
        .map(({ device }) => describeDevice(device)),
    );
    for (const key of new Set(keyOf.values())) {
      const alike = [...byDevice].filter(([device]) => keyOf.get(device) === key);
      const shown = new Map(alike.map(([device, digest]) => [named.get(device) ?? device, digest]));
      const found = describeVote(vote(shown), wrong);
      if (found !== undefined) facts.push(`${answer}: ${found}`);
    }
  }
  return facts;
}

function againstGoldens(
  { device, cases }: DeviceReport,
  goldens: Readonly<Record<string, string>>,
): readonly string[] {
  return cases.flatMap(({ key, digests }) =>
    Object.entries(digests).flatMap(([output, digest]) => {
      const golden = goldens[`${key} ${output}`];
      if (golden === undefined || golden === digest) return [];
      return [
        `${describeDevice(device)}: ${key} ${output}: the digest is ${digest}, and the golden one ${golden}`,
      ];
    }),
  );
}

function figuresOf(reports: readonly DeviceReport[]): Readonly<Record<string, RunFigure>> {
  const figures: Record<string, RunFigure> = {};
  const isGpu = reports.some(({ device }) => device.uuid !== undefined);
  const byName = new Map<string, { index: number; figure: CaseReport["figures"][string] }[]>();
  for (const { device, cases } of reports) {
    for (const [name, figure] of Object.entries(joinedFigures(cases))) {
      const known = byName.get(name) ?? [];
      known.push({ index: device.index, figure });
      byName.set(name, known);
    }
  }
  for (const [name, all] of byName) {
    if (slowestOnly.has(name)) figures[name] = slowest(all.map(({ figure }) => figure));
    else if (isGpu) for (const { index, figure } of all) figures[`${name}.gpu${index}`] = figure;
    else figures[name] = joined(all.map(({ figure }) => figure));
  }
  return figures;
}

/** The figures of a device, those of several rounds as one. */
function joinedFigures(
  cases: readonly CaseReport[],
): Record<string, CaseReport["figures"][string]> {
  const figures: Record<string, CaseReport["figures"][string]> = {};
  for (const { figures: own } of cases) {
    for (const [name, figure] of Object.entries(own)) {
      const known = figures[name];
      figures[name] = known === undefined ? figure : joined([known, figure]);
    }
  }
  return figures;
}

function joined(all: readonly CaseReport["figures"][string][]): CaseReport["figures"][string] {
  const [{ unit, higherIsBetter } = { unit: "", higherIsBetter: true }] = all;
  const samples = all.flatMap((figure) => figure.samples);
  return { samples: thinned(samples), unit, higherIsBetter };
}

/** Step by step the worst of all devices. */
function slowest(all: readonly CaseReport["figures"][string][]): RunFigure {
  const [{ unit, higherIsBetter } = { unit: "", higherIsBetter: false }] = all;
  const length = Math.min(...all.map(({ samples }) => samples.length));
  const worst = higherIsBetter ? Math.min : Math.max;
  const samples = Array.from({ length }, (_, at) =>
    worst(...all.map((one) => one.samples[at] ?? 0)),
  );
  return { samples: thinned(samples), unit, higherIsBetter };
}

/** At most so many samples, evenly taken: a result has room for a limited number. */
function thinned(samples: readonly number[]): number[] {
  if (samples.length <= samplesMax) return [...samples];
  const step = samples.length / samplesMax;
  return Array.from({ length: samplesMax }, (_, at) => samples[Math.floor(at * step)] ?? 0);
}

/** By case: how long it took on each device, and what explains it there. */
function casesOf(reports: readonly DeviceReport[]): JsonObject {
  const keys = new Set(
    reports.flatMap(({ cases }) => cases.filter(({ round }) => round === 0).map(({ key }) => key)),
  );
  return Object.fromEntries(
    [...keys].map((key) => {
      const own = reports.map(({ cases }) => cases.find((one) => one.key === key));
      const facts = own.map((one) => one?.facts).filter((one) => one !== undefined);
      const styles = own.find((one) => one !== undefined)?.styles ?? [];
      const wallMs = own.map((one) => one?.wallMs ?? null);
      return [key, { styles, wallMs, ...(facts.length === 0 ? {} : { devices: facts }) }];
    }),
  );
}

/** What every device has; undefined when they differ. */
function sameForAll(byDevice: ReadonlyMap<string, string>): string | undefined {
  const [digest, ...others] = new Set(byDevice.values());
  return others.length === 0 ? digest : undefined;
}
