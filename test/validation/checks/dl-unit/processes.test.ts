import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRankLauncher } from "../../../../src/runtime/ranks/index.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { buildFakeCuda, reasonOf, withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { isRunning } from "../../../support/is-running.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock, host } from "../support.ts";
import { runDlUnit } from "./support.ts";

/** The worker as the product has it, except that a rank may be told to die or fail in its second case. */
const workerSource = `
import { createRealClock } from "./src/platform/time/index.ts";
import { orderSchema, readRank, runRankTask } from "./src/runtime/ranks/index.ts";
import { dlUnitTask } from "./src/validation/checks/dl-unit/rank-task.ts";

const task = async (context) => {
  let begun = 0;
  const report = (value) => {
    context.report(value);
    if (value.kind === "begin") console.log("pid " + process.pid);
    if (value.kind !== "begin" || ++begun !== 2) return;
    if (context.env.DIES === String(context.rank)) process.kill(process.pid, "SIGKILL");
    if (context.env.FAILS === String(context.rank)) throw new Error("this device is out of order");
  };
  return dlUnitTask({ ...context, report });
};
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const order = orderSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort(new Error("told to stop")));
const end = await runRankTask({ task, ...readRank(process.env), ...order, clock: createRealClock(), env: process.env, signal: stop.signal });
process.exit(end === "completed" ? 0 : 1);
`;

const fake = await buildFakeCuda();

describe("dl-unit in processes of its own", () => {
  let folder = "";
  let program = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-test-dl-unit-"));
    program = await bundleProgram(folder, "worker", workerSource);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const launcher = (env: Readonly<Record<string, string>> = {}) => {
    const command = [process.execPath, program];
    const NODE_PATH = join(import.meta.dirname, "../../../../node_modules");
    return createRankLauncher({ command, clock, env: { ...process.env, NODE_PATH, ...env } });
  };
  const small = { scale: 0.1, iterations: 1, cases: ["gemm-f32", "gemm-bf16"] };

  it("agrees on every answer", async () => {
    const { result } = await runDlUnit(small, { ranks: launcher() });
    expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(result.facts["devices"]).toHaveLength(2);
  });

  it("is an error that names the process when one dies half-way, and no other stays behind", async () => {
    const pids: number[] = [];
    const ranks = launcher({ DIES: "1" });
    const { result } = await runDlUnit(small, {
      ranks: (run) =>
        ranks({
          ...run,
          onLine: (_, line) => {
            const [, pid] = /^pid (\d+)$/.exec(line) ?? [];
            if (pid !== undefined) pids.push(Number(pid));
          },
        }),
    });
    expect(result.outcome).toBe("error");
    expect(result.error).toContain("device 1 was lost");
    expect(pids.length).toBeGreaterThan(1);
    await waitUntil("all ranks are gone", () => pids.every((pid) => !isRunning(pid)));
  });

  it("stops the others as soon as one fails, and names that one", async () => {
    // Without the stop the other would go on for longer than this test may take.
    const long = { ...small, durationMs: 3_600_000 };
    const { result, lines } = await runDlUnit(long, { ranks: launcher({ FAILS: "1" }) });
    expect(result.outcome).toBe("error");
    expect(result.error).toContain("device 1: this device is out of order");
    expect(lines.filter((line) => line.startsWith("device "))).toHaveLength(1);
  });

  describe.skipIf("reason" in fake)(`on fake GPUs${reasonOf(fake)}`, () => {
    const runOnGpus = async (cases: readonly string[], variables: Record<string, string> = {}) => {
      withFakeEnv({ ...("reason" in fake ? {} : fake.env), FAKE_CUDA_DEVICES: "2", ...variables });
      const options = { engine: "cuda", scale: 0.01, iterations: 2, cases };
      const gpus = ["Fake H200", "Fake H200"];
      return runDlUnit(options, {
        ranks: launcher(),
        host: { ...host, gpus },
        env: process.env,
      });
    };

    it("exchanges data between the GPUs, with the figure named after what NCCL used", async () => {
      const { result } = await runOnGpus(["collectives", "overlap"]);
      expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
      expect(Object.keys(result.figures).toSorted()).toEqual([
        "scaled_overlap_ms",
        "scaled_p2p_busbw",
      ]);
      expect(result.facts["exchangedOver"]).toBe("p2p (P2P/CUMEM)");
      expect(result.facts["notCovered"]).toEqual({});
      const cases = Object.entries(result.facts["cases"] as object);
      expect(cases[0]?.[1].devices[0]).toMatchObject({
        "all-reduce bf16 GB/s": expect.any(Number),
        "all-to-all f32 GB/s": expect.any(Number),
      });
      expect(cases[1]?.[1].devices[1]).toMatchObject({ productsSlowDown: expect.any(Number) });
    });

    it("names the GPU that got a wrong sum, and no other", async () => {
      const { result } = await runOnGpus(["collectives"], {
        FAKE_CUDA_FLIP: "1:ncclAllReduce:1:14",
      });
      expect(result.outcome).toBe("completed");
      expect(result.hardFacts).toHaveLength(1);
      expect(result.hardFacts[0]).toMatch(
        /^gpu 1 \(GPU-.*: collectives .*: 1 of \d+ elements that came out of all-reduce .* element 0 is /,
      );
    });
  });
});
