import { createLogger } from "../../../../../src/platform/log/index.ts";
import { openStore } from "../../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import {
  collectFiles,
  createResultRoute,
  ensureRunSecret,
  resultPath,
  runToken,
  startResultServer,
} from "../../../../../src/validation/collect/index.ts";
import { openHistory } from "../../../../../src/validation/history/index.ts";
import { createStoreLeadership } from "../../../../../src/validation/leadership/index.ts";
import { createLoop } from "../../../../../src/validation/loop/index.ts";
import { createHttpCluster } from "../http-cluster.ts";
import { settings } from "../settings.ts";

// Validates the world of another process until it is killed; says when it leads and what it submits.
const [storeUrl = "", worldUrl = "", root = ""] = process.argv.slice(2);
const clock = createRealClock();
const log = createLogger({ level: "error", format: "json", stream: process.stderr, clock });
const store = await openStore({ url: storeUrl, clock });
const history = openHistory(store);
const secret = await ensureRunSecret(store);
const cluster = createHttpCluster(worldUrl);
const route = createResultRoute({ history, secret, clock, onResult: () => loop.wake() });
const server = await startResultServer({ host: "127.0.0.1", port: 0, route, clock, log });
const loop = createLoop({
  cluster,
  history,
  settings,
  leadership: createStoreLeadership({
    store,
    name: "validation/killed",
    holder: `loop-${process.pid}-${clock.nowMs()}`,
    clock,
    ttlMs: 1_500,
  }),
  planner: async () => ({
    observe: () => {},
    observeRun: () => {},
    plan: ({ nodes }) => {
      const free = cluster.plans() ? nodes.filter(({ notFree }) => notFree.length === 0) : [];
      const common = { check: "probe", purpose: "routine", reason: "free" } as const;
      const cost = { gpuHours: 1, fileSystem: "" };
      return {
        chosen: free.map((node) => ({ node, ...common, ...cost })),
        postponed: [],
        postponedByRail: new Map(),
      };
    },
  }),
  jobs: {
    token: (runId) => runToken(secret, runId),
    resultUrl: (runId) => `${server.url}${resultPath(runId)}`,
  },
  collect: async (open) => {
    const runs = open.map(({ intent }) => intent);
    return (await collectFiles({ root, runs, secret, clock })).results;
  },
  clock,
  tickEveryMs: 200,
  tickGapMs: 5,
  planGapMs: 20,
  pace: { retryMs: 50, retryMsMax: 200 },
  onEvent: (event) => {
    if (event.type === "leading" || event.type === "submitted") {
      process.stdout.write(`${event.type}\n`);
    }
  },
});
await loop.run(new AbortController().signal);
