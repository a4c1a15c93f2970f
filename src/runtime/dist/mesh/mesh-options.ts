import type { DeviceId, NestedDevices } from "./device-list.ts";
import type { GivenShape } from "./shape-rules.ts";

/** What a mesh is made of. */
export interface MeshOptions {
  /**
   * Names of the axes, slowest first.
   * @default the names of a shape given by name, else one axis called "device"
   */
  readonly axes?: readonly string[];
  /** How many devices (ids 0 to n - 1), their ids in rank order, or ids in nested lists. */
  readonly devices: number | NestedDevices;
  /** The size of each axis; always wins over the rules. */
  readonly shape?: GivenShape;
  /** The system the devices are part of, such as "gb200-nvl72"; tells how many GPUs a node has. */
  readonly topology?: string;
  /** Refuses a shape with an axis of size 1 that no one asked for. @default false */
  readonly strict?: boolean;
}

/** How a mesh goes on without some of its devices. */
export interface WithoutOptions {
  /**
   * Give up whole slices of this axis: every slice that holds one of the devices goes, the other
   * axes keep their size. Without it all other devices stay, and the shape is found anew unless
   * exactly whole slices of one axis went.
   */
  readonly along?: string;
}

/** What a mesh made from another one keeps of it. */
export interface Inherited {
  /** The node each device is on. */
  readonly nodes: ReadonlyMap<DeviceId, number>;
}
