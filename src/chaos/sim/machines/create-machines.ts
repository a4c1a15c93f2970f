import assert from "node:assert/strict";
import type { Fleet } from "../../plan/index.ts";
import type { EventKind, SimEngine } from "../engine/index.ts";
import { CachingMemory } from "./device-memory.ts";
import { type FleetLayout, layOut } from "./layout.ts";
import type { DeviceState, MachineHandle, MachineListener, Machines } from "./machines.ts";

export interface MachinesOptions {
  readonly engine: SimEngine;
  readonly fleet: Fleet;
  /** Of each device. @default 16 GiB */
  readonly memoryBytes?: number;
}

const memoryBytesDefault = 16 * 2 ** 30;
const faultsMax = 2 ** 16;

/** All machines up, as fast as ever, with empty memories. */
export function createMachines(options: MachinesOptions): Machines {
  return new FleetMachines(options);
}

class FleetMachines implements Machines {
  readonly layout: FleetLayout;
  readonly #engine: SimEngine;
  readonly #memoryBytes: number;
  /** How many faults hold each device or node in a state. */
  readonly #kills: Uint16Array;
  readonly #hangs: Uint16Array;
  readonly #losses: Uint16Array;
  readonly #slow: Float64Array;
  /** By slot, in the order of injection: a product in another order has other bits. */
  readonly #slowdowns = new Map<number, Map<number, number>>();
  readonly #memories = new Map<number, CachingMemory>();
  readonly #listeners: MachineListener[] = [];
  readonly #undos = new Map<number, () => void>();
  readonly #repair: EventKind;
  #handles = 0;
  #lostNodes = 0;

