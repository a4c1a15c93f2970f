/** A campaign that many make at once: ranges of runs, and the parts that come back. */
export { GatheredParts, type GatheredPartsOptions, holdsRanges } from "./gathered-parts.ts";
export { makeRanges } from "./make-ranges.ts";
export { partFromLog, partToLines } from "./part-lines.ts";
export { partVariables } from "./part-variables.ts";
export {
  missingIn,
  nameRanges,
  type RunRange,
  type RunRanges,
  rangesAt,
  rangesText,
  runCount,
  spanOf,
  splitRange,
  splitStretches,
} from "./split-range.ts";
