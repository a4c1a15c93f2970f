import { performance } from "node:perf_hooks";
import { classifyRuns } from "../../src/validation/classify/index.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { type FleetSpec, plainFleet } from "./fleet-spec.ts";
import { judgeByMad } from "./mad-rule.ts";
import { makeFleet } from "./make-fleet.ts";
import { randomSpec } from "./random-spec.ts";
import { scenarios } from "./scenarios.ts";
import { addScores, judgeFleet, type Score, scoreOf } from "./score.ts";

const samplesMax = 600_000;

export const bench: Bench = {
  name: "validation/classify",
  description:
    "Classification of synthetic fleets with known defects: recall from 3 sigma on, false alarms on healthy runs, beside the median/MAD rule; and its speed.",
  run: async ({ log, quick }) => {
    const seeds = quick
      ? ["fresh-1"]
      : ["fresh-1", "fresh-2", "fresh-3", "fresh-4", "fresh-5", "fresh-6"];
    const named = byScenario(seeds, log);
    const drawn = Array.from({ length: quick ? 10 : 150 }, (_, at) => randomSpec(`fresh-${at}`));
    const random = drawn.filter((spec) => sizeOf(spec) <= samplesMax);
    const ours = addScores(random.map((spec) => scoreOf(judgeFleet(spec))));
    const mad = addScores(random.map((spec) => scoreOf(judgeByMad(spec))));
    log(line("random fleets", ours));
    log(line("random, by MAD", mad));
    const runsPerSecond = speed(quick ? 4_000 : 100_000);
    return {
      metrics: [
        share("recall, named fleets", named.foundRuns / named.defectRuns, 0.95),
        lower("false alarms, named fleets", (100 * named.falseRuns) / named.healthyRuns, 0.1),
        share("recall, random fleets", ours.foundRuns / ours.defectRuns),
        lower("false alarms, random fleets", (100 * ours.falseRuns) / ours.healthyRuns),
        share("recall of median/MAD, random fleets", mad.foundRuns / mad.defectRuns),
        lower("garbled runs passed", passed(named, ours), 0, "runs"),
        lower("runs of incidents failed", named.incidentFailed + ours.incidentFailed, 0, "runs"),
        {
          name: "speed",
          value: runsPerSecond,
          unit: "runs/s",
          provenance: "measured",
          better: "higher",
        },
      ],
      notes: [
        "found or false alarm: suspect or fail; recall over runs whose loss is at least 3 standard deviations",
        "random fleets: 20 to 300 nodes, 1 to 16 runs, noise 0.5 to 5 %, a quarter with a second population that hides losses of its own size, half with heavy tails",
      ],
    };
  },
};

function byScenario(seeds: readonly string[], log: (text: string) => void): Score {
  const byName = new Map<string, Score[]>();
  for (const spec of seeds.flatMap(scenarios)) {
    byName.set(spec.name, [...(byName.get(spec.name) ?? []), scoreOf(judgeFleet(spec))]);
  }
  for (const [name, scores] of byName) log(line(name, addScores(scores)));
  return addScores([...byName.values()].flat());
}

function line(name: string, score: Score): string {
  const recall = (score.foundRuns / score.defectRuns).toFixed(3);
  const nodes = (score.foundNodes / score.defectNodes).toFixed(3);
  const alarms = ((100 * score.falseRuns) / score.healthyRuns).toFixed(3);
  return `${name.padEnd(30)} recall ${recall} of runs, ${nodes} of nodes; false alarms ${alarms} % of ${score.healthyRuns}`;
}

function passed(...scores: readonly Score[]): number {
  return scores.reduce((sum, { garbledPassed }) => sum + garbledPassed, 0);
}

function sizeOf({ nodes, runsPerNode, metrics, samples, layout }: FleetSpec): number {
  return nodes * runsPerNode * metrics * samples * (layout === "gpu-names" ? 8 : 1);
}

function speed(count: number): number {
  const nodes = Math.round(count / 40);
  const fleet = makeFleet({ ...plainFleet, name: "speed", nodes, runsPerNode: 40, samples: 16 });
  const runs = fleet.map(({ run }) => run);
  const startedMs = performance.now();
  classifyRuns(runs);
  return runs.length / ((performance.now() - startedMs) / 1000);
}

function share(name: string, value: number, limit?: number): BenchMetric {
  const promise = limit === undefined ? {} : { limit };
  return { name, value, unit: "", provenance: "simulated", better: "higher", ...promise };
}

function lower(name: string, value: number, limit?: number, unit = "%"): BenchMetric {
  const promise = limit === undefined ? {} : { limit };
  return { name, value, unit, provenance: "simulated", better: "lower", ...promise };
}
