import { describe, expect, test } from "vitest";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { type RankRun, rankValues } from "../../../../src/runtime/ranks/index.ts";
import { createSrunLauncher } from "../../../../src/runtime/ranks/slurm/index.ts";
import { toRankLines } from "../../../../src/runtime/ranks/slurm/rank-lines.ts";
import { createFakeSlurm } from "../../../platform/slurm/fake-slurm.ts";
import { type FakeProgram, fakePrograms } from "./support/fake-programs.ts";

const clock = createRealClock();

function said(rank: number, message: unknown): readonly string[] {
  return toRankLines(message).map((line) => `${rank}: ${line}`);
}
const done = (rank: number) => said(rank, { type: "completed", value: rank * 10 });

/** A job on two nodes of two ranks each, and a launcher into it. */
async function site(srun: FakeProgram, env: Readonly<Record<string, string>> = {}) {
  const client = createFakeSlurm({ nodes: 4, clock });
  const jobId = client.test.userJob(["--nodes=2"], "tessera");
  const programs = await fakePrograms({ srun }, env);
  const nodes = [
    { name: "g0", address: "127.0.0.1" },
    { name: "g1", address: "127.0.0.1" },
  ];
  const launch = createSrunLauncher({
    ...{ allocation: { jobId, nodes }, ranksPerNode: 2, gpus: false },
    ...{ program: "/shared/tessera", client, user: "tessera", tools: programs.tools },
  });
  const stop = new AbortController();
  const run = (change: Partial<RankRun> = {}) =>
    launch({
      ...{ task: "collective", worldSize: 4, input: { op: "barrier" } },
      ...{ signal: stop.signal, timeoutMs: 60_000, ...change },
    });
  return { client, jobId, programs, stop, run };
}

describe("ranks by srun", () => {
  test("return what each of them returned, in order", async () => {
    const { run } = await site({ out: [...done(2), ...done(0), ...done(3), ...done(1)], code: 0 });
    expect(rankValues(await run())).toEqual([0, 10, 20, 30]);
  });

  test("are told all by their environment, and the secret stands in no argument", async () => {
    const { run, programs, jobId } = await site({ out: [0, 1, 2, 3].flatMap(done), code: 0 });
    await run();
    const args = await programs.argumentsOf("srun");
    expect(args).toEqual(expect.arrayContaining([`--jobid=${jobId}`, "--nodelist=g0,g1"]));
    expect(args.slice(-5)).toEqual(["/shared/tessera", "agent", "rank", "collective", ""]);
    const env = await programs.environmentOf("srun");
    expect(env).toContain('TESSERA_RANK_INPUT={"op":"barrier"}');
    expect(env.find((line) => line.startsWith("TESSERA_RENDEZVOUS="))).toMatch(
      /=127\.0\.0\.1:6\d+$/,
    );
    const secret = env.find((line) => line.startsWith("TESSERA_RANK_SECRET="))?.split("=")[1];
    expect(secret?.length).toBeGreaterThan(30);
    expect(args.join(" ")).not.toContain(secret);
  });

  test("get what says how to compute, and nothing of ours that is secret or another rank's", async () => {
    const stray = {
      TESSERA_KERNELS: "wasm",
      LANG: "C",
      ...{ TESSERA_TOKEN: "t", TESSERA_STORE_URL: "s", TESSERA_RANK: "5", TESSERA_WORLD_SIZE: "9" },
      ...{ JOB_COMPLETION_INDEX: "3", VC_TASK_INDEX: "3" },
    };
    const { run, programs } = await site({ out: [0, 1, 2, 3].flatMap(done), code: 0 }, stray);
    await run();
    const env = (await programs.environmentOf("srun")).map((line) => line.split("=")[0] ?? "");
    expect(env).toEqual(expect.arrayContaining(["TESSERA_KERNELS", "LANG", "PATH"]));
    expect(env.filter((name) => /^(TESSERA_|JOB_COMP|VC_)/.test(name)).toSorted()).toEqual([
      ...["TESSERA_KERNELS", "TESSERA_RANK_INPUT", "TESSERA_RANK_LINES", "TESSERA_RANK_SECRET"],
      "TESSERA_RENDEZVOUS",
    ]);
  });

  test("that Slurm ended because a node failed say that, before the job does", async () => {
    const cause = "NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS";
    const { run } = await site({
      err: [
        `slurmstepd: error: *** STEP 7.0 ON g0 CANCELLED AT 2026-01-01T00:00:00 DUE TO ${cause} ***`,
      ],
      code: 143,
    });
    await expect(run()).rejects.toThrow("lost a node");
  });

  test("of a smaller world are on the first nodes alone", async () => {
    const { run, programs } = await site({ out: [0, 1].flatMap(done), code: 0 });
    await run({ worldSize: 2 });
    expect(await programs.argumentsOf("srun")).toContain("--nodelist=g0");
  });

  test("of which one was lost name it and its node while the job lives", async () => {
    const { run } = await site({
      out: [0, 1, 2].flatMap(done),
      err: ["srun: error: g1: task 3: Killed"],
      code: 137,
    });
    const outcomes = await run();
    expect(() => rankValues(outcomes)).toThrow(/Rank 3 .*Killed; it ran on g1/);
  });

  test.each([
    ["PREEMPTED", "was preempted by another job"],
    ["TIMEOUT", "came to the end of its time limit"],
    ["CANCELLED", "was cancelled"],
    ["NODE_FAIL", "lost a node (g1)"],
  ])("that ended because the job is %s say that", async (state, words) => {
    const { client, jobId, run } = await site({
      err: ["srun: error: Node failure on g1", "srun: error: g0: tasks 0-1: Terminated"],
      code: 143,
    });
    client.test.end(jobId, state);
    const attempt = run();
    await expect(attempt).rejects.toMatchObject({ code: "E_SLURM_JOB" });
    await expect(attempt).rejects.toThrow(words);
  });

  test("that were all done before the job ended count", async () => {
    const { client, jobId, run } = await site({ out: [0, 1, 2, 3].flatMap(done), code: 0 });
    client.test.end(jobId, "CANCELLED");
    expect(rankValues(await run())).toHaveLength(4);
  });

  test("that srun cannot start are an error in its words", async () => {
    const words = "Unable to create step: Requested node configuration is not available";
    const { run } = await site({ err: [`srun: error: ${words}`], code: 1 });
    const attempt = run();
    await expect(attempt).rejects.toMatchObject({ code: "E_SLURM_FAILED" });
    await expect(attempt).rejects.toThrow(words);
  });

  test("end with the signal, and with their time", async () => {
    const { run, stop } = await site({ err: ["0: at work"], code: "waits" });
    const late = await run({ timeoutMs: 200 });
    expect(() => rankValues(late)).toThrow("the run did not end within 200 ms");
    const reason = new Error("Ctrl-C");
    const attempt = run({ onLine: () => stop.abort(reason) });
    await expect(attempt).rejects.toBe(reason);
  });
});
