import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine, type SimEngine } from "../../../src/chaos/sim/engine/index.ts";
import { createMachines } from "../../../src/chaos/sim/machines/index.ts";
import { createNetwork } from "../../../src/chaos/sim/network/index.ts";
import { createStorage } from "../../../src/chaos/sim/storage/index.ts";

const fleet = { nodes: 4, devicesPerNode: 2, nodesPerRack: 2, spareNodes: 0 };
const slots = 8;

interface Fault {
  readonly atUs: number;
  readonly kind: number;
  readonly slot: number;
  readonly forUs: number;
}

/** Slots that send, write and read without end, with faults; and every message's flight, by sender. */
function world(seed: string, faults: readonly Fault[]) {
  const engine = createEngine({ seed });
  const machines = createMachines({ engine, fleet });
  const network = createNetwork({ engine, machines });
  const profile = { writeUs: 300, readUs: 200, commitUs: 50, jitter: 0.2, capacityBytes: 1e6 };
  const storage = createStorage({ engine, profile });
  const draws: number[][] = Array.from({ length: slots }, () => []);
  const arrived = engine.kind("arrived", () => undefined);
  const beat = engine.kind("beat", (slot) => {
    draws[slot]?.push(engine.chance.stream("beat", slot).uint32());
    network.send(slot, (slot + 3) % slots, 64, arrived, slot);
    engine.after(100 + storage.readUs(slot), beat, slot);
  });
  for (let slot = 0; slot < slots; slot++) engine.at(slot, beat, slot);
  plan(engine, faults, [
    (slot) => undoOf(machines, machines.killDevice(slot)),
    (slot) => undoOf(machines, machines.loseNode(slot >> 1)),
    (slot) => undoOf(network, network.apply({ kind: "touching", ends: [slot] }, { kind: "cut" })),
    (slot) =>
      undoOf(
        network,
        network.apply({ kind: "touching", ends: [slot] }, { kind: "loss", share: 0.3 }),
      ),
    () => undoOf(storage, storage.apply({ kind: "slow", factor: 2 })),
  ]);
  engine.run(20_000);
  return {
    hash: engine.traceHash(),
    draws,
    left: [machines, network, storage].flatMap((part) => part.lookForFaults()),
  };
}

function undoOf<H>(part: { undo(handle: H): boolean }, handle: H): () => void {
  return () => void part.undo(handle);
}

function plan(
  engine: SimEngine,
  faults: readonly Fault[],
  ways: readonly ((slot: number) => () => void)[],
): void {
  const undos: (() => void)[] = [];
  const end = engine.kind("fault ends", (at) => undos[at]?.());
  const begin = engine.kind("fault begins", (at) => {
    const { kind, slot, forUs } = faults[at] as Fault;
    undos[at] = (ways[kind % ways.length] ?? (() => () => undefined))(slot);
    engine.after(forUs, end, at);
  });
  for (const [at, { atUs }] of faults.entries()) engine.at(atUs, begin, at);
}

const someFaults = fc.array(
  fc.record({
    atUs: fc.nat(10_000),
    kind: fc.nat(4),
    slot: fc.nat(slots - 1),
    forUs: fc.integer({ min: 1, max: 9000 }),
  }),
  { maxLength: 5 },
);

describe("a simulated world", () => {
  it("does the same again with the same seed and plan, and leaves no fault behind", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5 }), someFaults, (seed, faults) => {
        const once = world(seed, faults);
        expect(once.left).toEqual([]);
        expect(world(seed, faults)).toEqual(once);
      }),
      { numRuns: 40 },
    );
  });

  it("does something else with another seed or another plan", () => {
    const fault = { atUs: 500, kind: 2, slot: 1, forUs: 2000 };
    const hashes = [
      world("a", []),
      world("b", []),
      world("a", [fault]),
      world("a", [{ ...fault, slot: 2 }]),
      world("a", [{ ...fault, atUs: 501 }]),
    ].map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("draws for everybody what it would draw without the faults, in the same order", () => {
    fc.assert(
      fc.property(someFaults, (faults) => {
        const [without, with_] = [world("s", []), world("s", faults)];
        for (const [slot, draws] of with_.draws.entries()) {
          const others = without.draws[slot] ?? [];
          const shared = Math.min(draws.length, others.length);
          expect(draws.slice(0, shared)).toEqual(others.slice(0, shared));
        }
      }),
      { numRuns: 20 },
    );
  });

  it("has one trace for one seed on every version of Node", () => {
    const faults = [0, 1, 2, 3, 4].map((kind) => ({
      atUs: 1000 * kind,
      kind,
      slot: kind,
      forUs: 5000,
    }));
    expect(world("golden", faults).hash).toBe("222984d3c2e86901");
  });
});
