import type { CheckFacts } from "../prioritize/index.ts";
import { type DefectKind, defectKinds, fleetChecks } from "./catalogue.ts";

/** What a simulated fleet is like. Every field has a default. */
export interface FleetLogOptions {
  /** Repeats the log. @default "0" */
  readonly seed?: string;
  /** @default 128 */
  readonly nodes?: number;
  /** @default 30 */
  readonly days?: number;
  /** Share of node-hours that jobs take. @default 0.85 */
  readonly utilisation?: number;
  /** Multiplies what defects show to others: crashes and kernel events. 0: none. @default 1 */
  readonly evidence?: number;
  /** How unlike defects of one kind are in what they show: sigma of a log-normal. @default 0.5 */
  readonly evidenceSpread?: number;
  /** New defects per 1000 node-days, over the whole fleet. @default 8 */
  readonly defectsPer1000NodeDays?: number;
  /** Share of nodes that are lemons. @default 0.08 */
  readonly lemonShare?: number;
  /** How many times more often a lemon breaks than another node. @default 10 */
  readonly lemonFactor?: number;
  /** Crashes that are nobody's fault, per node and busy hour. @default 0.002 */
  readonly healthyCrashesPerHour?: number;
  /** Kernel events of faulty programs, per node and busy hour. @default 0.001 */
  readonly programEventsPerHour?: number;
  /** Share of jobs with a bug that crashes them again and again. @default 0.01 */
  readonly buggyJobShare?: number;
  /** Median length of a job. @default 6 */
  readonly jobHours?: number;
  /** Nodes of the largest job; sizes are powers of two. @default 16 */
  readonly jobNodesMax?: number;
  /** Share of crashes after which a job restarts on the same nodes. @default 0.3 */
  readonly restartShare?: number;
  /** Mean time until somebody else repairs a defect; 0 means never. @default 30 */
  readonly repairDays?: number;
  /** The daily budget, as a share of what testing every node in 7 days costs. @default 0.5 */
  readonly budget?: number;
  /** Tests at the same time. @default one for each 16 nodes */
  readonly inFlight?: number;
  /** @default the built-in kinds */
  readonly kinds?: readonly DefectKind[];
  /** @default dl-unit, nccl-loopback and storage-io */
  readonly checks?: readonly CheckFacts[];
}

/** All options, resolved. */
export type FleetPlan = Required<FleetLogOptions>;

/** Fills in the defaults. */
export function planFleet(options: FleetLogOptions): FleetPlan {
  const nodes = options.nodes ?? 128;
  return {
    seed: "0",
    nodes,
    days: 30,
    utilisation: 0.85,
    evidence: 1,
    evidenceSpread: 0.5,
    defectsPer1000NodeDays: 8,
    lemonShare: 0.08,
    lemonFactor: 10,
    healthyCrashesPerHour: 0.002,
    programEventsPerHour: 0.001,
    buggyJobShare: 0.01,
    jobHours: 6,
    jobNodesMax: 16,
    restartShare: 0.3,
    repairDays: 30,
    budget: 0.5,
    inFlight: Math.max(1, Math.round(nodes / 16)),
    kinds: defectKinds,
    checks: fleetChecks,
    ...options,
  };
}
