import { type CheckFacts, costOf, type Fleet, secondsPerDay } from "../../prioritize/index.ts";
import type { CheckSettings } from "../../settings.ts";
import type { Draft } from "../draft.ts";

/** A live loop has no end at which its account is closed; this is far enough. */
const foreverS = 100 * 365 * secondsPerDay;
/** What a check finds when nobody said what it finds. */
const unstatedSensitivity = { unknown: 0.5 } as const;

/** A cluster as a policy knows fleets. */
export function policyFleetOf(draft: Draft, startS: number): Fleet {
  const { input, latest, settings } = draft;
  const nodes = input.nodes.map(({ name, sku, rack, gpus }) => ({
    name,
    sku,
    rack,
    gpus: chargedGpus(gpus),
  }));
  const checks = latest.checks.flatMap((name) => {
    const check = draft.checkOf(name);
    return check === undefined ? [] : [checkFactsOf(check)];
  });
  const { inFlightMax, gpuHoursPerDay } = settings.guard;
  // Without a budget: what testing everything once in Z days costs, which is what stale spends.
  const roundGpuHours = nodes.reduce(
    (sum, node) => sum + checks.reduce((all, check) => all + costOf(node, check), 0),
    0,
  );
  const perDay = Number.isFinite(gpuHoursPerDay)
    ? gpuHoursPerDay
    : roundGpuHours / Math.max(1, settings.staleAfterDays);
  return {
    startS,
    endS: startS + foreverS,
    nodes,
    checks,
    limits: { inFlight: inFlightMax, gpuHoursPerDay: perDay },
  };
}

/** A node without GPUs is worth testing too, and what is worth something costs something. */
export function chargedGpus(gpus: number): number {
  return Math.max(1, gpus);
}

function checkFactsOf({ name, minutes, sensitivity, falseAlarm }: CheckSettings): CheckFacts {
  const isStated = Object.values(sensitivity).some((chance) => chance > 0);
  return {
    name,
    minutes,
    sensitivity: isStated ? sensitivity : unstatedSensitivity,
    falseAlarm,
  };
}
