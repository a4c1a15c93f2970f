import type { Clock } from "../../../platform/time/index.ts";
import { caseTable, type PlannedCase } from "./cases/index.ts";
import type { CaseReport, DeviceReport, DeviceTask, Progress } from "./device-report.ts";
import type { DlEngine, EngineTensor } from "./engine/engine.ts";
import type { DeviceGroup } from "./group/device-group.ts";
import type { Problem } from "./verify/style.ts";

/** Of one case: a broken device has as many as one likes. */
const problemsMax = 3;
/** Repetitions of the soak; each has its digests in the report. */
const roundsMax = 5_000;

export interface CaseRunOptions {
  readonly task: DeviceTask;
  readonly group: DeviceGroup;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** Runs the cases of a task on one device, one after the other. */
export async function runCases<T extends EngineTensor>(
  engine: DlEngine<T>,
  options: CaseRunOptions,
): Promise<DeviceReport> {
  const { task, clock, report } = options;
  const { device, softwareKey, versions } = engine;
  report({ kind: "device", device });
  const notCovered: Record<string, string> = {};
  const cases: CaseReport[] = [];
  for (const planned of plannedCases(task)) {
    const reason = planned.unsupported(engine, options.group.worldSize);
    if (reason === undefined) cases.push(await runCase(engine, planned, { ...options, round: 0 }));
    else notCovered[planned.name] = reason;
  }
  const untilMs = clock.monotonicMs() + task.repeatMs;
  const repeated = plannedCases({ ...task, cases: task.repeated, profile: "quick" });
  for (let round = 1; repeated.length > 0 && round <= roundsMax; round++) {
    if (clock.monotonicMs() >= untilMs) break;
    for (const planned of repeated) {
      cases.push(await runCase(engine, planned, { ...options, round }));
    }
  }
  return { device, softwareKey, versions, cases, notCovered };
}

/** The cases of a task with their sizes, in the order of the table. */
export function plannedCases(
  task: Pick<DeviceTask, "cases" | "engine" | "profile" | "scale" | "iterations">,
): readonly PlannedCase[] {
  const { engine, profile, scale, iterations } = task;
  return caseTable
    .filter(({ name }) => task.cases.includes(name))
    .map((row) => row.plan({ engine, profile, scale, iterations }));
}

async function runCase<T extends EngineTensor>(
  engine: DlEngine<T>,
  planned: PlannedCase,
  options: CaseRunOptions & { readonly round: number },
): Promise<CaseReport> {
  const { task, group, clock, signal, report, round } = options;
  const { name, styles } = planned;
  const { corrupt } = task;
  const isCorrupted = corrupt?.gpu === engine.device.index && corrupt.case === name && round === 0;
  // Other data in every round of a soak: some errors show with some patterns only.
  const seed = round === 0 ? task.seed : `${task.seed}/${round}`;
  const key = round === 0 ? planned.key : `${planned.key} #${round}`;
  report({ kind: "begin", key, round });
  const startedMs = clock.monotonicMs();
  const corruption = isCorrupted ? corrupt : undefined;
  const outcome = await planned.run({ engine, group, seed, corruption, signal });
  const wallMs = Math.round(clock.monotonicMs() - startedMs);
  const problems = outcome.problems.slice(0, problemsMax);
  for (const problem of problems) report({ kind: "problem", text: sentence(engine, key, problem) });
  report({ kind: "end", key, round, wallMs });
  const { digests, figures, facts } = outcome;
  return {
    name,
    key,
    round,
    styles: [...styles],
    problems: [...problems],
    digests,
    figures: Object.fromEntries(
      Object.entries(figures).map(([figure, { samples, unit, higherIsBetter }]) => [
        figure,
        { samples: [...samples], unit, higherIsBetter },
      ]),
    ),
    ...(facts === undefined ? {} : { facts }),
    wallMs,
  };
}

/** A problem with its device and case. */
function sentence<T extends EngineTensor>(
  { device }: DlEngine<T>,
  key: string,
  { text }: Problem,
): string {
  return `${describeDevice(device)}: ${key}: ${text}`;
}

/** `gpu 3 (GPU-1f2e…)`: the number for people, the board for whoever replaces it. */
export function describeDevice({ name, uuid }: DeviceReport["device"]): string {
  return uuid === undefined ? name : `${name} (${uuid})`;
}
