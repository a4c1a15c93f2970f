import { join } from "node:path";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { createRankLauncher, type RankLauncher } from "../../../../src/runtime/ranks/index.ts";

/** A program whose one rank task is that of the check; started as `program agent worker TASK`. */
export const workerSource = `
import { createRealClock } from "./src/platform/time/index.ts";
import { orderSchema, readRank, runRankTask } from "./src/runtime/ranks/index.ts";
import { ncclLoopbackTask } from "./src/validation/checks/nccl-loopback/rank-task.ts";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const order = orderSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort(new Error("told to stop")));
const dies = process.env.TEST_DIES === process.env.TESSERA_RANK;
const task = dies ? () => process.kill(process.pid, "SIGKILL") : ncclLoopbackTask;
const own = { ...readRank(process.env), ...order };
const clock = createRealClock();
const end = await runRankTask({ task, ...own, clock, env: process.env, signal: stop.signal });
process.exit(end === "completed" ? 0 : 1);
`;

/** Starts the ranks of the check as real processes. */
export function launcherOf(
  program: string,
  variables: Readonly<Record<string, string>>,
): RankLauncher {
  const env = {
    PATH: process.env["PATH"],
    // The program lies outside of the repository, and the FFI is a package of it.
    NODE_PATH: join(import.meta.dirname, "../../../../node_modules"),
    ...variables,
  };
  return createRankLauncher({
    command: [process.execPath, program],
    clock: createRealClock(),
    env,
  });
}
