import assert from "node:assert/strict";
import { createEngine, type EventId, type SimEngine } from "../../src/chaos/sim/engine/index.ts";
import { createMachines } from "../../src/chaos/sim/machines/index.ts";
import { createNetwork } from "../../src/chaos/sim/network/index.ts";

export interface BarrierJobOptions {
  readonly ranks: number;
  readonly steps: number;
  readonly computeUs: number;
  readonly seed: string;
}

/** The kinds of events a rank has in a step: computed, arrived, released. */
export const eventsPerRankStep = 3;
/** Ranks of two nodes wait for each other. */
const groupSize = 16;
const messageBytes = 256;
const jitter = 0.02;
const timeoutUs = 30_000_000;

/**
 * Ranks that compute, tell the first of their group that they are there, and go on when it says that all
 * are: on the network, with a random stream and a timeout each, every event in the trace. What the job of an
 * experiment does in a step, without its decisions.
 */
export function createBarrierJob(options: BarrierJobOptions): SimEngine {
  const { ranks, steps, computeUs } = options;
  assert(ranks % groupSize === 0, "groups are equally large");
  const engine = createEngine({ seed: options.seed });
  const fleet = { nodes: Math.ceil(ranks / 8), devicesPerNode: 8, nodesPerRack: 9, spareNodes: 0 };
  const machines = createMachines({ engine, fleet });
  const network = createNetwork({ engine, machines });
  const stepOf = new Int32Array(ranks);
  const here = new Int32Array(ranks / groupSize);
  const timers: EventId[] = [];
  const timedOut = engine.kind("timed out", () => assert.fail("everybody comes"), {
    isWatchdog: true,
  });
  const released = engine.kind("released", (rank) => {
    engine.cancel(timers[rank] as EventId);
    stepOf[rank] = (stepOf[rank] as number) + 1;
    if (stepOf[rank] < steps) compute(rank);
  });
  const arrived = engine.kind("arrived", (group) => {
    here[group] = (here[group] as number) + 1;
    if (here[group] !== groupSize) return;
    here[group] = 0;
    const first = group * groupSize;
    for (let rank = first; rank < first + groupSize; rank++) {
      engine.at(network.deliver(first, rank, messageBytes), released, rank);
    }
  });
  const computed = engine.kind("computed", (rank) => {
    const group = Math.floor(rank / groupSize);
    timers[rank] = engine.after(timeoutUs, timedOut, rank);
    engine.at(network.deliver(rank, group * groupSize, messageBytes), arrived, group, rank);
  });
  const compute = (rank: number): void => {
    if (machines.stateOf(rank) !== "up") assert.fail("nothing is broken here");
    const spread = 1 + jitter * engine.chance.stream("compute", rank).float();
    engine.after(Math.round(computeUs * machines.slowFactorOf(rank) * spread), computed, rank);
  };
  for (let rank = 0; rank < ranks; rank++) compute(rank);
  return engine;
}
