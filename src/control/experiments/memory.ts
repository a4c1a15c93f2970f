import { farOver } from "./child/memory-guard.ts";
import type { ChildOrder } from "./child/orders.ts";
import { planLimits } from "./plan-request.ts";
import type { ExperimentSettings } from "./settings.ts";

type Limits = Pick<ExperimentSettings, "memoryLimitBytes" | "concurrent">;

/** A plan needs less than the run that comes of it, and more of them are made at once. */
const planShare = 0.5;
/** What a process needs to think at all; no limit can be set lower than this. */
const leastBytes = 128 * 2 ** 20;

/** How much the process of an order may hold before it is ended. */
export function memoryLimitOf(
  { kind }: Pick<ChildOrder, "kind">,
  { memoryLimitBytes }: Pick<Limits, "memoryLimitBytes">,
): number {
  return kind === "plan" ? Math.max(leastBytes, memoryLimitBytes * planShare) : memoryLimitBytes;
}

/** What all processes of experiments may hold together for a moment: each is killed when it is far over its limit. */
export function childrenMemoryMax(limits: Limits): number {
  const runs = limits.concurrent * memoryLimitOf({ kind: "run" }, limits);
  const plans = planLimits.permits * memoryLimitOf({ kind: "plan" }, limits);
  return farOver * (runs + plans);
}
