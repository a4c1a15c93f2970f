import type { DType } from "../../../tensor/dtype/index.ts";
import type { ReduceOp } from "../../../tensor/reduce/index.ts";
import type { Layout } from "../../layout/index.ts";
import type { DeviceId, Mesh } from "../../mesh/index.ts";

/** What a step does. `fill` keeps partial values on the first rank and gives the others neutral ones. */
export type StepKind =
  | "all-gather"
  | "all-to-all"
  | "slice"
  | "all-reduce"
  | "reduce-scatter"
  | "fill"
  | "copy";

/** Where a tensor lies. */
export interface Placed {
  readonly mesh: Mesh;
  readonly layout: Layout;
}

/** One step of a plan. */
export interface RedistributeStep {
  readonly kind: StepKind;
  readonly from: Placed;
  readonly to: Placed;
  /** The mesh axes it runs over; none for a copy to another mesh. */
  readonly meshAxes: readonly string[];
  /** The dimension that stops being split. */
  readonly gathered?: number;
  /** The dimension that is split anew. */
  readonly scattered?: number;
  /** The reduction of partial values. */
  readonly op?: ReduceOp;
  /** The most bytes that any rank receives. */
  readonly bytesPerRank: number;
  /** Bytes that all ranks receive together. */
  readonly totalBytes: number;
  /** Between which devices a copy goes. */
  readonly links?: LinkSummary;
}

/** What goes over one link in one direction. */
export interface LinkBytes {
  readonly from: DeviceId;
  readonly to: DeviceId;
  readonly bytes: number;
}

/** The links of a copy between meshes. */
export interface LinkSummary {
  /** How many ordered pairs of devices exchange something. */
  readonly pairs: number;
  /** Bytes that stay on their device. */
  readonly bytesInPlace: number;
  /** The most bytes that one device sends. */
  readonly mostSent: number;
  /** The pairs with most bytes, the largest first. */
  readonly busiest: readonly LinkBytes[];
}

/** How a tensor gets from one place to another. */
export interface RedistributePlan {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly from: Placed;
  readonly to: Placed;
  readonly steps: readonly RedistributeStep[];
  readonly totalBytes: number;
  /** The sum over the steps of the most that any rank receives. */
  readonly bytesPerRank: number;
  /** One line per step, with its bytes. */
  describe(): string;
}
