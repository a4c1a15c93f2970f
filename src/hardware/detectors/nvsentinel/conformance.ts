import type { NodeObject } from "../../objects/index.ts";
import type { BreakerStatus } from "./breaker.ts";
import { type ConformanceStep, nvSentinelConformance } from "./conformance-steps.ts";
import type { HealthEvent } from "./health-event.ts";
import { type NodeSurface, nodeSurface } from "./node-surface.ts";

/** NVSentinel, real or not, on a cluster of ten GPU nodes `n1`..`n10`, `n7` closed, and one without GPUs `nogpu`. */
export interface ConformanceDriver {
  /** Hands in a health event. Resolves when it was dealt with, or surely never will be. */
  submit(event: HealthEvent): Promise<void>;
  /** What `kubectl uncordon` does. Resolves when it was noticed. */
  uncordon(node: string): Promise<void>;
  node(name: string): Promise<NodeObject>;
  breaker(): Promise<BreakerStatus>;
}

export interface ConformanceResult {
  readonly step: string;
  readonly expected: NodeSurface | BreakerStatus;
  readonly observed: NodeSurface | BreakerStatus;
}

/** Goes through the steps that were seen of the real fault-quarantine, in order. */
export async function runConformance(
  driver: ConformanceDriver,
): Promise<readonly ConformanceResult[]> {
  const results: ConformanceResult[] = [];
  for (const step of nvSentinelConformance) results.push(await runStep(driver, step));
  return results;
}

async function runStep(
  driver: ConformanceDriver,
  step: ConformanceStep,
): Promise<ConformanceResult> {
  const { title } = step;
  if (step.kind === "breaker")
    return { step: title, expected: step.expected, observed: await driver.breaker() };
  if (step.kind === "uncordon") await driver.uncordon(step.node);
  else await driver.submit(step.event);
  const observed = nodeSurface(await driver.node(step.node));
  return { step: title, expected: step.expected, observed };
}
