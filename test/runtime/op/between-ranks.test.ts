import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { createRankLauncher, rankValues } from "../../../src/runtime/ranks/index.ts";
import { bundleProgram } from "../../support/bundle-program.ts";
import { buildFakeCuda, reasonOf } from "../../support/fake-cuda/index.ts";

/** A rank that makes every collective of `op` on tensors of its host, or of its GPU. */
const rankSource = `
import { createRealClock } from "./src/platform/time/index.ts";
import * as op from "./src/runtime/op/index.ts";
import { createTensorWorld, joinWorld, orderSchema, readRank, runRankTask } from "./src/runtime/ranks/index.ts";
import { CudaTensor } from "./src/runtime/cuda/index.ts";
import { fromValues, toDevice } from "./src/runtime/tensor/index.ts";

const clock = createRealClock();
const task = async (context) => {
  const { rank, worldSize, input } = context;
  const joined = await joinWorld({ ...context, timeoutMs: 60000 });
  const world = createTensorWorld({ world: joined, clock });
  const bring = (values, dtype) => {
    const host = fromValues(values, { dtype });
    return input.onGpus ? toDevice(host, "cuda:" + rank) : host;
  };
  const read = (x) => {
    if (x instanceof CudaTensor !== input.onGpus) throw new Error("another kind of tensor");
    return (input.onGpus ? x.toHost() : x).toArray();
  };
  const rows = (scale) => Array.from({ length: worldSize }, (_, row) => [10 * rank + row, scale]);
  const own = bring(rows(1), input.dtype);
  if (input.dies === rank) process.kill(process.pid, "SIGKILL");
  const found = {
    sum: read(await op.allReduce(own, { world, op: "sum" })),
    share: read(await op.reduceScatter(own, { world })),
    rows: read(await op.allGather(own, { world })),
    exchanged: read(await op.allToAll(own, { world })),
    copy: read(await op.broadcast(own, { world, root: 1 })),
  };
  // Calls that are not awaited keep their order.
  const twice = await Promise.all([1, 2].map((scale) => op.allReduce(bring(rows(scale), input.dtype), { world })));
  found.twice = twice.map((x) => read(x)[0]);
  found.empty = (await op.allGather(bring([], input.dtype).reshape([2, 0]), { world })).shape;
  if (input.onGpus) {
    const elsewhere = toDevice(fromValues([1]), "cuda:" + (worldSize - 1 - rank));
    found.elsewhere = await op.allReduce(elsewhere, { world }).catch(({ code }) => code);
  }
  await world.close();
  return found;
};
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const order = orderSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
const own = { ...readRank(process.env), ...order };
const { signal } = new AbortController();
const end = await runRankTask({ task, ...own, clock, env: process.env, signal });
process.exit(end === "completed" ? 0 : 1);
`;

const worldSize = 2;
const fake = await buildFakeCuda();
let folder = "";
let program = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-test-op-ranks-"));
  program = await bundleProgram(folder, "rank", rankSource);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function launch(input: object, variables: Readonly<Record<string, string>> = {}) {
  const env = {
    PATH: process.env["PATH"],
    NODE_PATH: join(import.meta.dirname, "../../../node_modules"),
    TESSERA_CACHE: folder,
    ...variables,
  };
  const command = [process.execPath, program];
  const ranks = createRankLauncher({ command, clock: createRealClock(), env });
  const { signal } = new AbortController();
  return ranks({ task: "collect", worldSize, input, signal, timeoutMs: 60_000 });
}

/** What rank `rank` must find when both bring `[[10 * rank, 1], [10 * rank + 1, 1]]`. */
function expected(rank: number) {
  const of = (other: number) => [
    [10 * other, 1],
    [10 * other + 1, 1],
  ];
  const sum = [
    [10, 2],
    [12, 2],
  ];
  return {
    sum,
    share: [sum[rank]],
    rows: [...of(0), ...of(1)],
    exchanged: [of(0)[rank], of(1)[rank]],
    copy: of(1),
    twice: [
      [10, 2],
      [10, 4],
    ],
    empty: [4, 0],
  };
}

describe("op between processes over TCP", () => {
  test.each(["f32", "bf16", "i32"])(
    "each collective gives every rank its tensor of %s",
    async (dtype) => {
      const outcomes = await launch({ onGpus: false, dtype });
      expect(rankValues(outcomes)).toEqual([expected(0), expected(1)]);
    },
  );

  test("a rank that dies before the others call is named", async () => {
    const outcomes = await launch({ onGpus: false, dtype: "f32", dies: 1 });
    expect(() => rankValues(outcomes)).toThrow(/^Rank 1 did not come to its end/);
  });
});

describe.skipIf("reason" in fake)(`op between fake GPUs through NCCL${reasonOf(fake)}`, () => {
  const onFake = (variables: Readonly<Record<string, string>> = {}) => ({
    ...("reason" in fake ? {} : fake.env),
    FAKE_CUDA_DEVICES: String(worldSize),
    ...variables,
  });

  test("each collective gives every rank its tensor, on its GPU and no other", async () => {
    // The second all-gather is that of nothing, which NCCL must not see.
    const second = { FAKE_CUDA_FAIL: "ncclAllGather:2:3" };
    const outcomes = await launch({ onGpus: true, dtype: "f32" }, onFake(second));
    const elsewhere = "E_COLLECTIVE";
    expect(rankValues(outcomes)).toEqual([
      { ...expected(0), elsewhere },
      { ...expected(1), elsewhere },
    ]);
  });

  test("the numbers are NCCL's: a bit that flips there is in the answer", async () => {
    const flip = { FAKE_CUDA_FLIP: "1:ncclAllReduce:1:23" };
    const outcomes = await launch({ onGpus: true, dtype: "f32" }, onFake(flip));
    const [zero, one] = rankValues(outcomes) as { sum: unknown }[];
    expect(zero?.sum).toEqual(expected(0).sum);
    expect(one?.sum).not.toEqual(expected(1).sum);
  });

  test("fewer GPUs than ranks end the run with the reason", async () => {
    const outcomes = await launch(
      { onGpus: true, dtype: "f32" },
      onFake({ FAKE_CUDA_DEVICES: "1" }),
    );
    expect(() => rankValues(outcomes)).toThrow(/^Rank 1 did not come to its end: it failed: /);
  });
});
