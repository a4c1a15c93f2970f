// A process of its own that reduces generated sources in groups of eight and says what that took:
//   node PROGRAM RANKS ELEMENTS
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { allocateRaw } from "../../src/runtime/tensor/dtype/index.ts";
import { type ChunkSource, reduceInto } from "../../src/runtime/tensor/reduce/index.ts";

const clock = createRealClock();
const [ranks = 0, count = 0] = process.argv.slice(2).map(Number);
const groupSize = 8;
const sources = Array.from(
  { length: ranks },
  (_, stream): ChunkSource => ({
    kind: "random",
    spec: { kind: "symmetric", seed: "bench", stream },
    start: 0,
  }),
);
const groups = Array.from({ length: Math.ceil(ranks / groupSize) }, (_, group) =>
  sources.map((_source, index) => index).slice(group * groupSize, (group + 1) * groupSize),
);
const out = allocateRaw("f32", count);
const startMs = clock.monotonicMs();
const stats = reduceInto({ dtype: "f32", op: "sum", count, sources, groups, out });
const tookMs = clock.monotonicMs() - startMs;
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ tookMs, peakBytes, accumulated: stats.accumulated }));
