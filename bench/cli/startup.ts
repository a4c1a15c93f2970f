import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { tool } from "../../scripts/lib/repository.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";

interface Subject {
  readonly name: string;
  readonly args: readonly string[];
}

const main = join(resolve(process.env["TESSERA_DIST"] ?? "dist"), "cli", "main.js");

const baseline: Subject = { name: "node -e 0", args: ["-e", "0"] };
const ours: readonly Subject[] = [
  { name: "--version", args: [main, "--version"] },
  { name: "--help", args: [main, "--help"] },
  { name: "config print", args: [main, "config", "print"] },
];
/** Command lines among our dependencies that start on Node, whatever they start from there. */
const peers: readonly Subject[] = [
  { name: "vitest --version", args: [tool("vitest", "vitest.mjs"), "--version"] },
  { name: "knip --version", args: [tool("knip", "bin", "knip.js"), "--version"] },
  { name: "tsc --version", args: [tool("typescript", "bin", "tsc"), "--version"] },
  { name: "vite --version", args: [tool("vite", "bin", "vite.js"), "--version"] },
  { name: "oxlint --version", args: [tool("oxlint", "bin", "oxlint"), "--version"] },
  { name: "biome --version", args: [tool("@biomejs", "biome", "bin", "biome"), "--version"] },
  { name: "publint --version", args: [tool("publint", "src", "cli.js"), "--version"] },
].filter(({ args }) => existsSync(args[0] ?? ""));

export const bench: Bench = {
  name: "cli/startup",
  description:
    "Wall time of the built command line from start to exit, against bare Node and against the TypeScript command lines among our dependencies.",
  requires: async () => (existsSync(main) ? undefined : `${main} is not built`),
  run: async ({ log, quick }) => {
    const rounds = quick ? 3 : 31;
    const subjects = [baseline, ...ours, ...peers];
    log(`${rounds} interleaved rounds of ${subjects.length} programs`);
    const medians = measure(subjects, rounds);
    const medianOf = (name: string) => medians.get(name) ?? Number.NaN;
    const leanest = peers.reduce((best, peer) =>
      medianOf(peer.name) < medianOf(best.name) ? peer : best,
    );
    const versionMs = medianOf("--version");
    const metrics: BenchMetric[] = [
      ratio("--version to node -e 0", versionMs / medianOf(baseline.name), 3),
      ratio("--version to the leanest peer", versionMs / medianOf(leanest.name), 1.5),
      ratio("--help to node -e 0", medianOf("--help") / medianOf(baseline.name)),
      ratio("config print to node -e 0", medianOf("config print") / medianOf(baseline.name)),
      ...subjects.map(({ name }) => time(name, medianOf(name))),
    ];
    return { metrics, notes: [`the leanest peer is \`${leanest.name}\``] };
  },
};

/** Medians in milliseconds by name. Interleaved, so that a busy moment hits all alike. */
function measure(subjects: readonly Subject[], rounds: number): ReadonlyMap<string, number> {
  const clock = createRealClock();
  // Neither our own settings nor those of the tools may change what is measured.
  const env = { PATH: process.env["PATH"], HOME: tmpdir() };
  const samples = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  // The first round only warms the file cache.
  for (let round = 0; round <= rounds; round++) {
    for (const { name, args } of subjects) {
      const startMs = clock.monotonicMs();
      const { status } = spawnSync(process.execPath, args, { stdio: "ignore", env });
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      if (round > 0) samples.get(name)?.push(clock.monotonicMs() - startMs);
    }
  }
  return new Map([...samples].map(([name, times]) => [name, median(times)]));
}

function ratio(name: string, value: number, limit?: number): BenchMetric {
  const promise = limit === undefined ? {} : { limit };
  return { name, value, unit: "x", provenance: "measured", better: "lower", ...promise };
}

function time(name: string, value: number): BenchMetric {
  return { name, value, unit: "ms", provenance: "measured", better: "lower" };
}
