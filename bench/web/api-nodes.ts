import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";
import { notBuilt, type ServedPlane, servePlane } from "./served-plane.ts";

/** What we promise of the list on a machine of two cores, on which the server validates meanwhile. */
const listMsMax = 100;
/** The list against reading and writing the same JSON with nothing around it. */
const listTimesMax = 2;
/** A server that is new compiles its own code and tests a fleet of which nothing is known. */
const warmUpMs = 20_000;

export const bench: Bench = {
  name: "web/api-nodes",
  description:
    "How soon a control plane that validates 10,000 nodes answers: the list of all, the heat map, the overview; and how long a small question waits beside that work.",
  requires: notBuilt,
  run: async ({ log, quick }) => {
    const nodes = quick ? 500 : 10_000;
    const rounds = quick ? 5 : 60;
    await using plane = await servePlane({ nodes, speed: 1000 });
    if (!quick) await small(plane, warmUpMs);
    log(`${nodes} nodes, ${rounds} answers of each kind`);
    const list = await answers(plane, `nodes?limit=${nodes}`, rounds);
    const map = await answers(plane, `clusters/${plane.cluster}/heatmap`, rounds);
    const overview = await answers(plane, "overview", rounds);
    const waits = await small(plane, quick ? 2_000 : 30_000);
    const bareMs = bareJsonMs(list.text, quick ? 5 : 21);
    return {
      metrics: [
        ms("all nodes, median", median(list.ms), quick ? undefined : listMsMax),
        ms("all nodes, 95 of 100", percentile(list.ms, 0.95)),
        times("all nodes, to bare JSON of the same", median(list.ms) / bareMs, listTimesMax),
        ms("heat map, median", median(map.ms)),
        ms("heat map, 95 of 100", percentile(map.ms, 0.95)),
        ms("overview, median", median(overview.ms)),
        ms("overview, 95 of 100", percentile(overview.ms, 0.95)),
        ms("a small question, median", median(waits)),
        ms("a small question, 99 of 100", percentile(waits, 0.99)),
        ms("a small question, the longest", Math.max(...waits)),
      ],
      notes: [
        `${nodes} simulated nodes at 1,000 times real time; the list is ${list.text.length} bytes`,
        "who asks runs on the machine of the server",
      ],
    };
  },
};

/** How long whole answers take, one after the other with a pause as people make it. */
async function answers(
  { url }: ServedPlane,
  path: string,
  rounds: number,
): Promise<{ readonly ms: readonly number[]; readonly text: string }> {
  const taken: number[] = [];
  let text = "";
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    const answer = await fetch(`${url}/api/v1/${path}`);
    const bytes = await answer.arrayBuffer();
    taken.push(performance.now() - startMs);
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
    text = new TextDecoder().decode(bytes);
    await pause(150);
  }
  return { ms: taken, text };
}

/** How long questions take that cost nothing: what they wait for is other work. */
async function small({ url }: ServedPlane, forMs: number): Promise<readonly number[]> {
  const taken: number[] = [];
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs) {
    const startMs = performance.now();
    await (await fetch(`${url}/healthz`)).arrayBuffer();
    taken.push(performance.now() - startMs);
    await pause(5);
  }
  return taken;
}

/** Reading and writing a document in this process. */
function bareJsonMs(text: string, rounds: number): number {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    Buffer.from(JSON.stringify(JSON.parse(text)), "utf8");
    taken.push(performance.now() - startMs);
  }
  return median(taken);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

async function pause(forMs: number): Promise<void> {
  await new Promise((wake) => setTimeout(wake, forMs));
}

function ms(name: string, value: number, limit?: number): BenchMetric {
  const promise = limit === undefined ? {} : { limit };
  return { name, value, unit: "ms", provenance: "measured", better: "lower", ...promise };
}

function times(name: string, value: number, limit: number): BenchMetric {
  return { name, value, unit: "x", provenance: "measured", better: "lower", limit };
}
