import assert from "node:assert/strict";
import { type Clock, createRealClock, createScaledClock } from "../../../platform/time/index.ts";
import { fleetChecks } from "../../fleet-log/index.ts";
import { type FleetPlan, planFleet } from "../../fleet-log/options.ts";
import type { HandInWay, RunResult } from "../../run.ts";
import { type SimulatedDefectKind, simulatedDefectKinds } from "./truth.ts";

/** How often a check's pod meets with trouble that says nothing about its node, as shares of runs. */
export interface PodTrouble {
  /** Never gets its image, and waits until it is cancelled. @default 0.01 */
  readonly stuck: number;
  /** Is killed on the way and hands in nothing. @default 0.01 */
  readonly dies: number;
  /** Hangs, and gives up when its time is over. @default 0.005 */
  readonly hangs: number;
  /** Its post does not get through. @default 0.03 */
  readonly postFails: number;
  /** Its file is not written. @default 0.02 */
  readonly fileFails: number;
}

/** What a simulated cluster is like. Everything that happens by chance follows from the seed. */
export interface SimulatedClusterOptions {
  /** The name of the cluster in the configuration. */
  readonly name: string;
  /** Repeats everything: same seed, same calls at the same simulated times, same bits. */
  readonly seed: string;
  /** @default 128 */
  readonly nodes?: number;
  /** @default 8 */
  readonly gpusPerNode?: number;
  /** @default 16 */
  readonly nodesPerRack?: number;
  /** The model of all GPUs. @default "h100-sxm5-80gb" */
  readonly sku?: string;

  /** The time of the cluster, where somebody else moves it; leaves `speed` and the rest without use. */
  readonly clock?: Clock;
  /** How many times faster than `baseClock` time passes. @default 1440: a day a minute */
  readonly speed?: number;
  /** @default the machine's clock, whose timers do not keep the process alive */
  readonly baseClock?: Clock;
  /**
   * The simulated time it begins at: later than every record of this cluster, since the world of an
   * earlier process is gone and time must not repeat itself. @default what `baseClock` says
   */
  readonly startAtMs?: number;

  /** Takes a result, as a pod hands it in: by both ways, by one, or not at all. Must not throw. */
  readonly onResult?: (result: RunResult, way: HandInWay) => void;

  /** Share of nodes that users' jobs take. @default 0.85 */
  readonly utilisation?: number;
  /** Median length of a user's job. @default 6 */
  readonly jobHours?: number;
  /** Share of nodes that are defective at the start; kinds are dealt out in turn. @default 0.06 */
  readonly defectiveShare?: number;
  /** New defects per 1000 node-days. @default 8 */
  readonly defectsPer1000NodeDays?: number;
  /** The kinds of defects there are. @default all */
  readonly defectKinds?: readonly SimulatedDefectKind[];
  /** Multiplies what defects show outside of checks: crashes and kernel errors. @default 1 */
  readonly evidence?: number;
  /** Nodes that stop answering for about an hour, per 1000 node-days. @default 2 */
  readonly lossesPer1000NodeDays?: number;
  /** Planned work on nodes that repairs nothing, per 1000 node-days. @default 2.5 */
  readonly maintenancePer1000NodeDays?: number;
  /** Mean time until somebody else finds a defect and repairs it; 0 means never. @default 30 */
  readonly repairDays?: number;
  /** How long a node that we closed waits for its repair, about. @default 24 */
  readonly repairHours?: number;
  /** Share of hours in which the shared file system is slow for everyone. @default 0.02 */
  readonly slowStorageHours?: number;
  readonly podTrouble?: Partial<PodTrouble>;
  /** How long each check holds a node, about; checks not named here cannot be run. @default the catalogue's */
  readonly checkMinutes?: Readonly<Record<string, number>>;
  /** How long finished jobs stay to be seen. @default 3_600_000 */
  readonly jobTtlMs?: number;
}

/** All options, resolved. */
export interface SimulatedPlan {
  readonly name: string;
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly nodesPerRack: number;
  readonly sku: string;
  readonly startAtMs: number;
  /** What it shares with simulated fleet logs. */
  readonly fleet: FleetPlan;
  readonly defectiveShare: number;
  readonly defectKinds: readonly SimulatedDefectKind[];
  readonly lossesPer1000NodeDays: number;
  readonly maintenancePer1000NodeDays: number;
  readonly repairHours: number;
  readonly slowStorageHours: number;
  readonly podTrouble: PodTrouble;
  readonly checkMinutes: ReadonlyMap<string, number>;
  readonly jobTtlMs: number;
}

const nodesMax = 100_000;
const gpusMax = 64;
const podTroubleDefault: PodTrouble = {
  stuck: 0.01,
  dies: 0.01,
  hangs: 0.005,
  postFails: 0.03,
  fileFails: 0.02,
};

/** Fills in the defaults. The clock is made here, so that it starts when the world does. */
export function resolvePlan(options: SimulatedClusterOptions): {
  readonly plan: SimulatedPlan;
  readonly clock: Clock;
} {
  const { nodes = 128, gpusPerNode = 8, nodesPerRack = 16 } = options;
  assert(isCount(nodes, nodesMax), `a simulated cluster has 1 to ${nodesMax} nodes`);
  assert(isCount(gpusPerNode, gpusMax), `a simulated node has 1 to ${gpusMax} GPUs`);
  assert(isCount(nodesPerRack, nodesMax), "a rack has at least one node");
  const clock = clockOf(options);
  const minutes =
    options.checkMinutes ?? Object.fromEntries(fleetChecks.map((one) => [one.name, one.minutes]));
  const plan: SimulatedPlan = {
    name: options.name,
    nodes,
    gpusPerNode,
    nodesPerRack,
    sku: options.sku ?? "h100-sxm5-80gb",
    startAtMs: clock.nowMs(),
    fleet: planFleet({
      seed: options.seed,
      nodes,
      utilisation: options.utilisation ?? 0.85,
      jobHours: options.jobHours ?? 6,
      defectsPer1000NodeDays: options.defectsPer1000NodeDays ?? 8,
      evidence: options.evidence ?? 1,
      repairDays: options.repairDays ?? 30,
    }),
    defectiveShare: options.defectiveShare ?? 0.06,
    defectKinds: options.defectKinds ?? simulatedDefectKinds,
    lossesPer1000NodeDays: options.lossesPer1000NodeDays ?? 2,
    maintenancePer1000NodeDays: options.maintenancePer1000NodeDays ?? 2.5,
    repairHours: options.repairHours ?? 24,
    slowStorageHours: options.slowStorageHours ?? 0.02,
    podTrouble: { ...podTroubleDefault, ...options.podTrouble },
    checkMinutes: new Map(Object.entries(minutes)),
    jobTtlMs: options.jobTtlMs ?? 3_600_000,
  };
  return { plan, clock };
}

function clockOf({ clock, speed = 1440, baseClock, startAtMs }: SimulatedClusterOptions): Clock {
  if (clock !== undefined) return clock;
  const base = baseClock ?? createRealClock({ unref: true });
  return createScaledClock({ base, speed, startAtMs: startAtMs ?? base.nowMs() });
}

function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}
