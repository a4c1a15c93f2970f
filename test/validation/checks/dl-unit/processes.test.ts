import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRankLauncher } from "../../../../src/runtime/ranks/index.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { isRunning } from "../../../support/is-running.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock } from "../support.ts";
import { runDlUnit } from "./support.ts";

/** The worker as the product has it, except that a rank may be told to die in its second case. */
const workerSource = `
import { createRealClock } from "./src/platform/time/index.ts";
import { orderSchema, readRank, runRankTask } from "./src/runtime/ranks/index.ts";
import { dlUnitTask } from "./src/validation/checks/dl-unit/rank-task.ts";

const task = async (context) => {
  let begun = 0;
  const report = (value) => {
    context.report(value);
    if (value.kind === "begin") console.log("pid " + process.pid);
    if (value.kind === "begin" && ++begun === 2 && context.env.DIES === String(context.rank)) {
      process.kill(process.pid, "SIGKILL");
    }
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
    return createRankLauncher({ command, clock, env: { ...process.env, ...env } });
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
});
