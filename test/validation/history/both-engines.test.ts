import { afterAll } from "vitest";
import { describeOnEngines } from "../../platform/store/support/engines.ts";
import { importsSuite } from "./suites/imports.ts";
import { modelSuite } from "./suites/model.ts";
import { nodesAndBaselinesSuite } from "./suites/nodes-and-baselines.ts";
import { pagesSuite } from "./suites/pages.ts";
import { planningSuite } from "./suites/planning.ts";
import { runsSuite } from "./suites/runs.ts";
import { schemaSuite } from "./suites/schema.ts";
import { closeShared } from "./support/new-history.ts";

describeOnEngines((engine) => {
  afterAll(() => closeShared(engine));
  planningSuite(engine);
  runsSuite(engine);
  pagesSuite(engine);
  importsSuite(engine);
  nodesAndBaselinesSuite(engine);
  schemaSuite(engine);
  modelSuite(engine);
});
