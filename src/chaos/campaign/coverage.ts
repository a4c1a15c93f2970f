import { trainingMarks } from "../sim/job/index.ts";
import type { CampaignRun } from "./campaign-part.ts";
import { faultClasses } from "./swarm/index.ts";

/** What a campaign has seen, and what it should have seen and has not. */
export interface Coverage {
  /** Runs in which each mark was seen, by name. */
  readonly marks: Readonly<Record<string, number>>;
  /** Runs with an effect of each fault, and those in which it had none. */
  readonly faults: Readonly<Record<string, FaultCoverage>>;
  /** Runs with each way out of a fault. */
  readonly paths: Readonly<Record<string, number>>;
  /** Each in a sentence. */
  readonly holes: readonly string[];
}

export interface FaultCoverage {
  readonly withEffect: number;
  readonly without: number;
}

export function coverageOf(runs: readonly CampaignRun[]): Coverage {
  const marks = count(
    trainingMarks,
    runs.flatMap((run) => run.marks),
  );
  const paths = count(
    [],
    runs.flatMap((run) => run.paths),
  );
  const names = faultClasses.map(({ fault }) => fault);
  const all = runs.flatMap((run) => run.faults);
  const effects = count(
    names,
    all.filter(({ hadEffect }) => hadEffect).map(({ fault }) => fault),
  );
  const without = count(
    names,
    all.filter(({ hadEffect }) => !hadEffect).map(({ fault }) => fault),
  );
  const faults = Object.fromEntries(
    Object.keys({ ...effects, ...without })
      .toSorted()
      .map((fault) => [fault, { withEffect: effects[fault] ?? 0, without: without[fault] ?? 0 }]),
  );
  const holes = [
    ...holesOf(marks).map((mark) => `never seen: ${mark}`),
    ...Object.entries(faults)
      .filter(([, { withEffect }]) => withEffect === 0)
      .map(([fault]) => `${fault} never had an effect`),
  ];
  return { marks, faults, paths, holes };
}

function holesOf(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts)
    .filter(([, seen]) => seen === 0)
    .map(([name]) => name);
}

/** Sorted by name, with a 0 for what was expected and did not come. */
function count(
  expected: readonly string[],
  seen: readonly string[],
): Readonly<Record<string, number>> {
  const counts = new Map<string, number>(expected.map((name) => [name, 0]));
  for (const name of seen) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
