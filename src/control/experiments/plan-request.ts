import type { Semaphore } from "../../platform/concurrency/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import { pathOfNul } from "../../platform/http/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { ExperimentPlanView, StartExperiment } from "../api/experiments.ts";
import type { ExperimentWorker } from "./carry-out.ts";
import type { ChildEnd } from "./child/run-child.ts";
import type { ExperimentSettings } from "./settings.ts";
import { shownFile } from "./shown-file.ts";

/** So many are planned at once, and so many wait: each takes a process and part of a second, or many seconds. */
export const planLimits = { permits: 2, waitersMax: 20 };

export interface PlanOptions {
  readonly settings: ExperimentSettings;
  readonly worker: ExperimentWorker;
  readonly planning: Semaphore;
  readonly context: { readonly clock: Clock };
}

/** Who wants a plan. */
export interface PlanAsker {
  readonly signal: AbortSignal;
  /** Demands of them that they may break the hardware of a namespace themselves. */
  requireHardware(namespace: string): Promise<void>;
}

/**
 * What a request would do here, with all that speaks against it. Thought out in a process of its own: what a
 * short text costs to plan cannot be seen from outside, and others are to be answered meanwhile.
 *
 * @throws E_EXPERIMENT, E_PLAN, E_FAULT_INVALID for what is no plan in any world; E_WORLD when it cannot be
 *   thought out here, or the cluster that it is about cannot be asked; E_EXPERIMENTS_FULL; what `requireHardware`
 *   throws
 */
export async function planRequest(
  { text, world, seed }: StartExperiment,
  options: PlanOptions,
  { signal, requireHardware }: PlanAsker,
): Promise<ExperimentPlanView> {
  const { settings, worker, context } = options;
  const { worlds, outside, planning } = settings;
  const order = {
    text,
    ...(world === undefined ? {} : { world }),
    ...(seed === undefined ? {} : { seed }),
  };
  const release = await takeTurn(options, signal);
  const untilMs = context.clock.monotonicMs() + planning.workMs;
  const think = async (hardware: boolean) => {
    const allowed = { worlds: [...worlds], outside, hardware };
    const limitMs = Math.max(0, untilMs - context.clock.monotonicMs());
    const { end, planned } = await worker.plan({ ...order, allowed }, { signal, limitMs });
    if (planned !== undefined) return { ...planned, plan: withoutNul(planned.plan) };
    throw errorOf(end, world ?? "that was asked for");
  };
  try {
    const first = await think(false);
    if (first.hardwareIn === undefined) return first.plan;
    await requireHardware(first.hardwareIn);
    // The same again: only now may the fault API's guard be asked what it says to it.
    return (await think(true)).plan;
  } finally {
    release();
  }
}

/** YAML can write what no text of a store may hold. @throws E_EXPERIMENT */
function withoutNul(plan: ExperimentPlanView): ExperimentPlanView {
  const path = pathOfNul(plan);
  if (path === undefined) return plan;
  const problem = `its ${path[0] === undefined ? "plan" : String(path[0])} holds the character U+0000`;
  throw new TesseraError("E_EXPERIMENT", { file: shownFile, problem, place: path.join(".") });
}

/** @throws E_EXPERIMENTS_FULL when too many wait, or this one waited too long; the signal's reason */
async function takeTurn(
  { settings, planning, context }: PlanOptions,
  signal: AbortSignal,
): Promise<() => void> {
  const late = new AbortController();
  const timer = context.clock.setTimer(settings.planning.waitMs, () => late.abort());
  try {
    return await planning.acquire(AbortSignal.any([signal, late.signal]));
  } catch {
    signal.throwIfAborted();
    const { permits: running, waitersMax: waiting } = planLimits;
    throw new TesseraError("E_EXPERIMENTS_FULL", { running, waiting });
  } finally {
    timer.cancel();
  }
}

/** @throws E_WORLD when something speaks against it */
export function checkRefusals({ world, refusals }: ExperimentPlanView): void {
  if (refusals.length === 0) return;
  const problem = refusals.map((one) => one.replace(/\.$/, "")).join("; ");
  throw new TesseraError("E_WORLD", { world, problem });
}

/** What is wrong with a request. All else that a child met speaks against its world just now. */
const aboutPlans = ["E_EXPERIMENT", "E_PLAN", "E_FAULT_INVALID", "E_WORLD"] as const;

/** What a child reported, as if it had happened here. */
function errorOf(end: ChildEnd, world: string): TesseraError {
  if (end.how !== "failed") {
    const problem = end.how === "gone" ? end.reason : "its process said nothing";
    return new TesseraError("E_WORLD", { world, problem });
  }
  const { message, hint, shown } = end;
  const code = aboutPlans.find((one) => one === end.code);
  if (code === undefined) {
    return new TesseraError("E_WORLD", { world, problem: message.replace(/\.$/, "") }, { hint });
  }
  const error = new TesseraError(code, { shown } as never, { hint });
  // The message came whole: what it was made of stayed on the other side.
  error.message = message;
  return error;
}
