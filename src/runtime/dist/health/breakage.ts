import type { DeviceId } from "../mesh/index.ts";

/** A half-open range: `[0, 64]` holds 0 to 63. */
export type Range = readonly [from: number, to: number];

/**
 * Devices on one side of a broken network. `range` counts nodes where the mesh has a `node` or
 * `host` axis, and device numbers elsewhere; the other forms say which they mean.
 */
export type Side =
  | { readonly range: Range }
  | { readonly nodes: Range }
  | { readonly deviceRange: Range }
  | { readonly devices: readonly DeviceId[] };

/** A link in one direction. */
export type Link = readonly [from: DeviceId, to: DeviceId];

/** A device that takes no part in anything any more. */
export interface DeadDevice {
  readonly kind: "dead";
  readonly device: DeviceId;
}

/** Links that carry nothing. */
export interface Cut {
  readonly kind: "cut";
  /** Devices of different sides do not reach each other; what no side names is one more side. */
  readonly sides?: readonly Side[];
  /** Single links, each in the direction given. */
  readonly links?: readonly Link[];
  /** Only what goes from an earlier side to a later one is lost. @default false */
  readonly asymmetric?: boolean;
}

/** Links that carry everything, only slower: modelled times grow, values do not change. */
export interface Slow {
  readonly kind: "slow";
  /** How many times longer a transfer takes; from 1. Several on one link multiply. */
  readonly factor: number;
  /** Links between different sides. Without `sides`, `links` and `device`: every link. */
  readonly sides?: readonly Side[];
  readonly links?: readonly Link[];
  /** Every link of this device, in both directions. */
  readonly device?: DeviceId;
}

/** A device that computes or sends a wrong bit, and does not notice. */
export interface Corrupt {
  readonly kind: "corrupt";
  readonly device: DeviceId;
  /** Row-major index in the device's own data. An operation on fewer elements is spared. */
  readonly element: number;
  /** Counted from the lowest. A dtype with fewer bits is spared. */
  readonly bit: number;
  /** The operation it happens in (`all-reduce`, `matmul`). Without it, in every one. */
  readonly when?: string;
  /**
   * What the device hands to a collective, or what it is left with. Computations have only
   * outputs. @default "contribution"
   */
  readonly where?: "contribution" | "output";
}

/** One thing that is broken. */
export type Breakage = DeadDevice | Cut | Slow | Corrupt;
