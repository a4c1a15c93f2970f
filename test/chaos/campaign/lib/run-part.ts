import {
  type CampaignPart,
  type CampaignWorker,
  createInlineWorker,
  runCampaign,
} from "../../../../src/chaos/campaign/index.ts";
import { createTrial, type Trial } from "../../../../src/chaos/journal/index.ts";
import { judge } from "../../../../src/chaos/judge/index.ts";
import { createSimWorld } from "../../../../src/chaos/sim/index.ts";
import type { Clock } from "../../../../src/platform/time/clock.ts";
import { VirtualClock } from "../../../../src/platform/time/virtual-clock.ts";

export const never = new AbortController().signal;

export function simTrial(): Trial {
  return createTrial({ world: createSimWorld(), judge });
}

export function inline(trial: Trial): CampaignWorker {
  return createInlineWorker(trial, never);
}

/** A stretch of the campaign with seed `t`. */
export function runPart(
  range: readonly [from: number, to: number],
  workers: readonly CampaignWorker[],
  more: { readonly clock?: Clock; readonly timeBoxMs?: number; readonly seed?: string } = {},
): Promise<CampaignPart> {
  const { clock = new VirtualClock(), timeBoxMs, seed = "t" } = more;
  return runCampaign({
    seed,
    from: range[0],
    to: range[1],
    workers,
    clock,
    signal: never,
    ...(timeBoxMs === undefined ? {} : { timeBoxMs }),
  });
}
