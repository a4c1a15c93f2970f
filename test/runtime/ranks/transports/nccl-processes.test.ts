import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { createRankLauncher, rankValues } from "../../../../src/runtime/ranks/index.ts";
import { ncclOps } from "../../../../src/runtime/ranks/transports/nccl/index.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { buildFakeCuda, reasonOf } from "../../../support/fake-cuda/index.ts";

/** A rank that measures the operations it is told with NCCL. */
const workerSource = `
import { createRealClock } from "./src/platform/time/index.ts";
import { joinWorld, measureCollective, orderSchema, readRank, runRankTask } from "./src/runtime/ranks/index.ts";
import { openNcclTransport } from "./src/runtime/ranks/transports/nccl/index.ts";

const task = async (context) => {
  const { ops, dtype, root, dies } = context.input;
  const { clock, env } = context;
  const world = await joinWorld({ ...context, timeoutMs: 60000 });
  if (dies === context.rank) process.kill(process.pid, "SIGKILL");
  const transport = await openNcclTransport({ world, clock, env, timeoutMs: 60000 });
  const found = {};
  for (const op of ops) {
    const share = (own) => world.gather(own);
    const [size] = await measureCollective({ transport, op, sizes: [4096], dtype, root, warmUp: 1, iterations: 2, share });
    found[op] = { wrong: size.wrong, elements: size.elements, times: size.timesUs.length };
  }
  const { facts } = transport;
  await transport.close();
  await world.leave();
  return { found, facts };
};
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const order = orderSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
const own = { ...readRank(process.env), ...order };
const { signal } = new AbortController();
const end = await runRankTask({ task, ...own, clock: createRealClock(), env: process.env, signal });
process.exit(end === "completed" ? 0 : 1);
`;

const fake = await buildFakeCuda();

describe.skipIf("reason" in fake)(`NCCL between processes on fake GPUs${reasonOf(fake)}`, () => {
  let folder = "";
  let program = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-test-nccl-"));
    program = await bundleProgram(folder, "worker", workerSource);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function launch(worldSize: number, input: object, variables: Record<string, string> = {}) {
    const env = {
      PATH: process.env["PATH"],
      NODE_PATH: join(import.meta.dirname, "../../../../node_modules"),
      TESSERA_CACHE: folder,
      FAKE_CUDA_DEVICES: String(worldSize),
      ...("reason" in fake ? {} : fake.env),
      ...variables,
    };
    const clock = createRealClock();
    const ranks = createRankLauncher({ command: [process.execPath, program], clock, env });
    const { signal } = new AbortController();
    return ranks({ task: "measure", worldSize, input, signal, timeoutMs: 60_000 });
  }

  test("every operation gives every rank what it must get", async () => {
    const outcomes = await launch(3, { ops: ncclOps, dtype: "f16", root: 1 });
    const values = rankValues(outcomes) as { found: Record<string, object>; facts: object }[];
    expect(values.length).toBe(3);
    for (const { found } of values) {
      expect(Object.keys(found)).toEqual([...ncclOps]);
      for (const [op, size] of Object.entries(found)) {
        expect(size, op).toMatchObject({ wrong: 0, times: 2 });
      }
    }
    expect(new Set(values.map(({ facts }) => JSON.stringify(facts))).size).toBe(3);
  });

  test("one flipped bit on one rank is counted by all", async () => {
    const variables = { FAKE_CUDA_FLIP: "1:ncclAllReduce:1:3" };
    const outcomes = await launch(2, { ops: ["all-reduce"], dtype: "bf16", root: 0 }, variables);
    const values = rankValues(outcomes) as { found: Record<string, { wrong: number }> }[];
    expect(values.map(({ found }) => found["all-reduce"]?.wrong)).toEqual([1, 1]);
  });

  test("a rank that dies before NCCL has met is named, and no other is left waiting", async () => {
    const outcomes = await launch(2, { ops: ["all-reduce"], dtype: "f32", root: 0, dies: 1 });
    expect(outcomes.find(({ rank }) => rank === 1)).toMatchObject({ ended: "lost" });
    expect(() => rankValues(outcomes)).toThrow("Rank 1 did not come to its end");
  });
});
