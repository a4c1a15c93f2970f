/** What goes down with one failure: from a device to all racks of a power feed. */
export type Extent = "device" | "node" | "link" | "tor" | "rack" | "power";

/** Something on a node that stops a job. */
export interface Incident {
  readonly atUs: number;
  readonly node: number;
  /** Index in `causes` of the model. */
  readonly cause: number;
  readonly extent: Extent;
  /** First of the devices that it hits, within the node; 0 where it hits all. */
  readonly device: number;
  /** How many devices of the node it hits. */
  readonly devices: number;
  /** How long what it hit is out; 0: a restart is enough. */
  readonly repairUs: number;
}

/** A node is slow for a while. */
export interface Straggling {
  readonly atUs: number;
  readonly node: number;
  /** 1.1: everything takes 10 % longer. */
  readonly slowdown: number;
  readonly durationUs: number;
  readonly reason: "compute" | "communication";
}

/** What stops a job for no fault of its machines. */
export interface JobStop {
  readonly atUs: number;
  /** Index in `causes` of the model; -1: planned, or a cause that the model does not name. */
  readonly cause: number;
  readonly isPlanned: boolean;
}

/** A device that computes wrong now and then. */
export interface DefectiveDevice {
  readonly device: number;
  readonly perOperation: number;
  /** What it makes are NaNs. */
  readonly isNotANumber: boolean;
}
