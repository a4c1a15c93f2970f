import type { Provenance } from "../../platform/words.ts";

/**
 * One operation as a session sees it. What is not known is left out (or undefined), never 0: a
 * report shows it as "-" and telemetry as null.
 */
export interface OpRecord {
  /** What ran: `all-reduce`, `matmul`. */
  readonly op: string;
  readonly kind: "collective" | "compute" | "copy";
  /** Size of the work: S of nccl-tests for a collective, bytes read and written for the rest. */
  readonly bytes: number;
  /** Floating-point operations; 0 when it did none. */
  readonly flops: number;
  /** Devices that took part, all groups together. */
  readonly devices: number;
  /** Groups that ran the operation at the same time. */
  readonly groups: number;
  /** How long it took; undefined when neither a model nor a clock can say. */
  readonly timeUs: number | undefined;
  /** Where `timeUs` comes from. */
  readonly source: Provenance;
  readonly algorithm?: string | undefined;
  readonly dtype?: string | undefined;
  readonly shape?: readonly number[] | undefined;
  readonly topology?: string | undefined;
  /** The mesh axes it ran over. */
  readonly axes?: readonly string[] | undefined;
  readonly algbwGBps?: number | undefined;
  readonly busbwGBps?: number | undefined;
  /** Bus bandwidth as a share of one GPU's link, in one direction. */
  readonly linkPercent?: number | undefined;
  readonly bisectionPercent?: number | undefined;
  readonly aggregatePercent?: number | undefined;
  /** What the devices together could compute at most, in GFLOP/s. */
  readonly peakGflops?: number | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** What `measured` needs to know about an operation; the clock gives the rest. */
export type MeasuredOp = Omit<OpRecord, "timeUs" | "source">;
