export { formatBytes, parseBytes } from "./bytes.ts";
export { formatDurationMs, parseDurationMs } from "./duration.ts";
export { formatRate, parseRate, type RateOf, type RateOptions } from "./rate.ts";
export { UnitError, type UnitOptions } from "./unit-error.ts";
