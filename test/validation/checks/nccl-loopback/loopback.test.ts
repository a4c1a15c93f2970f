import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import type { RankLauncher } from "../../../../src/runtime/ranks/index.ts";
import { createNcclLoopback } from "../../../../src/validation/checks/nccl-loopback/index.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { buildFakeCuda, reasonOf, withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { writeSysfs } from "../../nccl/sysfs.ts";
import { clock, host } from "../support.ts";
import { launcherOf, workerSource } from "./worker.ts";

const fake = await buildFakeCuda();
const check = createNcclLoopback();
let folder = "";
let program = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-test-loopback-"));
  program = await bundleProgram(folder, "worker", workerSource);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** One run of the check, as the runner of checks would make it. */
async function loopBack(o: {
  readonly options?: object;
  readonly variables?: Readonly<Record<string, string>>;
  readonly around?: (ranks: RankLauncher) => RankLauncher;
}) {
  const lines: string[] = [];
  const noted: string[] = [];
  const variables = { ...("reason" in fake ? {} : fake.env), ...o.variables };
  withFakeEnv(variables);
  const ranks = launcherOf(program, { TESSERA_CACHE: folder, ...variables });
  const sysfs = await tempDir();
  const options = { sysfs, sizesBytes: [8, 4096], iterations: 3, warmUp: 1, ...o.options };
  const output = check.run({
    clock,
    host,
    env: { ...process.env, ...variables },
    ranks: o.around === undefined ? ranks : o.around(ranks),
    profile: "quick",
    options: check.options.parse(options),
    signal: AbortSignal.timeout(60_000),
    log: (line) => void lines.push(line),
    noteHardFact: (sentence) => void noted.push(sentence),
    tempDir: await tempDir(),
    rng: createRng(1).stream("test"),
  });
  return { output, lines, noted, sysfs };
}

describe("nccl-loopback without a GPU", () => {
  test("adds up over TCP between processes, and says that it tested no GPU", async () => {
    const { output, noted } = await loopBack({ options: { mode: "tcp", ranks: 3 } });
    const { figures, facts, cohort } = await output;
    expect(noted).toEqual([]);
    expect(Object.keys(figures)).toEqual(["small_tcp_busbw", "tcp_latency_us"]);
    for (const { samples } of Object.values(figures)) {
      expect(samples.length).toBe(3);
      expect(samples.every((sample) => sample > 0)).toBe(true);
    }
    expect(facts).toMatchObject({ mode: "tcp", ranks: 3, sizes: [{ bytes: 8 }, { bytes: 4096 }] });
    expect(JSON.stringify(facts["notTested"])).toContain("processes without a GPU");
    expect(cohort).toBe("tcp, 3 ranks, f32, 4 KiB");
  });

  test("names the rank that died", async () => {
    const { output } = await loopBack({
      options: { mode: "tcp", ranks: 2 },
      variables: { TEST_DIES: "1" },
    });
    await expect(output).rejects.toMatchObject({
      code: "E_RANK_LOST",
      message: expect.stringContaining("Rank 1 did not come to its end: it was killed by SIGKILL"),
    });
  });
});

