import type { DeviceMemory } from "./device-memory.ts";
import type { FleetLayout } from "./layout.ts";

/** Something that was broken or slowed, for putting it right again. */
export type MachineHandle = number & { readonly machineHandle: unique symbol };

/** `hung` takes orders and never finishes; `dead` is not there. A device of a lost node is dead. */
export type DeviceState = "up" | "hung" | "dead";

/** Told at once when the effective state changes, however many faults are behind it. */
export interface MachineListener {
  slotChanged?(slot: number, state: DeviceState): void;
  nodeLost?(node: number): void;
  nodeBack?(node: number): void;
}

/**
 * The machines of a simulated fleet. Faults are handles: each is undone on its own, and what is still broken
 * follows from all of those that are left.
 */
export interface Machines {
  readonly layout: FleetLayout;
  stateOf(slot: number): DeviceState;
  isNodeUp(node: number): boolean;
  /** What is asked for every message, in one word. */
  readonly areAllNodesUp: boolean;
  /** How many times longer everything takes; 1 is as usual. */
  slowFactorOf(slot: number): number;
  memoryOf(slot: number): DeviceMemory;
  listen(listener: MachineListener): void;

  killDevice(slot: number): MachineHandle;
  hangDevice(slot: number): MachineHandle;
  /** @param factor at least 1 */
  slowDevice(slot: number, factor: number): MachineHandle;
  /** With all of its devices. Comes back by itself after `repairUs`, if that is given. */
  loseNode(node: number, options?: { readonly repairUs?: number }): MachineHandle;
  /** Every node of it at once, as by its power or its switch. */
  loseRack(rack: number, options?: { readonly repairUs?: number }): MachineHandle;
  /** Memory that something else on the device holds. */
  takeMemory(slot: number, bytes: number): MachineHandle;
  /** Pins small pieces all over the memory, so that what is free is in pieces of at most `gapBytes`. */
  fragmentMemory(slot: number, gapBytes: number): MachineHandle;
  /** False when it was put right before. */
  undo(handle: MachineHandle): boolean;

  /** What is not as it should be, each in a few words; from the machines' state, not from the handles. */
  lookForFaults(): readonly string[];
}
