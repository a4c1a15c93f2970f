import type { Topology } from "../../dist/topology/index.ts";
import type { Attribution, Bottleneck } from "../attribution/index.ts";
import type { ScalingCurve, ScalingFits, ScalingKind } from "../fits/index.ts";
import type { Split, Workload } from "../workload/index.ts";
import type { SplitMemory } from "./choose-split.ts";
import type { GroupFigure } from "./group-figures.ts";

/** What sums in a fixed order cost. */
export interface DeterminismPrice {
  readonly fastS: number;
  readonly deterministicS: number;
  /** deterministic / fast - 1. */
  readonly price: number;
}

/** One number of devices of a modelled study. */
export interface ModelledCount {
  readonly devices: number;
  readonly split: Split;
  readonly memory: SplitMemory;
  readonly attribution: Attribution;
  readonly determinism: DeterminismPrice;
  readonly groups: readonly GroupFigure[];
}

/** A count that was asked for and is not part of the curve. */
export interface LeftOut {
  readonly devices: number;
  readonly reason: string;
}

/** A modelled scaling study. */
export interface ModelledStudy {
  readonly source: "modelled";
  readonly kind: ScalingKind;
  readonly topology: Topology;
  readonly workload: Workload;
  readonly deterministic: boolean;
  readonly curve: ScalingCurve;
  readonly fits: ScalingFits;
  /** One for each point of the curve. */
  readonly counts: readonly ModelledCount[];
  readonly leftOut: readonly LeftOut[];
  readonly bottleneck: Bottleneck;
  readonly notes: readonly string[];
}

/** A study of times that somebody measured. */
export interface MeasuredStudy {
  readonly source: "measured";
  readonly kind: ScalingKind;
  /** Where the times come from. */
  readonly table: string;
  readonly curve: ScalingCurve;
  readonly fits: ScalingFits;
  /** What the fits say of the cause: only the shape of the curve is known, not its parts. */
  readonly reading: string;
  readonly notes: readonly string[];
}

export type ScalingStudy = ModelledStudy | MeasuredStudy;
