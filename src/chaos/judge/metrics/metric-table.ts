/** One figure of a run. */
export interface MetricRow {
  /** As gates and JSON name it. */
  readonly name: string;
  readonly title: string;
  /** As plots and reports write it: `s`, `%`, or a bare number. */
  readonly unit: "" | "s" | "%";
  /** Which way is good; null: neither. */
  readonly better: "higher" | "lower" | null;
}

function row(
  name: string,
  title: string,
  better: MetricRow["better"],
  unit: MetricRow["unit"] = "",
): MetricRow {
  return { name, title, unit, better };
}

/** Every metric there is, in the order of reports. Definitions: docs/chaos-metrics.md. */
export const metricTable: readonly MetricRow[] = [
  row("throughputStability", "Throughput stability", "higher"),
  row("recoverySeconds", "Recovery time, effect to first step", "lower", "s"),
  row("rollbackSuccessRate", "Rollback success rate", "higher"),
  row("memoryFragmentation", "Memory fragmentation, 95th percentile", "lower"),
  row("deadlocks", "Deadlocks", "lower"),
  row("livelocks", "Livelocks", "lower"),
  row("ettr", "Effective training time ratio", "higher"),
  row("goodput", "Goodput against the run without faults", "higher"),

  row("throughputStabilityBaseline", "Stability of the run without faults", "higher"),
  row("throughputVariation", "Robust variation of the rate", "lower"),
  row("throughputDriftPercentPerHour", "Drift of the rate an hour", null, "%"),
  row("throughputDriftLow", "Drift, lower end at 95 %", null, "%"),
  row("throughputDriftHigh", "Drift, upper end at 95 %", null, "%"),
  row("dipDepthMax", "Deepest dip", "lower"),
  row("dipSecondsMax", "Longest dip", "lower", "s"),
  row("lostUnits", "Units lost in dips", "lower"),
  row("lostGpuHours", "GPU-hours lost in dips", "lower"),
  row("retainedThroughput", "Throughput retained in the hour after a fault", "higher"),
  row("straggleMax", "Slowest rank over the median rank", "lower"),

  row("detectSeconds", "Effect to detection", "lower", "s"),
  row("isolateSeconds", "Effect to isolation", "lower", "s"),
  row("reformSeconds", "Effect to a new generation", "lower", "s"),
  row("loadSeconds", "Effect to loaded", "lower", "s"),
  row("regainSeconds", "Effect to the step it was at", "lower", "s"),
  row("steadySeconds", "Effect to the usual rate", "lower", "s"),
  row("recoveries", "Recoveries", null),
  row("recoveriesCensored", "Recoveries that did not end", "lower"),
  row("stepsLost", "Steps done again", "lower"),
  row("stepsLostMax", "Most steps lost at once (RPO)", "lower"),
  row("lostProgressGpuHours", "GPU-hours of steps done again", "lower"),
  row("blastRadiusMax", "Ranks restarted for each rank hit", "lower"),
  row("falseAlarms", "Recoveries that no fault explains", "lower"),

  row("rollbackAttempts", "Rollbacks", null),
  row("rollbackSuccessLow", "Rollback success, lower end at 95 %", "higher"),
  row("rollbackSuccessHigh", "Rollback success, upper end at 95 %", "higher"),
  row("checkpointsRefused", "Checkpoints refused", null),
  row("falseAccepts", "Broken checkpoints accepted", "lower"),

  row("fragmentationExternal", "External fragmentation, 95th percentile", "lower"),
  row("memorySlack", "Reserved and not allocated, 95th percentile", "lower"),
  row("fragmentationTrendPerHour", "Trend of fragmentation an hour", "lower"),
  row("allocatorRetries", "Retries of the allocator", "lower"),
  row("outOfMemories", "Times out of memory", "lower"),
  row("reservedGrowthMax", "Memory kept after a recovery", "lower"),

  row("hangs", "Hangs", "lower"),
  row("deadlocksPer1000NodeHours", "Deadlocks in 1,000 node-hours", "lower"),
  row("livelocksPer1000NodeHours", "Livelocks in 1,000 node-hours", "lower"),
  row("hangsPer1000NodeHours", "Hangs in 1,000 node-hours", "lower"),
  row("stuckPerFault", "Deadlocks, livelocks and hangs for each fault", "lower"),

  row("ettrSlidingMin", "Worst hour of effective training time", "higher"),
  row("badputStartup", "Time lost to starting", "lower"),
  row("badputSave", "Time lost to saving", "lower"),
  row("badputRecovery", "Time lost to recovery", "lower"),
  row("badputWasted", "Time on steps that did not stay", "lower"),
  row("badputPaused", "Time spent waiting for a person", "lower"),
  row("badputOther", "Time after the last step", "lower"),

  row("residualFaults", "Faults left behind", "lower"),
  row("effectRate", "Faults whose effect was seen", "higher"),
  row("attributionRate", "Recoveries that blamed the right ranks", "higher"),
  row("requestsAnswered", "Requests answered", "higher"),
  row("requestsFailed", "Requests without an answer", "lower"),
  row("requestLatencyP99Seconds", "Latency of requests, 99th percentile", "lower", "s"),
  row("steps", "Steps that stayed", "higher"),
  row("wallSeconds", "Time of the job", "lower", "s"),
  row("gpuHours", "GPU-hours", "lower"),
];

/** What a gate may be about. */
export const metricNames: readonly string[] = metricTable.map(({ name }) => name);
