import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../../../src/chaos/sim/engine/index.ts";
import { createMachines, layOut } from "../../../../src/chaos/sim/machines/index.ts";

const fleet = { nodes: 4, devicesPerNode: 2, nodesPerRack: 2, spareNodes: 1 };

function start() {
  const engine = createEngine({ seed: "1" });
  const machines = createMachines({ engine, fleet });
  const heard: string[] = [];
  machines.listen({
    slotChanged: (slot, state) => void heard.push(`slot ${slot} ${state}`),
    nodeLost: (node) => void heard.push(`node ${node} lost`),
    nodeBack: (node) => void heard.push(`node ${node} back`),
  });
  return { engine, machines, heard };
}

describe("a layout", () => {
  it("has spares after everything the job needs, and a last rack that may be smaller", () => {
    const layout = layOut(fleet);
    expect(layout).toMatchObject({ slots: 10, nodes: 5, racks: 3, firstSpareSlot: 8 });
    expect(layout.slotsOfNode(4)).toEqual([8, 9]);
    expect(layout.nodesOfRack(2)).toEqual([4]);
  });

  it("puts every slot into exactly one node, and every node into one rack", () => {
    const sizes = fc.record({
      nodes: fc.integer({ min: 1, max: 20 }),
      devicesPerNode: fc.integer({ min: 1, max: 9 }),
      nodesPerRack: fc.integer({ min: 1, max: 7 }),
      spareNodes: fc.nat(3),
    });
    fc.assert(
      fc.property(sizes, (size) => {
        const layout = layOut(size);
        const racks = Array.from({ length: layout.racks }, (_, rack) => rack);
        const nodes = racks.flatMap((rack) => layout.nodesOfRack(rack));
        const slots = nodes.flatMap((node) => layout.slotsOfNode(node));
        expect(slots).toEqual(Array.from({ length: layout.slots }, (_, slot) => slot));
        for (const slot of slots) {
          const node = layout.nodeOf(slot);
          expect(layout.slotsOfNode(node)).toContain(slot);
          expect(layout.nodesOfRack(layout.rackOf(node))).toContain(node);
        }
      }),
    );
  });

  it("knows what shares the fate of a slot", () => {
    const layout = layOut(fleet);
    expect(layout.sharingFate(3, "device")).toEqual([3]);
    expect(layout.sharingFate(3, "node")).toEqual([2, 3]);
    expect(layout.sharingFate(3, "rack")).toEqual([0, 1, 2, 3]);
  });
});

describe("devices", () => {
  it("die, hang and come back, each told once", () => {
    const { machines, heard } = start();
    const hang = machines.hangDevice(1);
    const kill = machines.killDevice(1);
    expect(machines.stateOf(1)).toBe("dead");
    expect(machines.stateOf(0)).toBe("up");
    machines.undo(kill);
    expect(machines.stateOf(1)).toBe("hung");
    machines.undo(hang);
    expect(heard).toEqual(["slot 1 hung", "slot 1 dead", "slot 1 hung", "slot 1 up"]);
  });

  it("stay dead while one of two faults lasts, whichever ends first", () => {
    const { machines, heard } = start();
    const [one, other] = [machines.killDevice(1), machines.killDevice(1)];
    expect(machines.undo(one)).toBe(true);
    expect(machines.undo(one)).toBe(false);
    expect(machines.stateOf(1)).toBe("dead");
    machines.undo(other);
    expect(machines.stateOf(1)).toBe("up");
    expect(heard).toEqual(["slot 1 dead", "slot 1 up"]);
  });

  it("are slowed by the product of what slows them, and are exactly as fast as before afterwards", () => {
    const factors = fc.array(fc.double({ min: 1, max: 9, noNaN: true }), { maxLength: 6 });
    fc.assert(
      fc.property(factors, fc.nat(), (all, order) => {
        const { machines } = start();
        const handles = all.map((factor) => machines.slowDevice(2, factor));
        expect(machines.slowFactorOf(2)).toBe(all.reduce((product, one) => product * one, 1));
        expect(machines.slowFactorOf(3)).toBe(1);
        while (handles.length > 0) {
          for (const handle of handles.splice(order % handles.length, 1)) machines.undo(handle);
        }
        expect(machines.slowFactorOf(2)).toBe(1);
      }),
    );
  });

  it("outside of the fleet are refused, and so is a slow-down that is none", () => {
    const { machines } = start();
    expect(() => machines.killDevice(10)).toThrow("slot");
    expect(() => machines.loseNode(5)).toThrow("node");
    expect(() => machines.loseRack(3)).toThrow("rack");
    expect(() => machines.slowDevice(0, 0.5)).toThrow("at least as long");
    expect(machines.lookForFaults()).toEqual([]);
  });
});

describe("nodes and racks", () => {
  it("take their devices with them, and others stay", () => {
    const { machines, heard } = start();
    machines.loseNode(1);
    expect([0, 1, 2, 3, 4].map((slot) => machines.stateOf(slot))).toEqual([
      "up",
      "up",
      "dead",
      "dead",
      "up",
    ]);
    expect(heard).toEqual(["node 1 lost", "slot 2 dead", "slot 3 dead"]);
  });

  it("are repaired after their time, and not before", () => {
    const { engine, machines, heard } = start();
    machines.loseNode(1, { repairUs: 100 });
    engine.run(99);
    expect(machines.isNodeUp(1)).toBe(false);
    expect(engine.run(100)).toBe("quiet");
    expect(machines.isNodeUp(1)).toBe(true);
    expect(heard.slice(3)).toEqual(["node 1 back", "slot 2 up", "slot 3 up"]);
  });

  it("go by the rack at once, and a node lost on its own stays lost when the rack is back", () => {
    const { machines } = start();
    const node = machines.loseNode(1);
    const rack = machines.loseRack(0);
    expect([0, 1, 2].map((one) => machines.isNodeUp(one))).toEqual([false, false, true]);
    expect(machines.areAllNodesUp).toBe(false);
    machines.undo(rack);
    expect([0, 1, 2].map((one) => machines.isNodeUp(one))).toEqual([true, false, true]);
    expect(machines.areAllNodesUp).toBe(false);
    machines.undo(node);
    expect(machines.isNodeUp(1)).toBe(true);
    expect(machines.areAllNodesUp).toBe(true);
  });

  it("come back without a device that was dead before", () => {
    const { machines } = start();
    machines.killDevice(2);
    machines.undo(machines.loseNode(1));
    expect(machines.stateOf(2)).toBe("dead");
    expect(machines.stateOf(3)).toBe("up");
  });
});

describe("a look for faults", () => {
  it("names each thing that is not as it should be, and nothing once all is undone", () => {
    const { machines } = start();
    const handles = [
      machines.killDevice(0),
      machines.hangDevice(1),
      machines.slowDevice(2, 1.5),
      machines.loseNode(3),
      machines.takeMemory(4, 2 ** 30),
      machines.fragmentMemory(5, 2 ** 26),
    ];
    expect(machines.lookForFaults()).toEqual([
      "node 3 is gone",
      "device 0 is dead",
      "device 1 hangs",
      "device 2 is 1.5 times slower",
      "1073741824 bytes of device 4 are taken",
      "the memory of device 5 has 255 pins",
    ]);
    for (const handle of handles) machines.undo(handle);
    expect(machines.lookForFaults()).toEqual([]);
  });
});