  constructor({ engine, fleet, memoryBytes = memoryBytesDefault }: MachinesOptions) {
    this.#engine = engine;
    this.layout = layOut(fleet);
    this.#memoryBytes = memoryBytes;
    this.#kills = new Uint16Array(this.layout.slots);
    this.#hangs = new Uint16Array(this.layout.slots);
    this.#losses = new Uint16Array(this.layout.nodes);
    this.#slow = new Float64Array(this.layout.slots).fill(1);
    this.#repair = engine.kind("machines.repair", (handle) => {
      this.undo(handle as MachineHandle);
    });
  }

  stateOf(slot: number): DeviceState {
    this.#assertSlot(slot);
    const node = this.layout.nodeOf(slot);
    if ((this.#kills[slot] as number) > 0 || (this.#losses[node] as number) > 0) return "dead";
    return (this.#hangs[slot] as number) > 0 ? "hung" : "up";
  }

  isNodeUp(node: number): boolean {
    this.#assertNode(node);
    return this.#losses[node] === 0;
  }

  get areAllNodesUp(): boolean {
    return this.#lostNodes === 0;
  }

  slowFactorOf(slot: number): number {
    this.#assertSlot(slot);
    return this.#slow[slot] as number;
  }

  memoryOf(slot: number): CachingMemory {
    this.#assertSlot(slot);
    const memory = this.#memories.get(slot) ?? new CachingMemory(this.#memoryBytes);
    this.#memories.set(slot, memory);
    return memory;
  }

  listen(listener: MachineListener): void {
    this.#listeners.push(listener);
  }

  killDevice(slot: number): MachineHandle {
    this.#count(this.#kills, [slot], 1);
    return this.#inForce("machines.kill", slot, () => this.#count(this.#kills, [slot], -1));
  }

  hangDevice(slot: number): MachineHandle {
    this.#count(this.#hangs, [slot], 1);
    return this.#inForce("machines.hang", slot, () => this.#count(this.#hangs, [slot], -1));
  }

  slowDevice(slot: number, factor: number): MachineHandle {
    this.#assertSlot(slot);
    assert(factor >= 1 && factor < Infinity, "what is slowed takes at least as long as before");
    const factors = this.#slowdowns.get(slot) ?? new Map<number, number>();
    this.#slowdowns.set(slot, factors);
    const handle = this.#inForce("machines.slow", slot, () => {
      factors.delete(handle);
      this.#slow[slot] = product(factors.values());
    });
    factors.set(handle, factor);
    this.#slow[slot] = product(factors.values());
    return handle;
  }

  loseNode(node: number, { repairUs }: { readonly repairUs?: number } = {}): MachineHandle {
    return this.#lose("machines.lose-node", node, [node], repairUs);
  }

  loseRack(rack: number, { repairUs }: { readonly repairUs?: number } = {}): MachineHandle {
    assert(rack >= 0 && rack < this.layout.racks, "a rack of the fleet");
    return this.#lose("machines.lose-rack", rack, this.layout.nodesOfRack(rack), repairUs);
  }

  takeMemory(slot: number, bytes: number): MachineHandle {
    const memory = this.memoryOf(slot);
    const handle = this.#inForce("machines.take-memory", slot, () => memory.letGo(handle));
    memory.take(handle, bytes);
    return handle;
  }

  fragmentMemory(slot: number, gapBytes: number): MachineHandle {
    const memory = this.memoryOf(slot);
    const handle = this.#inForce("machines.fragment", slot, () => memory.letGo(handle));
    memory.pin(handle, gapBytes);
    return handle;
  }

  undo(handle: MachineHandle): boolean {
    const undo = this.#undos.get(handle);
    if (undo === undefined) return false;
    this.#undos.delete(handle);
    this.#engine.note("machines.undo", handle);
    undo();
    return true;
  }

  lookForFaults(): readonly string[] {
    const found: string[] = [];
    for (let node = 0; node < this.layout.nodes; node++) {
      if (!this.isNodeUp(node)) found.push(`node ${node} is gone`);
    }
    for (let slot = 0; slot < this.layout.slots; slot++) {
      if ((this.#kills[slot] as number) > 0) found.push(`device ${slot} is dead`);
      if ((this.#hangs[slot] as number) > 0) found.push(`device ${slot} hangs`);
      const slow = this.#slow[slot] as number;
      if (slow !== 1) found.push(`device ${slot} is ${slow} times slower`);
    }
    for (const [slot, memory] of this.#memories) {
      const { takenBytes, pins } = memory.disturbance();
      if (takenBytes > 0) found.push(`${takenBytes} bytes of device ${slot} are taken`);
      if (pins > 0) found.push(`the memory of device ${slot} has ${pins} pins`);
    }
    return found;
  }

  #lose(
    name: string,
    index: number,
    nodes: readonly number[],
    repairUs: number | undefined,
  ): MachineHandle {
    this.#count(this.#losses, nodes, 1);
    const handle = this.#inForce(name, index, () => this.#count(this.#losses, nodes, -1));
    if (repairUs !== undefined) this.#engine.after(repairUs, this.#repair, handle);
    return handle;
  }

  #inForce(name: string, index: number, undo: () => void): MachineHandle {
    assert(this.#undos.size < faultsMax, `at most ${faultsMax} faults are in force`);
    const handle = ++this.#handles as MachineHandle;
    this.#undos.set(handle, undo);
    this.#engine.note(name, index, handle);
    return handle;
  }

  /** Changes counts and tells who listens what became of it. */
  #count(counts: Uint16Array, indices: readonly number[], change: 1 | -1): void {
    const isNodes = counts === this.#losses;
    for (const index of indices) {
      if (isNodes) this.#assertNode(index);
      else this.#assertSlot(index);
    }
    const slots = isNodes ? indices.flatMap((node) => this.layout.slotsOfNode(node)) : indices;
    const slotsBefore = slots.map((slot) => this.stateOf(slot));
    const nodesBefore = isNodes ? indices.map((node) => this.isNodeUp(node)) : [];
    for (const index of indices) counts[index] = (counts[index] as number) + change;
    if (isNodes) this.#lostNodes = this.#losses.reduce((lost, by) => lost + (by > 0 ? 1 : 0), 0);
    for (const [at, wasUp] of nodesBefore.entries()) this.#tellNode(indices[at] ?? 0, wasUp);
    for (const [at, before] of slotsBefore.entries()) this.#tellSlot(slots[at] ?? 0, before);
  }

  #tellNode(node: number, wasUp: boolean): void {
    const isUp = this.isNodeUp(node);
    if (isUp === wasUp) return;
    for (const listener of this.#listeners) {
      if (isUp) listener.nodeBack?.(node);
      else listener.nodeLost?.(node);
    }
  }

  #tellSlot(slot: number, before: DeviceState): void {
    const state = this.stateOf(slot);
    if (state === before) return;
    for (const listener of this.#listeners) listener.slotChanged?.(slot, state);
  }

  #assertSlot(slot: number): void {
    if (!(slot >= 0 && slot < this.layout.slots)) assert.fail("a slot of the fleet");
  }

  #assertNode(node: number): void {
    if (!(node >= 0 && node < this.layout.nodes)) assert.fail("a node of the fleet");
  }
}

function product(factors: Iterable<number>): number {
  let all = 1;
  for (const factor of factors) all *= factor;
  return all;
}
