import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";
import { notBuilt, type ServedPlane, servePlane } from "./served-plane.ts";

/** From the first of all viewers that has an event to the last one. */
const spreadMsMax = 100;

export const bench: Bench = {
  name: "web/viewers",
  description:
    "200 live viewers of one control plane: how much later the last of them has an event than the first, and what they cost others.",
  requires: notBuilt,
  run: async ({ log, quick }) => {
    const viewers = quick ? 20 : 200;
    const lookMs = quick ? 5_000 : 60_000;
    await using plane = await servePlane({ nodes: 256, speed: 20_000 });
    const aloneMs = await answerMs(plane, quick ? 20 : 200);
    log(`${viewers} viewers for ${lookMs / 1000} s`);
    const watched = await watch(plane, viewers, lookMs, () => answerMs(plane, quick ? 20 : 200));
    return {
      metrics: [
        ms("first to last viewer, 99 of 100 events", watched.spreadP99Ms, spreadMsMax),
        ms("first to last viewer, median", watched.spreadMedianMs),
        ratio("events that reached every viewer", watched.complete, 1),
        times("an answer beside the viewers to one without", watched.answerMs / aloneMs, 3),
        ms("an answer beside the viewers", watched.answerMs),
        count("events", watched.events),
      ],
      notes: [`${viewers} viewers in one process, on the machine of the server`],
    };
  },
};

/** The median time of an answer about the nodes. */
async function answerMs({ url }: ServedPlane, calls: number): Promise<number> {
  const samples: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startMs = performance.now();
    const answer = await fetch(`${url}/api/v1/nodes?limit=100`);
    await answer.arrayBuffer();
    samples.push(performance.now() - startMs);
  }
  return median(samples);
}

interface Watched {
  readonly spreadP99Ms: number;
  readonly spreadMedianMs: number;
  /** Share of events that all viewers had. */
  readonly complete: number;
  readonly events: number;
  readonly answerMs: number;
}

async function watch(
  { url }: ServedPlane,
  viewers: number,
  lookMs: number,
  meanwhile: () => Promise<number>,
): Promise<Watched> {
  const stop = new AbortController();
  const seen = new Map<string, number[]>();
  const streams = await Promise.all(
    Array.from({ length: viewers }, () =>
      fetch(`${url}/api/v1/events`, { signal: stop.signal }).then(({ body }) => body),
    ),
  );
  const reading = streams.map((body) => read(body, seen).catch(() => {}));
  const middle = await meanwhile();
  await new Promise((wake) => setTimeout(wake, lookMs));
  // What is still on its way when the readers leave reached nobody's fault.
  const settled = [...seen.values()].filter((at) => performance.now() - (at[0] ?? 0) > 2000);
  stop.abort();
  await Promise.all(reading);
  const spreads = settled.map((at) => Math.max(...at) - Math.min(...at)).toSorted((a, b) => a - b);
  if (spreads.length === 0) throw new Error("no event came; nothing was measured");
  return {
    spreadP99Ms: spreads[Math.ceil(spreads.length * 0.99) - 1] ?? Number.NaN,
    spreadMedianMs: median(spreads),
    complete: settled.filter((at) => at.length === viewers).length / settled.length,
    events: settled.length,
    answerMs: middle,
  };
}

async function read(
  body: ReadableStream<Uint8Array> | null,
  seen: Map<string, number[]>,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const atMs = performance.now();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("id: ")) continue;
      const at = seen.get(line);
      if (at === undefined) seen.set(line, [atMs]);
      else at.push(atMs);
    }
  }
}

function ms(name: string, value: number, limit?: number): BenchMetric {
  const promise = limit === undefined ? {} : { limit };
  return { name, value, unit: "ms", provenance: "measured", better: "lower", ...promise };
}

function ratio(name: string, value: number, limit: number): BenchMetric {
  return { name, value, unit: "", provenance: "measured", better: "higher", limit };
}

function times(name: string, value: number, limit: number): BenchMetric {
  return { name, value, unit: "x", provenance: "measured", better: "lower", limit };
}

function count(name: string, value: number): BenchMetric {
  return { name, value, unit: "", provenance: "measured", better: "higher" };
}
