import type { GuardFacts, GuardRequest } from "./guard-facts.ts";
import { type GuardLimits, guardLimitsDefaults } from "./guard-limits.ts";
import type { GuardFinding, GuardRule } from "./guard-rule.ts";
import { notBrokenAlready } from "./rules/already-broken.ts";
import { breakerStaysClosed } from "./rules/breaker.ts";
import { budgetsAllow } from "./rules/budgets.ts";
import { noCoTenants } from "./rules/co-tenants.ts";
import { cooldown } from "./rules/cooldown.ts";
import { nodesAtOnce, partOfTheFleet } from "./rules/how-many.ts";
import { namespaceAllowed } from "./rules/namespace.ts";
import { nodeOptIn, nodeReady } from "./rules/node.ts";
import { someOwnPods } from "./rules/own-pods.ts";
import { noRealReboot } from "./rules/real-reboot.ts";
import { notTooOften } from "./rules/repeats.ts";
import { shortSequence } from "./rules/sequence.ts";

/** Every rule, in the order in which findings are shown. */
const rules: Readonly<Record<string, GuardRule>> = {
  namespace: namespaceAllowed,
  "node-ready": nodeReady,
  "node-opt-in": nodeOptIn,
  "already-broken": notBrokenAlready,
  "nodes-at-once": nodesAtOnce,
  percent: partOfTheFleet,
  breaker: breakerStaysClosed,
  cooldown,
  budgets: budgetsAllow,
  "co-tenants": noCoTenants,
  "own-pods": someOwnPods,
  "real-reboot": noRealReboot,
  repeats: notTooOften,
  sequence: shortSequence,
};

/** What every rule that has to do with a fault says about it. One `refuse` is enough to say no. */
export function judgeGuard(
  request: GuardRequest,
  facts: GuardFacts,
  limits: GuardLimits = guardLimitsDefaults,
): readonly GuardFinding[] {
  return Object.entries(rules).flatMap(([rule, judge]) => {
    const ruling = judge({ request, action: request.action, facts, limits });
    return ruling === undefined ? [] : [{ rule, ...ruling }];
  });
}
