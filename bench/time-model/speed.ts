import { createRealClock } from "../../src/platform/time/index.ts";
import { modelCollective, type Topology, topologyOf } from "../../src/runtime/dist/index.ts";
import type { Bench, BenchMetric } from "../bench.ts";

const clock = createRealClock();
const oneModelMsMax = 10;
const sweepMsMax = 1000;
const sweepPoints = 1000;

export const bench: Bench = {
  name: "time-model/speed",
  description: "How long the time model itself takes: one collective, and a sweep over sizes.",
  run: ({ log, quick }) => {
    const rounds = quick ? 1 : 20;
    log(`the slowest of ${rounds} rounds counts, the first one included`);
    const rack = topologyOf("gb200-nvl72");
    const cluster = topologyOf("hgx-h100");
    let oneMs = 0;
    let sweepMs = 0;
    for (let round = 0; round < rounds; round++) {
      oneMs = Math.max(
        oneMs,
        timed(() => model(rack, 72, 2 ** 26)),
      );
      sweepMs = Math.max(
        sweepMs,
        timed(() => sweep(cluster, 1024)),
      );
    }
    return Promise.resolve({
      metrics: [
        duration("all-reduce of 64 MiB over 72 devices", oneMs, oneModelMsMax),
        duration(`sweep of ${sweepPoints} sizes over 1024 devices`, sweepMs, sweepMsMax),
      ],
    });
  },
};

function model(topology: Topology, devices: number, bytes: number): void {
  modelCollective({ op: "all-reduce", bytes, devices, topology });
}

/** From 1 KiB to 16 GiB, evenly on a logarithmic scale. */
function sweep(topology: Topology, devices: number): void {
  for (let point = 0; point < sweepPoints; point++) {
    model(topology, devices, Math.round(2 ** (10 + (24 * point) / (sweepPoints - 1))));
  }
}

function timed(run: () => void): number {
  const startedMs = clock.monotonicMs();
  run();
  return clock.monotonicMs() - startedMs;
}

function duration(name: string, value: number, limit: number): BenchMetric {
  return { name, value, unit: "ms", provenance: "measured", better: "lower", limit };
}
