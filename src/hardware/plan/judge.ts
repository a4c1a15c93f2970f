import type { KubeClient } from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import {
  type GuardFinding,
  type GuardLimits,
  type GuardRequest,
  guardLimitsDefaults,
  readGuardFacts,
} from "../guard/index.ts";
import type { FaultPlan } from "./fault-plan.ts";
import { planFault } from "./plan-fault.ts";
import { renderPlan } from "./render-plan.ts";

/** What the fault API asks before it acts. */
export interface FaultJudge {
  judge(request: GuardRequest): Promise<{
    readonly findings: readonly GuardFinding[];
    readonly plan: FaultPlan;
    readonly text: string;
  }>;
}

/** A judge that looks at the cluster anew for every fault. */
export function createFaultJudge(options: {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Of the installation: where the faults are kept. */
  readonly namespace: string;
  /** @default the careful guard */
  readonly limits?: GuardLimits;
  /** @default "nvsentinel" */
  readonly nvSentinelNamespace?: string;
}): FaultJudge {
  const { client, clock, namespace, nvSentinelNamespace } = options;
  const limits = options.limits ?? guardLimitsDefaults;
  return {
    async judge(request) {
      const facts = await readGuardFacts(client, request, {
        namespace,
        nowMs: clock.nowMs(),
        ...(nvSentinelNamespace === undefined ? {} : { nvSentinelNamespace }),
      });
      const plan = planFault(request, facts, limits);
      return { findings: plan.guard, plan, text: renderPlan(plan) };
    },
  };
}
