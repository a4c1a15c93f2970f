import { exitCodes } from "../../platform/errors/index.ts";
import { orderSchema, readRank, runRankTask } from "../../runtime/ranks/index.ts";
import { readOrder } from "../agent/read-order.ts";
import { strayWorker } from "../agent/stray-worker.ts";
import { loadRankTask } from "../agent/tasks.ts";
import type { Action } from "../invocation.ts";

/** What a launcher writes: an address and a secret. */
const orderBytesMax = 4096;

/** `tessera agent worker`: one rank, started by a launcher that says on stdin where it is. */
export const run: Action = async ({ args: [name = ""], io, clock, signal }) => {
  const { rank, worldSize, rendezvous } = readRank(io.env);
  const [order, task] = await Promise.all([
    readOrder(process.stdin, {
      bytesMax: orderBytesMax,
      parse: orderSchema.parse,
      broken: strayWorker,
    }),
    loadRankTask(name, "agent worker"),
  ]);
  const { env } = io;
  const how = { task, rank, worldSize, rendezvous, ...order, clock, env, signal };
  const end = await runRankTask(how);
  return end === "completed" ? exitCodes.good : exitCodes.failed;
};
