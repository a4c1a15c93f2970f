import type { DeviceId } from "../../../runtime/dist/mesh/index.ts";

/** A half-open range of numbers: `[0, 64]` is 0 to 63. */
export type FaultRange = readonly [from: number, to: number];

/** One, or several. */
export type OneOrMore<T> = T | readonly T[];

/** A number with a unit: `50ms`, `1.5s`. */
export type Duration = string;

/** What to break. Several faults in one spec begin and end together. */
export interface FaultSpec {
  /** A device, or several, that take part in nothing any more. */
  readonly dropDevice?: OneOrMore<DeviceId>;
  /** The same, as a device that fell off the bus (XID 79). */
  readonly offBus?: OneOrMore<DeviceId>;
  /** Memory errors that cannot be corrected. */
  readonly ecc?: OneOrMore<DeviceId | EccFault>;
  /** A device's NVLinks: to the others of its node nothing gets through, or slowly. */
  readonly nvlink?: OneOrMore<DeviceId | NvlinkFault>;
  /** Devices that take work and never finish it: whatever needs them ends by a timeout. */
  readonly hang?: OneOrMore<DeviceId | HangFault>;
  /** Devices that compute slower than they could. Only modelled times change. */
  readonly straggler?: OneOrMore<StragglerFault>;
  /** Devices that have no memory left: operations on them fail. */
  readonly outOfMemory?: OneOrMore<DeviceId | MemoryFault>;
  /**
   * Ranges whose members do not reach anything outside their own range: of nodes where the mesh has
   * an axis of nodes, of device numbers elsewhere. What no range names stays together. Or groups of
   * devices, or single links.
   */
  readonly networkPartition?: readonly FaultRange[] | PartitionFault;
  /** Every message takes so much longer. Only modelled times change. */
  readonly latency?: Duration | LatencyFault;
  /** Every operation takes up to so much longer, by chance. Only modelled times change. */
  readonly jitter?: Duration | JitterFault;
  /**
   * A share of packets is lost and sent again, so that transfers take longer; from about 0.96 on a connection
   * does not survive, and the links are cut.
   */
  readonly packetLoss?: number | LossFault;
  /** What links carry at most, in GB/s. Only modelled times change. */
  readonly bandwidth?: number | BandwidthFault;
  /** A device, or several, whose results have a wrong bit: silent data corruption. */
  readonly bitFlip?: OneOrMore<BitFlip>;
  /** The same with a NaN instead of a wrong bit. */
  readonly notANumber?: OneOrMore<NotANumber>;
  /** Collectives that nobody is answered in: they end by a timeout. */
  readonly dropCollective?: DropCollective;
  /** Collectives that take longer. Only modelled times change. */
  readonly delayCollective?: Duration | DelayCollective;
  /** Collectives in which what a device hands in has a wrong bit. */
  readonly corruptCollective?: CorruptCollective;
}

export interface EccFault {
  readonly device: DeviceId;
  /** 48 and 95: the device is lost. 94: contained, the next operation on it fails and no other. @default 48 */
  readonly xid?: 48 | 94 | 95;
}

export interface NvlinkFault {
  readonly device: DeviceId;
  /** @default "down" */
  readonly state?: "down" | "degraded";
  /** How many times longer a transfer takes when it is degraded. @default 4 */
  readonly factor?: number;
}

export interface HangFault {
  readonly device: DeviceId;
  /** What everybody waits in vain, in modelled time. @default "10m" */
  readonly timeout?: Duration;
}

export interface StragglerFault {
  readonly device: DeviceId;
  /** How many times longer it computes. @default 2 */
  readonly factor?: number;
}

export interface MemoryFault {
  readonly device: DeviceId;
  /** The operation that finds none. @default every one */
  readonly op?: string;
}

export interface PartitionFault {
  readonly ranges?: readonly FaultRange[];
  /** Devices that still reach each other; what no group names is one more. */
  readonly groups?: readonly (readonly DeviceId[])[];
  /** Single links, each in the direction given. */
  readonly links?: readonly (readonly [from: DeviceId, to: DeviceId])[];
  /** Only what goes from an earlier range or group to a later one is lost. @default false */
  readonly asymmetric?: boolean;
}

/** Which links. @default all */
export interface LinkFault {
  /** Links between these. */
  readonly ranges?: readonly FaultRange[];
  readonly groups?: readonly (readonly DeviceId[])[];
  readonly links?: readonly (readonly [from: DeviceId, to: DeviceId])[];
  /** Every link of this device. */
  readonly device?: DeviceId;
}

export interface LatencyFault extends LinkFault {
  readonly latency: Duration;
}

export interface JitterFault extends LinkFault {
  readonly jitter: Duration;
  /** @default 0 */
  readonly seed?: string | number;
}

export interface LossFault extends LinkFault {
  /** From 0 to 1. */
  readonly share: number;
}

export interface BandwidthFault extends LinkFault {
  readonly capGBps: number;
}

/** A bit that a device gets wrong without noticing. */
export interface BitFlip extends NotANumber {
  /** Counted from the lowest; a dtype with fewer bits is spared. @default 0 */
  readonly bit?: number;
}

export interface NotANumber {
  readonly device: DeviceId;
  /** Row-major index in the device's own data; an operation on fewer elements is spared. @default 0 */
  readonly element?: number;
  /** The operation it happens in, `matmul` or `all-reduce`. @default every one */
  readonly op?: string;
  /** What the device hands to a collective, or what it is left with. @default "contribution" */
  readonly where?: "contribution" | "output";
}

/** Which of the collectives that pass, counted from the beginning of the scope. @default all */
export interface WhichCollectives {
  /** The collective, `all-reduce`. @default every one */
  readonly op?: string;
  /** The n-th alone, from 1. */
  readonly nth?: number;
  /** Or each with this chance, from 0 to 1; the same seed gives the same ones. */
  readonly share?: number;
  /** @default 0 */
  readonly seed?: string | number;
  /** At most so many. */
  readonly times?: number;
}

export interface DropCollective extends WhichCollectives {
  /** What everybody waits in vain, in modelled time. @default "10m" */
  readonly timeout?: Duration;
}

export interface DelayCollective extends WhichCollectives {
  readonly delay: Duration;
}

export interface CorruptCollective extends WhichCollectives {
  readonly device: DeviceId;
  /** @default 0 */
  readonly element?: number;
  /** Counted from the lowest. @default 0 */
  readonly bit?: number;
}
