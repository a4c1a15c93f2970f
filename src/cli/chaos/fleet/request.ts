import {
  changesProblem,
  failureModels,
  type ModelChanges,
} from "../../../chaos/failure-model/index.ts";
import {
  type FleetPolicy,
  fleetJobProblem,
  fleetPolicies,
} from "../../../chaos/sim/fleet/index.ts";
import {
  assemble,
  devicesPerNode,
  type FleetInputs,
  type FleetScenario,
  type PublishedJobName,
  publishedJobs,
  withInputs,
} from "../../../chaos/sim/fleet/study/index.ts";
import type { TesseraError } from "../../../platform/errors/index.ts";
import type { Invocation } from "../../invocation.ts";
import { usageError } from "../../usage-error.ts";

/** What `tessera chaos fleet` asks for, checked. */
export interface FleetRequest {
  readonly scenario: FleetScenario;
  readonly runs: number;
}

type Options = Invocation["options"];
type GivenInputs = { -readonly [name in keyof FleetInputs]?: number };

const runsDefault = 8;
const runsMax = 1000;
const daysMax = 3660;
/** Steps of a run are counted by arithmetic, but each save takes a moment. */
const savesMax = 10_000_000;

/** Options that are inputs of a scenario. */
const inputOptions: readonly (keyof FleetInputs)[] = [
  "gpus",
  "days",
  "spareNodes",
  "replicas",
  "stepS",
  "intervalS",
  "blockingS",
  "writeS",
  "restartS",
  "stallS",
];

/** Reads the options. @throws E_USAGE */
export function readFleetRequest(options: Options): FleetRequest {
  const preset: FleetScenario = publishedJobs[presetIn(options)];
  const inputs: GivenInputs = {};
  for (const name of inputOptions) {
    const value = numberIn(options, name);
    if (value !== undefined) inputs[name] = value;
  }
  fillIn(preset, inputs);
  const changed = withInputs(preset, inputs);
  const policy = policyIn(options) ?? preset.policy;
  const changes = changesIn(options, preset);
  const isAsPublished = policy === preset.policy && Object.keys(changes).length === 0;
  const scenario: FleetScenario = {
    ...changed,
    policy,
    changes: { ...preset.changes, ...changes },
    changesNote: noteOf(preset, changes),
    published: isAsPublished ? changed.published : null,
  };
  const problem = scenarioProblem(scenario);
  if (problem !== undefined) throw usage(problem);
  const runs = numberIn(options, "runs") ?? runsDefault;
  if (!Number.isInteger(runs) || runs < 1 || runs > runsMax) {
    throw usage(`\`--runs ${runs}\` is no whole number from 1 to ${runsMax}`);
  }
  return { scenario, runs };
}

function noteOf({ changes, changesNote }: FleetScenario, given: ModelChanges): string {
  const texts = Object.entries(given).map(([name, value]) => `${name} = ${value} (given)`);
  const isChanged = Object.keys(changes).length > 0;
  return [...(isChanged || texts.length === 0 ? [changesNote] : []), ...texts].join("; ");
}

/** What follows from an option that was given, when the other was not. */
function fillIn(preset: FleetScenario, inputs: GivenInputs): void {
  if (inputs.gpus !== undefined && inputs.replicas === undefined) {
    const nodes = Math.ceil(inputs.gpus / devicesPerNode);
    inputs.replicas = divisorUpTo(nodes, preset.inputs.replicas.value);
  }
  if (inputs.blockingS !== undefined && inputs.writeS === undefined) {
    inputs.writeS = Math.max(inputs.blockingS, preset.inputs.writeS.value);
  }
}

function scenarioProblem({ inputs, ...scenario }: FleetScenario): string | undefined {
  const { gpus, days, stepS, blockingS } = inputs;
  if (!(gpus.value >= 1)) return "A job has a GPU";
  if (!(days.value > 0 && days.value <= daysMax)) return `Give from 1 to ${daysMax} days`;
  if (!(stepS.value > 0)) return "A step takes more than no time";
  if (!(blockingS.value > 0)) return "A save stops the job for a moment at least";
  if (inputs.intervalS?.value === 0) return "A job computes between saves";
  const { job, horizonUs } = assemble({ ...scenario, inputs });
  if (horizonUs / (job.checkpoint.everySteps * job.stepUs) > savesMax) {
    return `More than ${savesMax} saves in one run: save less often, or simulate fewer days`;
  }
  return fleetJobProblem(job);
}

function divisorUpTo(nodes: number, most: number): number {
  for (let replicas = Math.min(most, nodes); replicas > 1; replicas--) {
    if (nodes % replicas === 0) return replicas;
  }
  return 1;
}

function presetIn(options: Options): PublishedJobName {
  const { preset = "llama3" } = options;
  if (typeof preset === "string" && Object.hasOwn(publishedJobs, preset)) {
    return preset as PublishedJobName;
  }
  throw usage(`There is no preset ${String(preset)}`);
}

function policyIn({ policy }: Options): FleetPolicy | undefined {
  return fleetPolicies.find((name) => name === policy);
}

/** `--set lemons.share=0.02,hardware.shape=0.75` */
function changesIn({ set }: Options, preset: FleetScenario): ModelChanges {
  const given = typeof set === "string" ? set.split(",") : [];
  const changes = Object.fromEntries(
    given.map((text): [string, number] => {
      const match = /^(?<name>[\w.]+)=(?<value>\d{1,12}(\.\d{1,12})?)$/.exec(text)?.groups;
      if (match === undefined) throw usage(`\`--set ${text}\` is not such as lemons.share=0.02`);
      return [match["name"] ?? "", Number(match["value"])];
    }),
  );
  const problem = changesProblem(failureModels[preset.model], changes);
  if (problem !== undefined) throw usage(problem);
  return changes;
}

function numberIn(options: Options, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : "";
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  throw usage(`\`${flagOf(name)} ${text}\` is not a number such as 90 or 1.5`);
}

/** `restartS` as it is typed: `--restart-s`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function usage(problem: string): TesseraError {
  return usageError("chaos fleet", `${problem}.`);
}
