import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import { orderSchema, readRank, runRankTask, type WorkerOrder } from "../../runtime/ranks/index.ts";
import { loadRankTask } from "../agent/tasks.ts";
import type { Action } from "../invocation.ts";

/** What a launcher writes: an address and a secret. */
const orderBytesMax = 4096;

/** `tessera agent worker`: one rank, started by a launcher that says on stdin where it is. */
export const run: Action = async ({ args: [name = ""], io, clock, signal }) => {
  const { rank, worldSize, rendezvous } = readRank(io.env);
  const [order, task] = await Promise.all([
    readOrder(process.stdin),
    loadRankTask(name, "agent worker"),
  ]);
  const { env } = io;
  const how = { task, rank, worldSize, rendezvous, ...order, clock, env, signal };
  const end = await runRankTask(how);
  return end === "completed" ? exitCodes.good : exitCodes.failed;
};

async function readOrder(stdin: NodeJS.ReadableStream): Promise<WorkerOrder> {
  const broken = () =>
    new TesseraError("E_RANK_ENVIRONMENT", {
      problem: "its standard input does not say who started it; only Tessera itself starts workers",
    });
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    sizeBytes += bytes.length;
    if (sizeBytes > orderBytesMax) throw broken();
  }
  try {
    return orderSchema.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch {
    throw broken();
  }
}
