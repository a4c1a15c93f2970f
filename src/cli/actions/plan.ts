import { exitCodes } from "../../platform/errors/index.ts";
import type { ClusterPlan } from "../../validation/loop/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { planDocument } from "../plan/cluster-plan.ts";
import { planOptions } from "../plan/options.ts";
import { showPlan } from "../plan/show-plan.ts";

/** `tessera plan`: what would be tested next, and what has to wait. */
export const run: Action = async (invocation) => {
  const { options, globals, io } = invocation;
  const { cluster: only, limit } = planOptions(options, globals);
  const [
    { values: config },
    { withStoreOrNone },
    { clusterEntry },
    { planCluster },
    { createRng, randomSeed },
  ] = await Promise.all([
    invocation.config(),
    import("../plan/with-store.ts"),
    import("../../validation/resolve-settings.ts"),
    import("../plan/plan-cluster.ts"),
    import("../../platform/rng/index.ts"),
  ]);
  const entries = only === undefined ? config.validation.clusters : [clusterEntry(config, only)];
  const rng = createRng(config.seed ?? randomSeed());
  const plans = await withStoreOrNone(invocation, async (store) => {
    const found: ClusterPlan[] = [];
    for (const entry of entries) found.push(await planCluster(invocation, { entry, store, rng }));
    return found;
  });
  if (globals.json === true) {
    writeJson(io.stdout, { clusters: plans.map((found) => planDocument(found, limit)) });
  } else {
    for (const line of plans.flatMap((found) => showPlan(found, limit))) writeLine(io.stdout, line);
  }
  return exitCodes.good;
};
