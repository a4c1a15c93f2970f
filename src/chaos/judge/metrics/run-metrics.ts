import assert from "node:assert/strict";
import type { RunAnalysis } from "../analysis.ts";
import type { RunMetrics } from "../judgement.ts";
import { jobEndUs } from "../lineage.ts";
import { clopperPearson, medianOf } from "../stats/index.ts";
import { attributionRate, effectRate } from "./effects.ts";
import { ettrOf, slidingEttrMin } from "./ettr.ts";
import { goodputOf } from "./goodput.ts";
import { metricNames } from "./metric-table.ts";
import { medianSeconds, phaseDurations } from "./recovery-times.ts";
import {
  type Dip,
  dipWithin,
  driftPerHour,
  rateVariation,
  retainedFrom,
  stabilityIndex,
} from "./stability.ts";

const hourUs = 3_600_000_000;

type Figures = Readonly<Record<string, number | null>>;

/** All metrics of a run. */
export function runMetrics(analysis: RunAnalysis): RunMetrics {
  const { recoveries, rollbacks, throughput, split, record } = analysis;
  const succeeded = rollbacks.filter(({ failure }) => failure === null).length;
  const { run, usualRate } = throughput ?? {};
  const metrics: RunMetrics = {
    throughputStability:
      run === undefined || usualRate === undefined ? null : stabilityIndex(run, usualRate),
    recoverySeconds: medianSeconds(phaseDurations(recoveries, "first", jobEndUs(record))),
    rollbackSuccessRate: rollbacks.length === 0 ? null : succeeded / rollbacks.length,
    memoryFragmentation: analysis.memory?.allocatorP95 ?? null,
    deadlocks: countStuck(analysis, "deadlock"),
    livelocks: countStuck(analysis, "livelock"),
    ettr: ettrOf(split),
    goodput: goodputOf(analysis),
    more: {
      ...throughputFigures(analysis),
      ...recoveryFigures(analysis),
      ...rollbackFigures(analysis, succeeded),
      ...memoryAndRequests(analysis),
      ...stuckFigures(analysis),
      ...timeFigures(analysis),
      residualFaults: record.residualFaults.length,
      effectRate: effectRate(record),
      attributionRate: attributionRate(record, analysis.caused),
    },
  };
  for (const name of Object.keys(metrics.more)) assert(metricNames.includes(name), name);
  return metrics;
}

/** A metric by the name that gates use; undefined: there is none of this name. */
export function metricOf(metrics: RunMetrics, name: string): number | null | undefined {
  if (name === "more") return undefined;
  const own = Object.hasOwn(metrics, name) ? metrics[name as keyof RunMetrics] : undefined;
  if (typeof own === "number" || own === null) return own;
  if (Object.hasOwn(metrics.more, name)) return metrics.more[name] ?? null;
  return metricNames.includes(name) ? null : undefined;
}

function countStuck({ stuck }: RunAnalysis, form: "deadlock" | "livelock" | "hang"): number {
  return stuck.filter((incident) => incident.form === form).length;
}

function throughputFigures(analysis: RunAnalysis): Figures {
  const { throughput, recoveries, record } = analysis;
  if (throughput === null) return {};
  const dips: Dip[] = [];
  const retained: number[] = [];
  for (const [at, { effectUs }] of recoveries.entries()) {
    const toUs = recoveries[at + 1]?.effectUs ?? Number.MAX_SAFE_INTEGER;
    const dip = dipWithin(throughput, { fromUs: effectUs, toUs });
    if (dip !== null) dips.push(dip);
    const share = retainedFrom(throughput, effectUs);
    if (share !== null) retained.push(share);
  }
  const drift = driftPerHour(throughput);
  const straggles = record.events.flatMap((event) =>
    event.kind === "step" && event.straggle !== undefined ? [event.straggle] : [],
  );
  const lostUs = dips.reduce((sum, dip) => sum + dip.lostUs, 0);
  return {
    throughputStabilityBaseline: stabilityIndex(throughput.baseline, throughput.usualRate),
    throughputVariation: rateVariation(throughput),
    throughputDriftPercentPerHour: drift?.slope ?? null,
    throughputDriftLow: drift?.low ?? null,
    throughputDriftHigh: drift?.high ?? null,
    dipDepthMax: recoveries.length === 0 ? null : most(dips.map(({ depth }) => depth)),
    dipSecondsMax:
      recoveries.length === 0 ? null : most(dips.map(({ durationUs }) => durationUs / 1e6)),
    lostUnits: dips.reduce((sum, dip) => sum + dip.lostUnits, 0),
    lostGpuHours: (lostUs / hourUs) * devicesOf(analysis),
    retainedThroughput: retained.length === 0 ? null : least(retained),
    straggleMax: straggles.length === 0 ? null : most(straggles),
  };
}

