import { readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { root } from "../../scripts/lib/repository.ts";
import { jobsOfJson } from "../../src/platform/slurm/json/jobs.ts";
import { nodesOfJson } from "../../src/platform/slurm/json/nodes.ts";
import { fleetOf } from "../../src/validation/clusters/slurm/fleet.ts";
import { resolveSlurmSettings } from "../../src/validation/clusters/slurm/settings.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";

const release = "24.11.5";
const who = { cluster: "bench", user: "tessera", store: "5ad0beef", reasonUsers: ["root"] };

/** The share of the default 10 s between two looks that a look may compute. */
const lookShareMax = 0.2;
const lookEveryMs = 10_000;

export const bench: Bench = {
  name: "validation/slurm-view",
  description:
    "What the controller of a large Slurm cluster prints, made into the view that the loop decides on; beside JSON.parse of the same text.",
  run: async ({ log, quick }) => {
    const nodes = quick ? 500 : 4_000;
    const jobs = quick ? 2_000 : 20_000;
    const printed = {
      nodes: repeated("nodes.json", "nodes", nodes, (entry, at) => ({ ...entry, name: `n${at}` })),
      jobs: repeated("jobs.json", "jobs", jobs, (entry, at) => ({
        ...entry,
        job_id: at + 1,
        nodes: `n${at % nodes}`,
      })),
    };
    const sizeMiB = (printed.nodes.length + printed.jobs.length) / 2 ** 20;
    log(`${nodes} nodes, ${jobs} jobs: ${sizeMiB.toFixed(1)} MiB`);
    const bare: number[] = [];
    const ours: number[] = [];
    let free = 0;
    for (let round = 0; round < (quick ? 3 : 7); round++) {
      bare.push(timed(() => [JSON.parse(printed.nodes), JSON.parse(printed.jobs)]));
      ours.push(
        timed(() => {
          free = viewOf(printed).nodes.filter(({ notFree }) => notFree.length === 0).length;
        }),
      );
    }
    log(`${free} of them free`);
    const lookMs = median(ours);
    return {
      metrics: [
        lower("time of a look", lookMs, "ms", lookShareMax * lookEveryMs),
        lower("times JSON.parse", lookMs / median(bare), ""),
      ],
      notes: [
        `nodes and jobs of a capture of Slurm ${release}, repeated under other names; the time that Slurm itself takes is not part of it`,
        "the limit is a fifth of the ten seconds between two looks",
      ],
    };
  },
};

function viewOf(printed: { readonly nodes: string; readonly jobs: string }) {
  const snapshot = {
    atMs: 0,
    nodes: nodesOfJson(printed.nodes),
    jobs: jobsOfJson(printed.jobs).map(({ job }) => job),
    partitions: [],
    reservations: [],
  };
  const settings = resolveSlurmSettings({
    resultDir: "/shared",
    program: "/shared/tessera",
    checks: ["dl-unit"],
    runTimeoutMs: 1_800_000,
    graceMs: 60_000,
  });
  return fleetOf({ snapshot, who, settings, troubles: new Map(), cancelledForMs: new Map() });
}

type Entry = Readonly<Record<string, unknown>>;

function repeated(
  file: string,
  list: string,
  count: number,
  rename: (entry: Entry, at: number) => Entry,
): string {
  const path = join(root, "test/fixtures/slurm", release, file);
  const answer = JSON.parse(readFileSync(path, "utf8")) as Record<string, readonly Entry[]>;
  const given = answer[list] ?? [];
  const entries = Array.from({ length: count }, (_, at) =>
    rename(given[at % given.length] ?? {}, at),
  );
  return JSON.stringify({ ...answer, [list]: entries });
}

function timed(work: () => unknown): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

function lower(name: string, value: number, unit: string, limit?: number): BenchMetric {
  const promise = limit === undefined ? {} : { limit };
  return { name, value, unit, provenance: "measured", better: "lower", ...promise };
}
