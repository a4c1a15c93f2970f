export type { QaCheck, QaFinding } from "./check.ts";
export { type RunSuiteOptions, runSuite } from "./run-suite.ts";
export { qaChecks } from "./suites.ts";
export { createWorld, type QaWorld } from "./world.ts";
