import type { Topology } from "../../dist/topology/index.ts";
import type { ScalingKind } from "../fits/types.ts";
import type { Split, Workload } from "../workload/types.ts";

/** What can be switched off in a replay of the model, each by itself. */
export const knobs = [
  "latency",
  "link-bandwidth",
  "network-bandwidth",
  "bubble",
  "skew",
  "checkpoint",
  "kernels",
  "remainder",
  "serial",
] as const;
export type Knob = (typeof knobs)[number];

/** One step to be timed. */
export interface StepQuery {
  readonly kind: ScalingKind;
  readonly devices: number;
  readonly topology: Topology;
  readonly workload: Workload;
  readonly split: Split;
  /** Sums in a fixed order: no trees, nothing added in switches. @default false */
  readonly deterministic?: boolean;
  /** Causes that are taken away. @default none */
  readonly without?: ReadonlySet<Knob>;
}

/** The parts of a step, one after the other. */
export const stepParts = [
  "compute",
  "tensor",
  "pipeline",
  "bubble",
  "data",
  "checkpoint",
  "straggler",
  "serial",
] as const;
export type StepPart = (typeof stepParts)[number];

/** A modelled step. */
export interface StepTime {
  readonly timeS: number;
  /** They add up to the time. */
  readonly partsS: Readonly<Record<StepPart, number>>;
  /** Sequences of all devices together. */
  readonly sequences: number;
  readonly tokens: number;
  /** Arithmetic of the model itself, of what the devices could do in this time. */
  readonly modelFlopsShare: number;
}
