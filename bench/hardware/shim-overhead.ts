import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { armControl, ensureControl } from "../../src/hardware/shim/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import {
  buildShimStubs,
  noStubs,
  type ShimStubs,
} from "../../test/support/fake-cuda-shim/index.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";

const run = promisify(execFile);
/** Functions of the stub libraries that native/timer.c times. */
const calls = [
  "cudaGetDevice",
  "cudaStreamSynchronize",
  "cuStreamSynchronize",
  "cudaMemcpyAsync",
] as const;
type Call = (typeof calls)[number];
type Times = Readonly<Record<Call, number>>;

/** What the issue promises for the common case. */
const limitNs = 20;

/** How a round is run; the first is what the others are compared with. */
const ways = ["without", "preloaded", "disarmed", "armed for another GPU"] as const;
type Way = (typeof ways)[number];

export const bench: Bench = {
  name: "hardware/shim-overhead",
  description:
    "What the CUDA shim adds to one call that it lets through, against the same call of the same stub library without it, interleaved in one run.",
  requires: async () => (noStubs === "" ? undefined : noStubs.trim()),
  run: async ({ log, quick }) => {
    const stubs = await buildShimStubs();
    const rounds = quick ? 3 : 31;
    log(`${rounds} interleaved rounds of ${ways.length} ways, ${calls.length} functions in each`);
    const folder = await mkdtemp(join(tmpdir(), "tessera-shim-bench-"));
    try {
      const samples = await measure(stubs, folder, rounds, quick);
      return { metrics: metricsOf(samples), notes };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const notes = [
  "each sample is the least of 20 batches of 10,000 calls in a process of its own; values are medians of samples",
  "the limit is on the difference to the same round without the shim; the calls are functions of a few nanoseconds, so nothing hides it",
  "armed for another GPU: the shim reads the block, the time and the current device at every call",
];

type Samples = Readonly<Record<Way, readonly Times[]>>;

async function measure(
  stubs: ShimStubs,
  folder: string,
  rounds: number,
  quick: boolean,
): Promise<Samples> {
  const disarmed = join(folder, "disarmed");
  const elsewhere = join(folder, "elsewhere");
  const nowMs = createRealClock().nowMs();
  await ensureControl(disarmed);
  await armControl(elsewhere, {
    fault: { xid: 79, gpus: [63] },
    codes: { inFlight: 999, onInit: 100, sticky: true },
    nowMs,
    expiresAtMs: nowMs + 3_600_000,
  });
  const preload = { LD_PRELOAD: stubs.library };
  const control = (path: string) => ({ ...preload, TESSERA_CUDA_FAULT_CONTROL: path });
  const environments: Readonly<Record<Way, Readonly<Record<string, string>>>> = {
    without: {},
    preloaded: preload,
    disarmed: control(disarmed),
    "armed for another GPU": control(elsewhere),
  };
  const samples: Record<Way, Times[]> = {
    without: [],
    preloaded: [],
    disarmed: [],
    "armed for another GPU": [],
  };
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) {
      const args = ["20", quick ? "1000" : "10000"];
      const { stdout } = await run(stubs.timer, args, { env: environments[way] });
      samples[way].push(JSON.parse(stdout));
    }
  }
  return samples;
}

function metricsOf(samples: Samples): readonly BenchMetric[] {
  return calls.flatMap((call) => {
    const added = (way: Way): number =>
      median(samples[way].map((times, round) => times[call] - baseOf(samples, round, call)));
    const base = median(samples.without.map((times) => times[call]));
    return [
      time(`${call} without the shim`, base),
      time(`${call}, added with no control block`, added("preloaded"), limitNs),
      time(`${call}, added with a disarmed block`, added("disarmed"), limitNs),
      time(`${call}, added while armed for another GPU`, added("armed for another GPU")),
    ];
  });
}

function baseOf(samples: Samples, round: number, call: Call): number {
  return samples.without[round]?.[call] ?? Number.NaN;
}

function time(name: string, value: number, limit?: number): BenchMetric {
  const promise = limit === undefined ? {} : { limit };
  return { name, value, unit: "ns", provenance: "measured", better: "lower", ...promise };
}
