import type { Rng } from "../../platform/rng/index.ts";
import type { Fleet, Policy } from "./policy.ts";
import { createRandomPolicy } from "./random.ts";
import { createRiskPolicy, type RiskOptions } from "./risk/index.ts";
import { createStalePolicy } from "./stale.ts";

/** Every policy there is. */
export const policyNames = ["stale", "risk", "random"] as const;
export type PolicyName = (typeof policyNames)[number];

/** A policy by its name, at its beginning: it has seen nothing yet. */
export function createPolicy(
  name: PolicyName,
  fleet: Fleet,
  options: { readonly rng: Rng; readonly risk?: RiskOptions },
): Policy {
  if (name === "stale") return createStalePolicy(fleet);
  if (name === "random") return createRandomPolicy(fleet, options.rng);
  return createRiskPolicy(fleet, options.risk);
}
