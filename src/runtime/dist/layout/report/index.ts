export type { Finding, ShardingError, ShardingWarning } from "./finding.ts";
export { type ShardingReport, shardingReport } from "./sharding-report.ts";
export type { LocalFacts, ShardingView } from "./view.ts";
