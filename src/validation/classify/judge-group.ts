import assert from "node:assert/strict";
import type { Steps } from "../../platform/concurrency/index.ts";
import type { Alarm } from "./alarm.ts";
import { overAllGpus } from "./all-gpus.ts";
import { type CohortGroup, cohortNodesMin } from "./cohorts.ts";
import { figureGroups } from "./figure-group.ts";
import { centreReferences, judgeCentre } from "./judge-centre.ts";
import type { AlarmRates } from "./judge-series.ts";
import { judgeSiblings } from "./judge-siblings.ts";
import { judgeTails } from "./judge-tails.ts";
import { judgeTogether } from "./judge-together.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Conventions } from "./usual-gate.ts";

/** A loss below this share is not worth an alarm, however steady the figure. */
const leastLoss = 0.0025;

/** What the statistics of a group of runs say, and which of its runs they could judge. */
export interface GroupResult {
  readonly alarms: readonly Alarm[];
  /** Runs, by their place in the list, of which at least one figure was compared. */
  readonly judged: ReadonlySet<number>;
}

/**
 * Judges all figures of a group, one step a figure. The allowed rate of false alarms is shared among
 * all statistics.
 */
export function* judgeGroup(
  group: CohortGroup,
  conventions: Conventions,
  { alarmRates }: ResolvedOptions,
): Steps<GroupResult> {
  const figures = figureGroups(group, { nodesMin: cohortNodesMin, unitOf: conventions.unitOf });
  const members = new Set(group.members.map(({ index }) => index));
  const judged = new Set<number>();
  const alarms: Alarm[] = [];
  // One by one: a list of a large file is longer than a call may have arguments.
  const add = (found: readonly Alarm[]) => {
    for (const alarm of found) if (members.has(alarm.run)) alarms.push(alarm);
  };
  const share = (rate: number, tests: number, leastEffect = 0): AlarmRates => {
    const each = rate / tests;
    return { run: each, node: each / 2, history: each / 2, leastEffect };
  };
  const count = figures.length;
  const known = yield* centreReferences(figures);
  for (const [at, figure] of figures.entries()) {
    const usual = known[at];
    assert(usual !== undefined, "every figure has a reference");
    add(judgeCentre(figure, usual, share(alarmRates.centre, count, leastLoss)));
    const gpus = figure.runs.reduce((most, run) => Math.max(most, run.figures.length), 1);
    if (gpus === 1) add(judgeTails(figure, share(alarmRates.tail, count)));
    else {
      add(judgeTails(figure, share(alarmRates.tail, 2 * count * gpus)));
      add(judgeTails(overAllGpus(figure), share(alarmRates.tail, 2 * count)));
      add(judgeSiblings(figure, share(alarmRates.siblings, count * gpus, leastLoss)));
    }
    for (const { prepared } of figure.runs) judged.add(prepared.index);
    yield;
  }
  add(judgeTogether(figures, known, share(alarmRates.together, 1)));
  return { alarms, judged };
}
