export { type ClassifiedLine, classifyLines } from "./classify-lines.ts";
export { classifyRuns, classifySteps } from "./classify-runs.ts";
export { lintFloors } from "./floor-lint.ts";
export { type SkuFloor, skuFloors } from "./floors.ts";
export type { ClassifyOptions, FamilyRates } from "./options.ts";
export { type ParsedLine, parseLine } from "./parse-line.ts";
export {
  type CheckRun,
  type ClassifiedRun,
  type ClassifyFinding,
  type FigureSamples,
  type RuleName,
  ruleNames,
} from "./types.ts";