describe.skipIf("reason" in fake)(`nccl-loopback on fake GPUs${reasonOf(fake)}`, () => {
  const two = { FAKE_CUDA_DEVICES: "2" };

  test("goes through sockets where there are no cards, proved by NCCL's log", async () => {
    const { output, noted } = await loopBack({ variables: two });
    const { figures, facts, cohort } = await output;
    expect(noted).toEqual([]);
    expect(Object.keys(figures)).toEqual(["small_socket_busbw", "socket_latency_us"]);
    expect(facts).toMatchObject({
      mode: "socket",
      ranks: 2,
      gpus: [{ pciBusId: expect.any(String) }, { pciBusId: expect.any(String) }],
      proof: { channels: 2, connections: { "NET/Socket/0": 8 } },
    });
    expect(cohort).toBe("socket, 2 ranks, NCCL 2.27.7, bf16, 4 KiB");
  });

  test("puts two ranks on the only GPU when asked to, each as a machine of its own", async () => {
    const { output } = await loopBack({ options: { ranksPerGpu: 2 } });
    const { figures, facts, cohort } = await output;
    expect(Object.keys(figures)).toEqual(["small_shared_socket_busbw", "shared_socket_latency_us"]);
    expect(facts["ranks"]).toBe(2);
    expect(JSON.stringify(facts["notTested"])).toContain("2 ranks share each GPU");
    expect(cohort).toBe("socket, 2 ranks, 2 on a GPU, NCCL 2.27.7, bf16, 4 KiB");
  });

  test("is an error when NCCL went another way, whatever the bandwidth", async () => {
    const { output } = await loopBack({
      variables: { ...two, FAKE_NCCL_TRANSPORT: "SHM/direct/direct" },
    });
    await expect(output).rejects.toMatchObject({
      code: "E_CHECK_FAILED",
      message: expect.stringContaining("via SHM/direct/direct instead of the network"),
    });
  });

  test("names the wrong element of a rank, proved or not", async () => {
    const flip = { FAKE_CUDA_FLIP: "1:ncclAllReduce:1:0" };
    const { output, noted } = await loopBack({ variables: { ...two, ...flip } });
    await output;
    expect(noted.length).toBe(1);
    expect(noted[0]).toMatch(/1 of \d+ elements of an all-reduce of 8 B are wrong; rank 1: /);
    const unproved = await loopBack({
      variables: { ...two, ...flip, FAKE_NCCL_TRANSPORT: "P2P/CUMEM" },
    });
    await expect(unproved.output).rejects.toMatchObject({ code: "E_CHECK_FAILED" });
    expect(unproved.noted.length).toBe(1);
  });

  test("on one GPU checks the answer and says plainly what it could not test", async () => {
    const { output } = await loopBack({});
    const { figures, facts } = await output;
    expect(figures).toEqual({});
    expect(facts).toMatchObject({ ranks: 1, sizes: [{ wrong: 0 }, { wrong: 0 }] });
    expect(facts["notTested"]).toEqual([
      expect.stringContaining("bandwidth, latency and the way between GPUs"),
      "the InfiniBand cards: no data went through them",
    ]);
  });

  test("leaves out sizes that do not fit into the GPUs' memory, and says so", async () => {
    const { output } = await loopBack({
      variables: { FAKE_CUDA_MEMORY_BYTES: String(64 * 2 ** 20) },
      options: { sizesBytes: [8, 2 ** 30] },
    });
    const { facts } = await output;
    expect(facts["sizes"]).toMatchObject([{ bytes: 8 }]);
    expect(JSON.stringify(facts["notTested"])).toContain("sizes of 1 GiB: there is room for");
  });

  test("does not fall back to TCP when InfiniBand is asked for and no GPU is there", async () => {
    const { output } = await loopBack({
      options: { mode: "ib" },
      variables: { FAKE_CUDA_DEVICES: "0" },
    });
    await expect(output).rejects.toMatchObject({
      code: "E_CHECK_UNAVAILABLE",
      message: expect.stringContaining("no GPU can be used"),
    });
  });

  test("fails with NCCL's own name of an error", async () => {
    const { output } = await loopBack({
      variables: { ...two, FAKE_CUDA_FAIL: "ncclAllReduce:2:3" },
    });
    await expect(output).rejects.toMatchObject({
      code: "E_RANK_LOST",
      message: expect.stringContaining("ncclAllReduce failed: ncclInternalError (3)"),
    });
  });
});

describe.skipIf("reason" in fake)(`nccl-loopback through fake cards${reasonOf(fake)}`, () => {
  const two = { FAKE_CUDA_DEVICES: "2" };

  /** Ranks during whose run the counters of the cards change. */
  const moving =
    (sysfs: () => string, after: Parameters<typeof writeSysfs>[1]) =>
    (ranks: RankLauncher): RankLauncher =>
    async (run) => {
      const outcomes = await ranks(run);
      await writeSysfs(sysfs(), after);
      return outcomes;
    };

  async function throughCards(after: Parameters<typeof writeSysfs>[1], variables = {}) {
    const sysfs = await tempDir();
    await writeSysfs(sysfs, [{ hca: "mlx5_0" }]);
    return loopBack({
      options: { sysfs },
      variables: { ...two, ...variables },
      around: moving(() => sysfs, after),
    });
  }

  test("has the figures of InfiniBand once log and counters prove the way", async () => {
    const { output } = await throughCards([{ hca: "mlx5_0", xmit: "900000" }]);
    const { figures, facts } = await output;
    expect(Object.keys(figures)).toEqual(["small_busbw", "latency_us"]);
    expect(facts).toMatchObject({
      mode: "ib",
      hcas: ["mlx5_0"],
      proof: {
        connections: { "NET/IB/0/GDRDMA": 8 },
        hcas: { cards: { mlx5_0: { sentBytes: 3_596_000, errors: {} } } },
      },
    });
  });

  test.each([
    ["the card sent nothing", [{ hca: "mlx5_0" }], {}, "mlx5_0 sent nothing"],
    [
      "GPUDirect was not used",
      [{ hca: "mlx5_0", xmit: "900000" }],
      { FAKE_NCCL_TRANSPORT: "NET/IB/0" },
      "without GPUDirect",
    ],
  ])("is an error when %s", async (_what, after, variables, refusal) => {
    const { output } = await throughCards(after, variables);
    await expect(output).rejects.toMatchObject({
      code: "E_CHECK_FAILED",
      message: expect.stringContaining(refusal),
    });
  });
});
