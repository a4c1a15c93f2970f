export { createMachines, type MachinesOptions } from "./create-machines.ts";
export type { DeviceMemory, MemoryPiece } from "./device-memory.ts";
export { type FateDomain, type FleetLayout, layOut } from "./layout.ts";
export type { DeviceState, MachineHandle, MachineListener, Machines } from "./machines.ts";
