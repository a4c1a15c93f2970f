import type { Chance, ChanceStream } from "../../chance/index.ts";
import { resolveParams } from "../../fault/catalogue/index.ts";
import type { PlannedFault, Trigger } from "../../plan/index.ts";
import type { SwarmWorld } from "./draw-world.ts";
import { logUniform, whole } from "./draws.ts";
import { type FaultClass, faultClasses } from "./fault-classes.ts";
import { losesOf } from "./losses.ts";

/** Faults of one plan; more say less about each. */
export const faultsMax = 4;

/** Which classes a run has at all, and how often a step of it meets a fault. */
export interface SwarmConfiguration {
  readonly classes: readonly FaultClass[];
  readonly perStep: number;
}

/** Each class is there with chance one half: what is missing lets others show what it would hide. */
export function drawConfiguration(chance: Chance, world: SwarmWorld): SwarmConfiguration {
  const enabled = faultClasses.filter(({ fault, fits }) => {
    const isOn = chance.stream("class", fault).bernoulli(0.5);
    return isOn && (fits?.(world) ?? true);
  });
  const perStep = logUniform(chance.stream("rate"), 0.03, 0.3);
  return { classes: enabled.length > 0 ? enabled : faultClasses.slice(0, 1), perStep };
}

/** How many may be lost at once and over the run, so that the job must survive by its policy. */
export function lossesAllowed({ workload }: SwarmWorld): number {
  // Every loss takes a replica with it, and one must be left.
  return workload.policy.onFailure === "shrink" ? 1 : faultsMax;
}

/** The faults of a run, in the order of their triggers; at least one. */
export function drawFaults(
  chance: Chance,
  world: SwarmWorld,
  { classes, perStep }: SwarmConfiguration,
): readonly PlannedFault[] {
  const when = chance.stream("when");
  const { steps } = world.workload;
  const begins: number[] = [];
  for (let step = 2; step < steps && begins.length < faultsMax; step++) {
    if (when.bernoulli(perStep)) begins.push(step);
  }
  if (begins.length === 0) begins.push(whole(when, 2, steps - 1));
  let allowed = lossesAllowed(world);
  const faults: PlannedFault[] = [];
  for (const [at, step] of begins.entries()) {
    const stream = chance.stream("fault", at);
    const open = classes.filter((one) => one.loses === "nobody" || allowed > 0);
    const chosen = open[stream.int(Math.max(open.length, 1))];
    if (chosen === undefined || (chosen.loses === "node" && !survivesNode(world))) continue;
    const fault = faultOf(chosen, { stream, world, step, id: `f${at + 1}` });
    if (losesOf(fault, world.timeouts) !== "nobody" && --allowed < 0) continue;
    faults.push(fault);
  }
  if (faults.length > 0) return faults;
  const [first = 2] = begins;
  const fallback = faultClasses.find(({ fault }) => fault === "straggler") as FaultClass;
  return [faultOf(fallback, { stream: chance.stream("fault"), world, step: first, id: "f1" })];
}

/** Whether a replica without a rank on the node is left, where that matters. */
function survivesNode({ workload, fleet }: SwarmWorld): boolean {
  const { shape, policy } = workload;
  if (policy.onFailure !== "shrink") return true;
  return fleet.devicesPerNode <= shape.tp * shape.pp;
}

export interface FaultDraw {
  readonly stream: ChanceStream;
  readonly world: SwarmWorld;
  readonly step: number;
  readonly id: string;
}

/** One fault of a class, at a step or at the save that comes next. */
export function faultOf(one: FaultClass, { stream, world, step, id }: FaultDraw): PlannedFault {
  const rank = stream.int(world.ranks);
  const { targets, params, durationUs } = one.draw({ stream, world, rank });
  return {
    id,
    fault: one.fault,
    params: resolveParams(one.fault as string, params),
    targets,
    trigger: triggerOf(one, { stream, world, step }),
    durationUs,
  };
}

function triggerOf(
  { begins, fault }: FaultClass,
  { stream, world, step }: Omit<FaultDraw, "id">,
): Trigger {
  const { checkpoint, steps, shape } = world.workload;
  const saves = Math.floor((steps - 1) / checkpoint.everySteps);
  const nth = Math.min(saves, Math.max(1, Math.ceil(step / checkpoint.everySteps)));
  if (begins !== "step") {
    const first = begins === "save" ? 1 : 2;
    return { kind: "checkpoint", nth: Math.max(first, nth), phase: "write" };
  }
  const share = stream.float();
  if (share < 0.15 && shape.dp > 1) return { kind: "collective", axis: "dp", nth: step };
  const isLoss = fault === "kill_device" || fault === "drop_rank" || fault === "restart_worker";
  if (share < 0.4 && isLoss) {
    return { kind: "checkpoint", nth, phase: stream.bernoulli(0.5) ? "write" : "commit" };
  }
  return { kind: "step", step };
}
