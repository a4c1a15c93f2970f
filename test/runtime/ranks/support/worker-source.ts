/**
 * A program with rank tasks that misbehave in every way, and those of the product; started as
 * `program agent worker TASK` by the launcher under test.
 */
export const workerSource = `
import { writeSync } from "node:fs";
import { createRealClock } from "./src/platform/time/index.ts";
import { orderSchema, readRank, runRankTask, joinWorld, createTcpTransport, measureCollective } from "./src/runtime/ranks/index.ts";
import { collectiveTask } from "./src/runtime/ranks/tasks/collective.ts";

const hang = () => new Promise(() => setInterval(() => {}, 1000));
const sum = async (context, misbehave) => {
  const world = await joinWorld({ ...context, timeoutMs: context.input.joinMs ?? 60000 });
  const transport = createTcpTransport({ world, clock: context.clock, stallMs: context.input.stallMs ?? 60000 });
  const prepared = await transport.prepare({ op: "all-reduce", bytes: context.input.bytes ?? 4096, dtype: "f32" });
  await prepared.run();
  context.report({ pid: process.pid });
  await misbehave(context, world);
  for (let i = 0; i < (context.input.times ?? 1000000); i++) await prepared.run();
  await transport.close();
  return "done";
};
const tasks = {
  collective: collectiveTask,
  echo: async ({ rank, worldSize, input, env, report }) => {
    report({ rank, pid: process.pid });
    console.log("a line of rank " + rank);
    return { rank, worldSize, input, variable: env.OF_RANK, token: env.TESSERA_RUN_TOKEN ?? null, argv: process.argv.slice(2) };
  },
  fail: async ({ rank }) => { if (rank === 1) throw new Error("the disk is on fire"); return "fine"; },
  exit: async ({ rank }) => { if (rank === 1) { console.error("out of cheese"); process.exit(7); } await hang(); },
  pid: async ({ report }) => { report({ pid: process.pid }); await hang(); },
  deaf: async ({ report }) => { process.on("SIGTERM", () => {}); report({ pid: process.pid }); await hang(); },
  silent: async ({ rank, report }) => { report("here"); if (rank === 1) await hang(); for (;;) { await new Promise((r) => setTimeout(r, 20)); report("still here"); } },
  circle: async () => { const a = {}; a.a = a; return a; },
  "sum-killed": (context) => sum(context, async () => { if (context.rank === 1) process.kill(process.pid, "SIGKILL"); }),
  "sum-stopped": (context) => sum(context, async () => { if (context.rank === 1) process.kill(process.pid, "SIGSTOP"); }),
  "sum-late": (context) => sum(context, async () => { if (context.rank === 1) await hang(); }),
  "sum-for-ever": (context) => sum(context, async () => {}),
  absent: async (context) => { if (context.rank === 2) await hang(); await joinWorld({ ...context, timeoutMs: 2000 }); },
};
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const order = orderSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort(new Error("told to stop")));
const task = tasks[process.argv[4]];
const end = await runRankTask({ task, ...readRank(process.env), ...order, clock: createRealClock(), env: process.env, signal: stop.signal });
process.exit(end === "completed" ? 0 : 1);
`;
