// A sum between real processes: this program starts itself again, once for each rank. The ranks meet,
// each brings a tensor, and all get the sum: through NCCL where every rank has a GPU, else over TCP.
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { cuda, op, ranks, tensor } from "tessera-qa";
import { createRealClock } from "tessera-qa/platform";

const worldSize = 3;
const clock = createRealClock();
const { signal } = new AbortController();

// The launcher adds `agent worker sum` to the command.
if (process.argv[2] === "agent") await beRank();
else await launch();

async function launch(): Promise<void> {
  // In brackets, because `npm run example` would put the TypeScript file there, which Node 20 does not run.
  const program = fileURLToPath(import.meta["url"]);
  const command = [process.execPath, program];
  const start = ranks.createRankLauncher({ command, clock, env: process.env });
  const outcomes = await start({
    task: "sum",
    worldSize,
    input: { shape: [2, 2] },
    signal,
    timeoutMs: 60_000,
    onLine: (rank, line) => console.log(`rank ${rank}: ${line}`),
  });
  // Throws an error that names the rank when one was lost.
  const digests = ranks.rankValues(outcomes);
  if (new Set(digests).size !== 1) throw new Error("The ranks have different sums.");
  console.log(`All ${worldSize} ranks have the same bits.`);
}

/** What a rank does on its way to the task: the launcher says on stdin where it is. */
async function beRank(): Promise<void> {
  const order = ranks.orderSchema.parse(JSON.parse(await text(process.stdin)));
  const { env } = process;
  const own = { ...ranks.readRank(env), ...order, clock, env, signal };
  const end = await ranks.runRankTask({ task: sumTask, ...own });
  process.exitCode = end === "completed" ? 0 : 1;
}

/** Every rank runs this; what it returns goes to the launcher. */
async function sumTask(context: ranks.RankTaskContext): Promise<string> {
  const { rank } = context;
  const { shape } = context.input as { shape: number[] };
  const world = ranks.createTensorWorld({ world: await ranks.joinWorld(context), clock });
  try {
    const gpus = cuda.cudaAvailable();
    const hasGpus = gpus.available && gpus.count >= worldSize;
    const own = hasGpus
      ? tensor.full(shape, rank + 1, { device: `cuda:${rank}` })
      : tensor.full(shape, rank + 1);
    const sum = await op.allReduce(own, { world, op: "sum" });
    if (rank === 0) {
      const host = sum instanceof cuda.CudaTensor ? sum.toHost() : sum;
      console.log(`the sum over ${hasGpus ? "NCCL" : "TCP"} is`, JSON.stringify(host.toArray()));
    }
    return sum.digest();
  } finally {
    await world.close();
  }
}
