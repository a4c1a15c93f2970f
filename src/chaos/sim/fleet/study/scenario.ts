import {
  type FailureModel,
  type FailureModelName,
  failureModels,
  type ModelChanges,
  type Parameter,
  withChanges,
} from "../../../failure-model/index.ts";
import type { FleetJob, FleetPolicy } from "../fleet-job.ts";
import { bestIntervalS } from "./best-interval.ts";

/** A job of somebody's, as far as it is known. Every input says where it comes from. */
export interface FleetScenario {
  readonly name: string;
  readonly title: string;
  readonly model: FailureModelName;
  /** Where this job's failures differ from the model's; with the reason. */
  readonly changes: ModelChanges;
  readonly changesNote: string;
  readonly policy: FleetPolicy;
  readonly inputs: FleetInputs;
  /** What was published about it; null: nothing to compare with. */
  readonly published: Parameter | null;
}

export interface FleetInputs {
  readonly gpus: Parameter;
  readonly days: Parameter;
  readonly spareNodes: Parameter;
  readonly replicas: Parameter;
  readonly stepS: Parameter;
  /** Computing between saves; null: the best one by the exact form. */
  readonly intervalS: Parameter | null;
  readonly blockingS: Parameter;
  readonly writeS: Parameter;
  readonly restartS: Parameter;
  readonly stallS: Parameter;
  readonly crashDetectS: Parameter;
  readonly hangDetectS: Parameter;
}

/** The same scenario with other inputs; a null takes the best interval again. */
export type InputChanges = { readonly [name in keyof FleetInputs]?: number | null };

export function withInputs(scenario: FleetScenario, changes: InputChanges): FleetScenario {
  let isAsPublished = true;
  const changed = (name: string, input: Parameter | null): Parameter | null => {
    const value = changes[name as keyof FleetInputs];
    if (value === undefined || value === (input?.value ?? null)) return input;
    isAsPublished = false;
    if (value === null) return null;
    const note = input === null ? "given" : `changed from ${input.value}`;
    return { value, unit: input?.unit ?? "s", citation: "assumption", note };
  };
  const inputs = Object.fromEntries(
    Object.entries(scenario.inputs).map(([name, input]: [string, Parameter | null]) => [
      name,
      changed(name, input),
    ]),
  ) as unknown as FleetInputs;
  return { ...scenario, inputs, published: isAsPublished ? scenario.published : null };
}

export const devicesPerNode = 8;
const secondUs = 1e6;
const dayUs = 86_400 * secondUs;
/** Beside those that a corruption may have reached: one to go back to, and one more. */
const checkpointsBeside = 2;

export interface AssembledScenario {
  readonly model: FailureModel;
  readonly job: FleetJob;
  readonly horizonUs: number;
}

/** What the simulator takes. */
export function assemble(scenario: FleetScenario): AssembledScenario {
  const { inputs, policy } = scenario;
  const model = withChanges(failureModels[scenario.model], scenario.changes);
  const us = ({ value }: Parameter): number => Math.round(value * secondUs);
  const nodes = Math.ceil(inputs.gpus.value / devicesPerNode);
  const intervalS = inputs.intervalS?.value ?? bestIntervalS(model, nodes, inputs);
  const everySteps = Math.max(1, Math.round(intervalS / inputs.stepS.value));
  const noticedS = 60 * model.sdc.noticedAfterMinutes.value;
  const keep = checkpointsBeside + Math.ceil(noticedS / (everySteps * inputs.stepS.value));
  return {
    model,
    horizonUs: Math.round(inputs.days.value * dayUs),
    job: {
      nodes,
      spareNodes: inputs.spareNodes.value,
      devicesPerNode,
      replicas: inputs.replicas.value,
      policy,
      stepUs: us(inputs.stepS),
      checkpoint: {
        everySteps,
        keep,
        blockingUs: us(inputs.blockingS),
        writeUs: us(inputs.writeS),
      },
      detectUs: { crash: us(inputs.crashDetectS), hang: us(inputs.hangDetectS) },
      restartUs: us(inputs.restartS),
      stallUs: us(inputs.stallS),
      steps: null,
    },
  };
}
