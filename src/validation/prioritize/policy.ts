/** A node, as everyone may know it. */
export interface NodeFacts {
  readonly name: string;
  readonly sku: string;
  readonly rack: string;
  readonly gpus: number;
}

/** A check, with what is known of its power: the chance to find a defect, by kind of defect. */
export interface CheckFacts {
  readonly name: string;
  /** How long it holds a node. */
  readonly minutes: number;
  /** The chance that one run finds a defect of this kind. A kind that is not named is not found. */
  readonly sensitivity: Readonly<Record<string, number>>;
  /** The chance that one run blames a node without a defect. */
  readonly falseAlarm: number;
}

/** What every policy is told before it begins. */
export interface Fleet {
  readonly startS: number;
  /** Where the account of GPU-hours is closed. */
  readonly endS: number;
  readonly nodes: readonly NodeFacts[];
  readonly checks: readonly CheckFacts[];
  readonly limits: {
    /** Tests at the same time. */
    readonly inFlight: number;
    /** GPU-hours of tests begun on one day, a day being floor(t / 86400). */
    readonly gpuHoursPerDay: number;
  };
}

/** What happened, as far as a policy may see it. Nodes and checks go by their place in the fleet. */
export type PublicEvent =
  | { readonly type: "free"; readonly t: number; readonly node: number }
  | { readonly type: "busy"; readonly t: number; readonly node: number }
  | { readonly type: "repair"; readonly t: number; readonly node: number }
  | { readonly type: "returned"; readonly t: number; readonly node: number }
  | {
      /** One crash of one job, on all the nodes it ran on. */
      readonly type: "crash";
      readonly t: number;
      readonly job: string;
      readonly nodes: readonly number[];
    }
  | { readonly type: "kernel"; readonly t: number; readonly node: number; readonly xid: number }
  | {
      readonly type: "tested";
      readonly t: number;
      readonly node: number;
      readonly check: number;
      /** `found`: the node is taken away for repair. `preempted`: the test gave no result. */
      readonly outcome: "passed" | "found" | "preempted";
    };

/** A place in the queue. */
export interface Choice {
  readonly node: number;
  readonly check: number;
  /** Why this one, in words and numbers; made only when somebody reads it. */
  reason(): string;
}

/** What can be begun at the moment a policy is asked. */
export interface Openings {
  readonly nowS: number;
  /** Tests that may still be begun beside those in flight. At least 1. */
  readonly slots: number;
  /** GPU-hours that may still be begun today. */
  readonly gpuHoursLeft: number;
  /** True when the node is free, not under test and not away. */
  isOpen(node: number): boolean;
  /** True when this check of this node is within today's GPU-hours. */
  fits(node: number, check: number): boolean;
}

/**
 * Decides which node is tested next and how. It sees public events in the order they happen and
 * nothing else: no defects, no causes, no future.
 */
export interface Policy {
  readonly name: string;
  /** Takes note of an event. */
  observe(event: PublicEvent): void;
  /** The next test to begin, or undefined to wait until it is asked again. */
  choose(openings: Openings): Choice | undefined;
}

export const secondsPerHour = 3600;
export const secondsPerDay = 86_400;

/** What one run of a check on a node costs, in GPU-hours. */
export function costOf(node: Pick<NodeFacts, "gpus">, check: Pick<CheckFacts, "minutes">): number {
  return (node.gpus * check.minutes) / 60;
}
