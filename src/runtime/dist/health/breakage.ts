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
  /** What became of it, for whoever reads the error: `XID 79, it fell off the bus`. */
  readonly cause?: string;
}

/** A device that takes work and never finishes it: whatever needs it ends by a timeout. */
export interface HungDevice {
  readonly kind: "hung";
  readonly device: DeviceId;
  /** So long everybody waits, in modelled time. */
  readonly timeoutMs: number;
}

/** A device whose operations fail, though it lives on. */
export interface FailingDevice {
  readonly kind: "failing";
  readonly device: DeviceId;
  /** What its driver says, or what became of the worker on it. */
  readonly error:
    | {
        readonly kind: "driver";
        readonly name: string;
        readonly code: number;
        readonly detail: string;
      }
    | { readonly kind: "worker"; readonly problem: string };
  /** The operation it happens in. Without it, in every one. */
  readonly when?: string;
  /** So many operations fail, then no more. Without it, all of them. */
  readonly times?: number;
}

/** A device that computes slower than it could: modelled times grow, values do not change. */
export interface Straggling {
  readonly kind: "straggling";
  readonly device: DeviceId;
  /** How many times longer it takes; from 1. Several on one device multiply. */
  readonly factor: number;
}

/** Which of the collectives that pass it happens to, counted from when it came into force. */
export interface Passing {
  /** The collective (`all-reduce`). Without it, every one counts. */
  readonly when?: string;
  /** The n-th alone, from 1. */
  readonly nth?: number;
  /** Or each with this chance; the same seed gives the same ones. */
  readonly chance?: { readonly share: number; readonly seed: string | number };
  /** At most so many. */
  readonly times?: number;
}

/** Collectives that nobody is answered in, that take longer, or in which a device's part is changed. */
export interface CollectiveFault extends Passing {
  readonly kind: "collective";
  readonly fate:
    | { readonly kind: "drop"; readonly timeoutMs: number }
    | { readonly kind: "delay"; readonly delayUs: number }
    | {
        readonly kind: "corrupt";
        readonly device: DeviceId;
        readonly element: number;
        readonly bit: number;
      };
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
  /** Every link of this device, in both directions. */
  readonly device?: DeviceId;
  /** Of those, only the links inside its node. */
  readonly within?: "node";
  /** Every link there is, where nothing else says which. @default false */
  readonly every?: boolean;
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
  /** Of those, only the links inside its node. */
  readonly within?: "node";
  /** Added to every message, in microseconds. @default 0 */
  readonly addUs?: number;
  /** Up to so much more, evenly, by chance with the seed; drawn once for each operation. */
  readonly jitter?: { readonly upToUs: number; readonly seed: string | number };
  /** They carry no more than this. */
  readonly capGBps?: number;
}

/** A device that computes or sends a wrong bit, and does not notice. */
export interface Corrupt {
  readonly kind: "corrupt";
  readonly device: DeviceId;
  /** Row-major index in the device's own data. An operation on fewer elements is spared. */
  readonly element: number;
  /** Counted from the lowest; `nan` makes it no number. A dtype with fewer bits, or without NaN, is spared. */
  readonly bit: number | "nan";
  /** The operation it happens in (`all-reduce`, `matmul`). Without it, in every one. */
  readonly when?: string;
  /**
   * What the device hands to a collective, or what it is left with. Computations have only
   * outputs. @default "contribution"
   */
  readonly where?: "contribution" | "output";
}

/** One thing that is broken. */
export type Breakage =
  | DeadDevice
  | HungDevice
  | FailingDevice
  | Straggling
  | Cut
  | Slow
  | Corrupt
  | CollectiveFault;
