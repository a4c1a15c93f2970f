import { exitCodes } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { type ClusterPlan, planDocument } from "../plan/cluster-plan.ts";
import { planOptions } from "../plan/options.ts";
import { showPlan } from "../plan/show-plan.ts";

/** `tessera plan`: what would be tested next, and what has to wait. */
export const run: Action = async (invocation) => {
  const { options, globals, io, clock } = invocation;
  const { cluster: only, limit } = planOptions(options, globals);
  const [
    { values: config },
    log,
    { openStore },
    { clusterEntry },
    { planCluster },
    { createRng, randomSeed },
  ] = await Promise.all([
    invocation.config(),
    invocation.log(),
    import("../../platform/store/index.ts"),
    import("../../validation/resolve-settings.ts"),
    import("../plan/plan-cluster.ts"),
    import("../../platform/rng/index.ts"),
  ]);
  const entries = only === undefined ? config.validation.clusters : [clusterEntry(config, only)];
  const rng = createRng(config.seed ?? randomSeed());
  const store = await openStore({ url: config.store.url, clock, log });
  const plans: ClusterPlan[] = [];
  try {
    for (const entry of entries) plans.push(await planCluster(invocation, { entry, store, rng }));
  } finally {
    await store.close();
  }
  if (globals.json === true) {
    writeJson(io.stdout, { clusters: plans.map((found) => planDocument(found, limit)) });
  } else {
    for (const line of plans.flatMap((found) => showPlan(found, limit))) writeLine(io.stdout, line);
  }
  return exitCodes.good;
};
