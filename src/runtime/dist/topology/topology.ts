import type { DType } from "../../tensor/dtype/index.ts";

/** A number with the place it comes from, so that a reader can judge it. */
export interface Sourced {
  readonly value: number;
  /** Data sheet, measurement or fit, in a few words. */
  readonly source: string;
}

/** The network between NVLink or xGMI domains. */
export interface Network {
  /** `ndr`, `xdr`, or a name of the user's own. */
  readonly name: string;
  /** What one NIC carries in one direction, in GB/s, by the data sheet. */
  readonly nicGBps: Sourced;
  /** The share of that which collectives reach with large messages; above 0, up to 1. */
  readonly usableShare: Sourced;
  /** NICs for each GPU; 1 on every system sold today. */
  readonly nicsPerGpu: number;
  /** What a collective over the network costs before its first step, in microseconds. */
  readonly baseUs: Sourced;
  /** What a step of a ring costs inside a domain while the ring spans several, in microseconds. */
  readonly innerHopUs: Sourced;
  /** What a step of a ring from one domain to the next costs, in microseconds. */
  readonly hopUs: Sourced;
  /** What a full exchange between two domains costs, as trees and halving-doubling do, in microseconds. */
  readonly exchangeUs: Sourced;
  /** The share of the shorter phases of a hierarchical collective that hides behind the longest; 0 to 1. */
  readonly phaseOverlap: Sourced;
}

/** The links inside one NVLink or xGMI domain. */
export interface Fabric {
  /** `switched`: every GPU reaches every other at full rate; `mesh`: one direct link for each pair. */
  readonly kind: "switched" | "mesh";
  /** What all links of one GPU carry in one direction, in GB/s, by the data sheet. */
  readonly linkGBps: Sourced;
  /** Whether the switch adds (NVLS, SHARP), which lets an all-reduce carry half the bytes. */
  readonly reducesInSwitch: boolean;
  /** Which set of fitted constants the time model takes, and by which its times are scaled. */
  readonly calibration: Calibration;
}

/** The family of measured curves a fabric is modelled by. */
export interface Calibration {
  /** The architecture whose curves were fitted. */
  readonly family: "gb200" | "b200" | "h100" | "mi350";
  /** Time of the part that grows with bytes, relative to the family; 1 for the family itself. */
  readonly transferScale: Sourced;
  /** Time of the part that does not, relative to the family; 1 for the family itself. */
  readonly latencyScale: Sourced;
}

/** What one GPU can do, for the report's efficiency column. */
export interface Gpu {
  readonly name: string;
  readonly hbmGBps: number;
  /** Dense peak, in TFLOP/s, without sparsity. */
  readonly peakTflops: Readonly<Partial<Record<DType, number>>>;
}

/** A system a collective can be modelled on. */
export interface Topology {
  /** The canonical name: `gb200-nvl72`, `hgx-h100`, `hgx-h100+xdr`, or the user's own. */
  readonly name: string;
  readonly title: string;
  /** GPUs that share one host. */
  readonly gpusPerNode: number;
  /** GPUs that one NVLink or xGMI domain joins. */
  readonly domainGpus: number;
  readonly gpu: Gpu;
  readonly fabric: Fabric;
  /** Absent where domains cannot be joined. */
  readonly network?: Network;
  /** What this very machine was measured to do, by collective; it goes before the family's curves. */
  readonly measured?: Readonly<Record<string, MeasuredFit>>;
}

/** A collective's times on one machine, fitted to measurements. */
export interface MeasuredFit {
  /** By the names of the form in `../time-model/forms/own.ts`; times in microseconds, rates for each MB. */
  readonly weights: Readonly<Record<string, number>>;
  /** Groups and sizes that were measured; beyond them the fit is stretched. */
  readonly devices: { readonly min: number; readonly max: number };
  readonly bytes: { readonly min: number; readonly max: number };
}
