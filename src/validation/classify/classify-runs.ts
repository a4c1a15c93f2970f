import { atOnce, type Steps } from "../../platform/concurrency/index.ts";
import type { Alarm } from "./alarm.ts";
import { isBad } from "./alarm.ts";
import { type CohortGroup, groupBy, groupByCohort } from "./cohorts.ts";
import { type Confirmation, confirmRuns } from "./confirm.ts";
import { FigureNames } from "./figure-names.ts";
import { findIncidents, type Incident } from "./incidents.ts";
import { type FloorResult, judgeFloors } from "./judge-floors.ts";
import { type GroupResult, judgeGroup } from "./judge-group.ts";
import { type ClassifyOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { type PreparedRun, prepareFigures } from "./prepare.ts";
import { ownProblem } from "./run-gate.ts";
import type { CheckRun, ClassifiedRun } from "./types.ts";
import { type ComparableRun, type Conventions, gateByUsual } from "./usual-gate.ts";
import { verdictOfCase, verdictOfProblem } from "./verdict.ts";

/** So many runs are prepared in one step. */
const preparedAtOnce = 250;

/**
 * Classifies runs by comparing them with each other: all that is known is in the list. The order of
 * the list means nothing; a node's history goes by time.
 *
 * @returns one verdict for each run, in the same order.
 */
export function classifyRuns(
  runs: readonly CheckRun[],
  options: ClassifyOptions = {},
): readonly ClassifiedRun[] {
  return atOnce(classifySteps(runs, options));
}

/** The same in steps, for those who have something else to do meanwhile. */
export function* classifySteps(
  runs: readonly CheckRun[],
  options: ClassifyOptions = {},
): Steps<readonly ClassifiedRun[]> {
  const resolved = resolveOptions(options);
  const verdicts: (ClassifiedRun | undefined)[] = runs.map(selfEvident);
  const sound = runs.flatMap((run, index) =>
    verdicts[index] === undefined ? [{ run, index }] : [],
  );
  const { results, conventions } = gateByUsual(sound.map(({ run }) => run));
  yield;
  const prepared: PreparedRun[] = [];
  const prepareRun = runPreparer();
  const gates = new Map<number, ComparableRun>();
  for (const [at, { run, index }] of sound.entries()) {
    const gate = results[at];
    if (gate === undefined) continue;
    if (gate.problem === undefined) prepared.push(prepareRun(run, index, gate.factors));
    else verdicts[index] = verdictOfProblem(gate.problem, `${run.sku} ${run.check}`);
    gates.set(index, gate);
    if (at % preparedAtOnce === preparedAtOnce - 1) yield;
  }
  yield;
  const evidence = yield* gatherEvidence(prepared, conventions, resolved);
  yield;
  const confirmations = confirmAll(prepared, evidence);
  for (const { index, run } of prepared) {
    const gate = gates.get(index);
    verdicts[index] = verdictOfCase({
      alarms: evidence.alarms.get(index) ?? [],
      floor: evidence.floors.get(index) ?? { applies: false, verdict: "pass" },
      confirmation: confirmations.get(index) ?? "well",
      incident: evidence.incidents.get(index),
      judged: evidence.judged.has(index),
      unitGuessed: gate?.unitGuessed ?? false,
      doubtful: gate?.doubtful,
      cohort: evidence.labels.get(index) ?? `${run.sku} ${run.check}`,
    });
  }
  return verdicts.map((verdict) => verdict ?? missing());
}

function missing(): never {
  throw new Error("every run has a verdict");
}

/** The verdict of a run that needs no comparison: a hard fact, or a run that says nothing. */
function selfEvident(run: CheckRun): ClassifiedRun | undefined {
  const cohort = `${run.sku} ${run.check}`;
  const facts = run.hardFacts ?? [];
  if (facts.length > 0) {
    const finding = { metric: "*", rule: "hard-fact", value: null, bound: null, cohort } as const;
    return { verdict: "fail", reason: `${facts.join("; ")}.`, findings: [finding] };
  }
  const problem = ownProblem(run);
  return problem === undefined ? undefined : verdictOfProblem(problem, cohort);
}

/** Prepares runs one after the other, and numbers their nodes. */
function runPreparer(): (
  run: CheckRun,
  index: number,
  factors: ReadonlyMap<string, number>,
) => PreparedRun {
  const names = new FigureNames();
  const nodeIds = new Map<string, number>();
  return (run, index, factors) => {
    const nodeId = nodeIds.get(run.node) ?? nodeIds.size;
    nodeIds.set(run.node, nodeId);
    return { index, run, nodeId, figures: prepareFigures(run, names, factors) };
  };
}

interface Evidence {
  readonly alarms: ReadonlyMap<number, readonly Alarm[]>;
  readonly floors: ReadonlyMap<number, FloorResult>;
  readonly incidents: ReadonlyMap<number, Incident>;
  readonly judged: ReadonlySet<number>;
  readonly labels: ReadonlyMap<number, string>;
}

/** Alarms of all groups; where there are incidents, once more without the runs they spoiled. */
function* gatherEvidence(
  prepared: readonly PreparedRun[],
  conventions: Conventions,
  options: ResolvedOptions,
): Steps<Evidence> {
  const floors = new Map(
    prepared.map((one) => [one.index, judgeFloors(one, options.floors, conventions.unitOf)]),
  );
  yield;
  const { groups } = groupByCohort(prepared);
  yield;
  const first = yield* judgeAll(groups, conventions, options);
  const badIndex = (index: number) =>
    floors.get(index)?.verdict === "fail" || (first.alarms.get(index) ?? []).some(isBad);
  const incidents = findIncidents(prepared, badIndex);
  const labels = new Map(
    groups.flatMap(({ label, members }) => members.map(({ index }) => [index, label] as const)),
  );
  if (incidents.size === 0) return { ...first, floors, incidents, labels };
  const spared = groups.map((group): CohortGroup => {
    const reference = group.reference.filter(({ index }) => !incidents.has(index));
    const members = group.members.filter(({ index }) => !incidents.has(index));
    return { label: group.label, reference, members };
  });
  const second = yield* judgeAll(spared, conventions, options);
  const alarms = new Map(second.alarms);
  const judged = new Set([...first.judged, ...second.judged]);
  for (const index of incidents.keys()) alarms.set(index, first.alarms.get(index) ?? []);
  return { alarms, judged, floors, incidents, labels };
}

function* judgeAll(
  groups: readonly CohortGroup[],
  conventions: Conventions,
  options: ResolvedOptions,
): Steps<{
  readonly alarms: ReadonlyMap<number, readonly Alarm[]>;
  readonly judged: ReadonlySet<number>;
}> {
  const alarms = new Map<number, Alarm[]>();
  const judged = new Set<number>();
  for (const group of groups) {
    const result: GroupResult = yield* judgeGroup(group, conventions, options);
    for (const index of result.judged) judged.add(index);
    for (const alarm of result.alarms) {
      const own = alarms.get(alarm.run);
      if (own === undefined) alarms.set(alarm.run, [alarm]);
      else own.push(alarm);
    }
  }
  return { alarms, judged };
}

function confirmAll(
  prepared: readonly PreparedRun[],
  { alarms, floors, incidents }: Evidence,
): ReadonlyMap<number, Confirmation> {
  const confirmations = new Map<number, Confirmation>();
  const histories = groupBy(prepared, ({ run }) => JSON.stringify([run.node, run.check]));
  for (const history of histories.values()) {
    const sorted = history.toSorted(
      (a, b) => a.run.timestampMs - b.run.timestampMs || a.index - b.index,
    );
    const settled = confirmRuns(
      sorted.map(({ index, run }) => {
        const own = (alarms.get(index) ?? []).filter(isBad);
        const ofNode = own.filter(({ kind }) => kind === "level" || kind === "history");
        return {
          timeMs: run.timestampMs,
          ownBad: own.length > ofNode.length || floors.get(index)?.verdict === "fail",
          nodeExcess: Math.max(0, ...ofNode.map(({ excess }) => excess + 1e-9)),
          inIncident: incidents.has(index),
        };
      }),
    );
    for (const [at, { index }] of sorted.entries()) {
      confirmations.set(index, settled[at] ?? "well");
    }
  }
  return confirmations;
}
