import { messageOf } from "../../../platform/errors/index.ts";
import type { Rng } from "../../../platform/rng/index.ts";
import { faultEntry, resolveParams } from "../../fault/catalogue/index.ts";
import type { PlannedFault, Target, Trigger, Workload } from "../../plan/index.ts";
import type { FaultGiven } from "../schema/index.ts";
import type { Layout } from "./layout.ts";
import { planError } from "./plan-error.ts";
import { type KnownPod, resolveTarget, TargetProblem } from "./targets.ts";
import { resolveTriggers, TriggerProblem } from "./triggers.ts";

export interface FaultContext {
  readonly title: string;
  readonly workload: Workload;
  readonly layout: Layout;
  readonly limitUs: number;
  readonly rng: Rng;
  readonly pods?: readonly KnownPod[] | undefined;
  readonly jobNodes?: readonly string[] | undefined;
}

/** A plan of more than this is a mistake, or should be a campaign. */
const plannedMax = 100_000;

/** All faults of an experiment, each as often as it happens. @throws E_PLAN, E_FAULT_INVALID */
export function resolveFaults(
  given: readonly FaultGiven[],
  context: FaultContext,
): readonly PlannedFault[] {
  const ids = idsOf(given, context.title);
  const chanceOf = chances(given, context.rng);
  const planned = given.flatMap((fault, at) => {
    const id = ids[at] ?? fault.fault;
    const triggers = triggersOf(fault, { ...context, at, chance: chanceOf(at, "when") });
    return triggers.map((trigger, nth): PlannedFault => {
      const purpose = triggers.length === 1 ? "who" : `who ${nth}`;
      const targets = targetsOf(fault, { ...context, at, chance: chanceOf(at, purpose) });
      return {
        id: triggers.length === 1 ? id : `${id}.${nth + 1}`,
        fault: fault.fault,
        params: resolveParams(fault.fault, fault.params),
        targets,
        trigger,
        durationUs: durationOf(fault, { at, title: context.title }),
      };
    });
  });
  if (planned.length > plannedMax) {
    throw planError(context.title, `it has ${planned.length} faults, more than ${plannedMax}`);
  }
  return planned.length > 0 || given.length === 0 ? planned : [neverByChance(given, ids, context)];
}

/**
 * Chance said that nothing happens. An experiment that breaks nothing proves nothing: one fault stays
 * in the plan, at a moment that never comes, and the outcome is inconclusive.
 */
function neverByChance(
  given: readonly FaultGiven[],
  ids: readonly string[],
  context: FaultContext,
): PlannedFault {
  const [first] = given as readonly [FaultGiven, ...FaultGiven[]];
  return {
    id: ids[0] ?? first.fault,
    fault: first.fault,
    params: resolveParams(first.fault, first.params),
    targets: targetsOf(first, {
      ...context,
      at: 0,
      chance: chances(given, context.rng)(0, "who"),
    }),
    trigger: { kind: "time", atUs: context.limitUs },
    durationUs: durationOf(first, { at: 0, title: context.title }),
  };
}

/**
 * Streams of each fault's own, keyed by what the fault says and by which of its equals it is: taking
 * another one away changes nothing for it.
 */
function chances(given: readonly FaultGiven[], rng: Rng) {
  const texts = given.map((fault) => fault.id ?? JSON.stringify(fault));
  return (at: number, purpose: string) => {
    const text = texts[at] ?? "";
    const equals = texts.slice(0, at).filter((other) => other === text).length;
    return rng.stream("chaos fault", text, equals, purpose);
  };
}

/** As given; else the fault's name, with a number from the second of a kind on. */
function idsOf(given: readonly FaultGiven[], title: string): readonly string[] {
  const taken = new Set<string>();
  for (const { id } of given) {
    if (id === undefined) continue;
    if (taken.has(id)) throw planError(title, `two faults have the id ${id}`);
    taken.add(id);
  }
  return given.map(({ id, fault }) => {
    if (id !== undefined) return id;
    let free: string = fault;
    for (let number = 2; taken.has(free); number++) free = `${fault}-${number}`;
    taken.add(free);
    return free;
  });
}

type OfOne = FaultContext & {
  readonly at: number;
  readonly chance: ReturnType<Rng["stream"]>;
};

function triggersOf(fault: FaultGiven, context: OfOne): readonly Trigger[] {
  try {
    return resolveTriggers(fault, context);
  } catch (error) {
    if (!(error instanceof TriggerProblem)) throw error;
    throw planError(context.title, `${nameOf(fault, context.at)}: ${messageOf(error)}`);
  }
}

function targetsOf(fault: FaultGiven, context: OfOne): readonly Target[] {
  const given = Array.isArray(fault.target) ? fault.target : [fault.target];
  const name = nameOf(fault, context.at);
  let targets: readonly Target[];
  try {
    targets = given.flatMap((one) => resolveTarget(one, context));
  } catch (error) {
    if (!(error instanceof TargetProblem)) throw error;
    throw planError(context.title, `${name}: ${messageOf(error)}`);
  }
  const takes = faultEntry(fault.fault).targets;
  const wrong = targets.find(({ kind }) => !takes.includes(kind));
  if (wrong !== undefined) {
    const problem = `hits a ${takes.join(", a ")}, and the target is a ${wrong.kind}`;
    throw planError(context.title, `${name} ${problem}`);
  }
  return targets;
}

function durationOf(
  fault: FaultGiven,
  about: { readonly at: number; readonly title: string },
): number | null {
  if (fault.for === undefined) return null;
  if (faultEntry(fault.fault).ending === "instant") {
    const problem = `${nameOf(fault, about.at)} is over as soon as it is done: take \`for\` away`;
    throw planError(about.title, problem);
  }
  return fault.for;
}

function nameOf({ fault, id }: FaultGiven, at: number): string {
  return id === undefined ? `fault ${at + 1} (${fault})` : `${id} (${fault})`;
}
