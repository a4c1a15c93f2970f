import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRankLauncher, rankValues } from "../../../src/runtime/ranks/index.ts";
import type { TrainInput, TrainResult } from "../../../src/runtime/training/index.ts";
import { bundleProgram } from "../../support/bundle-program.ts";
import { clock } from "../ranks/support/here.ts";
import { jobOn, mlpJob, trained } from "./support/jobs.ts";

const source = `
import { createRealClock } from "./src/platform/time/index.ts";
import { orderSchema, readRank, runRankTask } from "./src/runtime/ranks/index.ts";
import { trainTask } from "./src/runtime/training/tasks/index.ts";
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const order = orderSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
const { signal } = new AbortController();
const end = await runRankTask({ task: trainTask, ...readRank(process.env), ...order, clock: createRealClock(), env: process.env, signal });
process.exit(end === "completed" ? 0 : 1);
`;

describe("training in processes of their own", () => {
  let folder = "";
  let program = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-training-"));
    program = await bundleProgram(folder, "train", source);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function launch(worldSize: number, input: TrainInput): Promise<readonly TrainResult[]> {
    const command = [process.execPath, program];
    const env = { PATH: process.env["PATH"] };
    const launcher = createRankLauncher({ command, clock, env, graceMs: 500 });
    const { signal } = new AbortController();
    const outcomes = await launcher({
      task: "train",
      worldSize,
      input,
      signal,
      timeoutMs: 120_000,
    });
    return rankValues(outcomes) as readonly TrainResult[];
  }

  it("has the bits of the job in one process, cut over samples, columns and layers", async () => {
    const shape = { dp: 2, tp: 2, pp: 2 };
    const results = await launch(8, { job: mlpJob, steps: 3, shape });
    const digest = (await trained(jobOn({ dp: 1 }), 3)).digest();
    expect(results).toHaveLength(8);
    for (const result of results) expect(result).toMatchObject({ step: 3, digest });
    expect(new Set(results.map(({ losses }) => losses.join(" "))).size).toBe(1);
  });

  it("names the rank that was killed in the middle of a step", async () => {
    const lose = { rank: 2, afterSteps: 1 };
    const run = launch(4, { job: mlpJob, steps: 50, shape: { tp: 2, pp: 2 }, lose });
    await expect(run).rejects.toThrow("Rank 2 did not come to its end: it was killed by SIGKILL");
  });
});
