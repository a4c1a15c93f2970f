import { createEngine } from "../../../../src/chaos/sim/engine/index.ts";
import { createMachines } from "../../../../src/chaos/sim/machines/index.ts";
import {
  createNetwork,
  type LinkEffect,
  type LinkScope,
  type NetworkProfile,
} from "../../../../src/chaos/sim/network/index.ts";

/** Without jitter, so that times can be told in advance. */
export const still: NetworkProfile = {
  node: { latencyUs: 1, bytesPerUs: 1000, jitterUs: 0 },
  rack: { latencyUs: 10, bytesPerUs: 100, jitterUs: 0 },
  fleet: { latencyUs: 30, bytesPerUs: 50, jitterUs: 0 },
  control: { latencyUs: 100, bytesPerUs: 100, jitterUs: 0 },
  retransmitUs: 1000,
  retransmitsMax: 5,
  tickUs: 0,
  packetBytes: 100,
};

/** Slots 0 to 7 on four nodes in two racks. */
export function start(profile: NetworkProfile = still) {
  const engine = createEngine({ seed: "1" });
  const fleet = { nodes: 4, devicesPerNode: 2, nodesPerRack: 2, spareNodes: 0 };
  const machines = createMachines({ engine, fleet });
  const network = createNetwork({ engine, machines, profile });
  const arrived: string[] = [];
  const kind = engine.kind("arrived", (a) => void arrived.push(`${engine.nowUs} ${a}`));
  const idle = engine.kind("idle", () => undefined);
  return {
    engine,
    machines,
    network,
    arrived,
    send: (from: number, to: number, a: number, bytes = 100) =>
      network.send(from, to, bytes, kind, a),
    /** Lets time pass though nothing happens. */
    wait: (us: number) => {
      engine.after(us, idle);
      engine.run(engine.nowUs + us);
    },
  };
}

export const all: LinkScope = { kind: "touching", ends: [0, 1, 2, 3, 4, 5, 6, 7] };
export const cut: LinkEffect = { kind: "cut" };
