import assert from "node:assert/strict";
import type { RngStream } from "../../../platform/rng/index.ts";
import { log } from "../../../runtime/tensor/math/index.ts";
import type { Trigger, Workload } from "../../plan/index.ts";
import type { FaultGiven, TriggerGiven } from "../schema/index.ts";
import { ranksOf } from "./layout.ts";

export interface TriggerContext {
  readonly workload: Workload;
  /** The run is over by then. */
  readonly limitUs: number;
  /** Of this one fault. */
  readonly chance: RngStream;
}

/** Why a trigger cannot be, in a few words. */
export class TriggerProblem extends Error {
  override readonly name = "TriggerProblem";
}

const two32 = 2 ** 32;
const usPerS = 1_000_000;

/**
 * When a fault begins, once for each time. By chance it may be never: none.
 *
 * @throws TriggerProblem
 */
export function resolveTriggers(fault: FaultGiven, context: TriggerContext): readonly Trigger[] {
  const { at, every = {}, times = 1 } = fault;
  if (at.probability !== undefined) return byChance(at.probability, times, context);
  const first = fixed(at);
  const triggers = Array.from({ length: times }, (_, nth) => later(first, every, nth));
  for (const trigger of triggers) check(trigger, context.workload);
  return triggers;
}

function fixed({ step, time, collective, checkpoint, restore }: TriggerGiven): Trigger {
  if (step !== undefined) return { kind: "step", step };
  if (time !== undefined) return { kind: "time", atUs: time };
  if (collective !== undefined) return { kind: "collective", ...collective };
  if (checkpoint !== undefined) return { kind: "checkpoint", ...checkpoint };
  assert(restore !== undefined, "a trigger is one of those that the schema knows");
  return { kind: "restore", nth: restore };
}

function later(first: Trigger, every: NonNullable<FaultGiven["every"]>, nth: number): Trigger {
  const { steps = 0, time = 0, collectives = 0 } = every;
  switch (first.kind) {
    case "step":
      return { ...first, step: first.step + nth * steps };
    case "time":
      return { ...first, atUs: first.atUs + nth * time };
    case "collective":
      return { ...first, nth: first.nth + nth * collectives };
    case "checkpoint":
    case "restore":
      return first;
  }
}

/** Draws for each step come from the step's own place: a longer job changes no earlier one. */
function byChance(
  probability: NonNullable<TriggerGiven["probability"]>,
  times: number,
  { workload, limitUs, chance }: TriggerContext,
): readonly Trigger[] {
  const { perStep, perSecond } = probability;
  if (perStep !== undefined) {
    if (workload.kind !== "training") throw new TriggerProblem("only a training job has steps");
    const triggers: Trigger[] = [];
    for (let step = 1; step <= workload.steps && triggers.length < times; step++) {
      if (chance.at(step) / two32 < perStep) triggers.push({ kind: "step", step });
    }
    return triggers;
  }
  assert(perSecond !== undefined, "a chance is per step or per second");
  const triggers: Trigger[] = [];
  if (perSecond === 0) return triggers;
  let atUs = 0;
  for (let nth = 0; nth < times; nth++) {
    // 1 - u is never 0; our own logarithm has the same bits everywhere.
    atUs += Math.round((-log(1 - chance.float()) / perSecond) * usPerS);
    if (atUs >= limitUs) break;
    triggers.push({ kind: "time", atUs });
  }
  return triggers;
}

function check(trigger: Trigger, workload: Workload): void {
  if (trigger.kind === "time") return;
  const tells =
    workload.kind === "command" || (workload.kind === "slurm" && workload.output !== null);
  if (tells && trigger.kind === "step") return;
  if (workload.kind !== "training") {
    const known = tells ? "a step or a time" : "a time";
    throw new TriggerProblem(
      `a workload of kind ${workload.kind} knows ${known}, and no ${trigger.kind}`,
    );
  }
  const { steps, shape, checkpoint } = workload;
  if (trigger.kind === "step" && trigger.step > steps) {
    throw new TriggerProblem(`step ${trigger.step} never begins: the job has ${steps}`);
  }
  if (trigger.kind === "collective" && shape[trigger.axis] === 1 && ranksOf(workload) !== 1) {
    throw new TriggerProblem(
      `nobody exchanges along ${trigger.axis}: the mesh has one rank along it`,
    );
  }
  if (trigger.kind === "checkpoint" && checkpoint.everySteps === 0) {
    throw new TriggerProblem("the job saves nothing, so it breaks in no save");
  }
}