function recoveryFigures(analysis: RunAnalysis): Figures {
  const { recoveries, record, baselineSplit, split, lineage } = analysis;
  const endUs = jobEndUs(record);
  const median = (phase: Parameters<typeof phaseDurations>[1]) =>
    medianSeconds(phaseDurations(recoveries, phase, endUs));
  const stepUs = medianOf((baselineSplit ?? split).stepsUs) ?? 0;
  const radii = recoveries
    .filter(({ ranksHit }) => ranksHit > 0)
    .map(({ ranksRestarted, ranksHit }) => ranksRestarted / ranksHit);
  return {
    detectSeconds: median("detect"),
    isolateSeconds: median("isolate"),
    reformSeconds: median("reform"),
    loadSeconds: median("load"),
    regainSeconds: median("regain"),
    steadySeconds: median("steady"),
    recoveries: recoveries.length,
    recoveriesCensored: recoveries.filter(({ endsUs }) => endsUs.first === null).length,
    stepsLost: lineage.dropped.length,
    stepsLostMax: most(recoveries.map(({ stepsLost }) => stepsLost)),
    lostProgressGpuHours: ((lineage.dropped.length * stepUs) / hourUs) * devicesOf(analysis),
    blastRadiusMax: radii.length === 0 ? null : most(radii),
    falseAlarms: recoveries.filter(({ faults }) => faults.length === 0).length,
  };
}

function rollbackFigures({ rollbacks }: RunAnalysis, succeeded: number): Figures {
  const interval = rollbacks.length === 0 ? null : clopperPearson(succeeded, rollbacks.length);
  return {
    rollbackAttempts: rollbacks.length,
    rollbackSuccessLow: interval?.low ?? null,
    rollbackSuccessHigh: interval?.high ?? null,
    checkpointsRefused: rollbacks.reduce((sum, { refused }) => sum + refused.length, 0),
    falseAccepts: rollbacks.filter(({ failure }) => failure === "false-accept").length,
  };
}

function memoryAndRequests({ memory, requests }: RunAnalysis): Figures {
  return {
    fragmentationExternal: memory?.externalP95 ?? null,
    memorySlack: memory?.slackP95 ?? null,
    fragmentationTrendPerHour: memory?.trendPerHour ?? null,
    allocatorRetries: memory?.retries ?? null,
    outOfMemories: memory?.outOfMemories ?? null,
    reservedGrowthMax: memory?.reservedGrowthMax ?? null,
    requestsAnswered: requests?.answered ?? null,
    requestsFailed: requests?.failed ?? null,
    requestLatencyP99Seconds: seconds(requests?.latencyP99Us ?? null),
  };
}

function seconds(us: number | null): number | null {
  return us === null ? null : us / 1e6;
}

function stuckFigures(analysis: RunAnalysis): Figures {
  const { plan, split, record, stuck } = analysis;
  const nodeHours = (plan.fleet.nodes * split.wallUs) / hourUs;
  const faults = record.injections.filter(({ effectUs }) => effectUs !== null).length;
  const perThousand = (form: "deadlock" | "livelock" | "hang") =>
    nodeHours > 0 ? (1000 * countStuck(analysis, form)) / nodeHours : null;
  return {
    hangs: countStuck(analysis, "hang"),
    deadlocksPer1000NodeHours: perThousand("deadlock"),
    livelocksPer1000NodeHours: perThousand("livelock"),
    hangsPer1000NodeHours: perThousand("hang"),
    stuckPerFault: faults === 0 ? null : stuck.length / faults,
  };
}

function timeFigures(analysis: RunAnalysis): Figures {
  const { split, lineage } = analysis;
  const { totalsUs, wallUs } = split;
  const share = (us: number) => (wallUs > 0 ? us / wallUs : null);
  return {
    ettrSlidingMin: slidingEttrMin(split, hourUs),
    badputStartup: share(totalsUs.startup),
    badputSave: share(totalsUs.save),
    badputRecovery: share(totalsUs.recovery),
    badputWasted: share(totalsUs.wasted),
    badputPaused: share(totalsUs.paused),
    badputOther: share(totalsUs.other),
    steps: lineage.survivors.length,
    wallSeconds: wallUs / 1e6,
    gpuHours: (wallUs / hourUs) * devicesOf(analysis),
  };
}

/** GPUs that the job holds. */
function devicesOf({ plan: { workload, fleet } }: RunAnalysis): number {
  switch (workload.kind) {
    case "training":
      return workload.shape.dp * workload.shape.tp * workload.shape.pp;
    case "inference":
      return workload.replicas;
    default:
      return fleet.nodes * fleet.devicesPerNode;
  }
}

function most(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

function least(values: readonly number[]): number {
  return values.reduce((smallest, value) => Math.min(smallest, value), Number.POSITIVE_INFINITY);
}
