import assert from "node:assert/strict";
import { TesseraError } from "../../platform/errors/index.ts";
import type { Judgement } from "../judge/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { World } from "../world.ts";
import { hashOf } from "./canonical-json.ts";
import type { Trial } from "./judged-run.ts";

export interface TrialOptions {
  readonly world: World;
  readonly judge: (plan: ChaosPlan, record: RunRecord, baseline: RunRecord | null) => Judgement;
  /** Runs without faults that are kept for plans that differ in their faults alone. @default 32 */
  readonly baselinesMax?: number;
}

/**
 * Trials in one world. Plans that differ in their faults alone share the run without faults, which makes
 * a minimisation about half as long.
 *
 * @throws (from a trial) E_WORLD when the world cannot run the plan.
 */
export function createTrial({ world, judge, baselinesMax = 32 }: TrialOptions): Trial {
  assert(baselinesMax >= 1, "at least one baseline is kept");
  const baselines = new Map<string, Promise<RunRecord>>();
  const baselineOf = (plan: ChaosPlan, signal: AbortSignal): Promise<RunRecord> => {
    const clean = withoutFaults(plan);
    const key = hashOf({ ...clean, title: "" });
    let baseline = baselines.get(key);
    if (baseline === undefined) {
      baseline = world.run(clean, { signal });
      // One that failed, or was stopped, is none for the next who asks.
      baseline.catch(() => baselines.delete(key));
    }
    baselines.delete(key);
    baselines.set(key, baseline);
    const [oldest] = baselines.keys();
    if (baselines.size > baselinesMax && oldest !== undefined) baselines.delete(oldest);
    return baseline;
  };
  return async (plan, signal) => {
    signal.throwIfAborted();
    const [refusal] = world.refusals(plan);
    if (refusal !== undefined) {
      throw new TesseraError("E_WORLD", { world: world.name, problem: refusal });
    }
    const baseline = await baselineOf(plan, signal);
    const record = await world.run(plan, { signal });
    return { plan, record, baseline, judgement: judge(plan, record, baseline) };
  };
}

/** The same plan, with nothing wrong. */
function withoutFaults(plan: ChaosPlan): ChaosPlan {
  return { ...plan, faults: [], defects: [] };
}
