import { describe, expect, test } from "vitest";
import { TesseraError } from "../../../../src/platform/errors/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { allocateNodes } from "../../../../src/runtime/ranks/slurm/index.ts";
import { createFakeSlurm } from "../../../platform/slurm/fake-slurm.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { type FakeProgram, fakePrograms } from "./support/fake-programs.ts";

const clock = createRealClock();
const request = {
  ...{ name: "tessera-all-reduce", nodes: 2, ranksPerNode: 1, gpus: false },
  ...{ exclude: [], nodelist: [], timeLimitMs: 60_000, partition: "batch" },
};

/** A cluster whose job this is, and a salloc that says so. */
async function site(salloc: (jobId: number) => FakeProgram, options: { starts?: boolean } = {}) {
  const client = createFakeSlurm({ nodes: 4, clock });
  client.test.autoStart(options.starts ?? true);
  const jobId = client.test.userJob(["--nodes=2"], "tessera");
  const programs = await fakePrograms({ salloc: salloc(jobId) });
  const stop = new AbortController();
  const pending: number[] = [];
  const problems: string[] = [];
  const allocate = (pendingMs = 60_000) =>
    allocateNodes(request, {
      ...{ client, user: "tessera", tools: programs.tools, signal: stop.signal, pendingMs },
      onPending: (id) => pending.push(id),
      onProblem: (problem) => problems.push(problem),
    });
  return { client, jobId, programs, stop, pending, problems, allocate };
}

const granted = (jobId: number): FakeProgram => ({
  err: [`salloc: Granted job allocation ${jobId}`],
  code: "waits",
});
const waiting = (jobId: number): FakeProgram => ({
  err: [
    `salloc: Pending job allocation ${jobId}`,
    `salloc: job ${jobId} queued and waiting for resources`,
  ],
  code: "waits",
});

describe("nodes for ranks", () => {
  test("are those of the job that salloc was granted, and go back once", async () => {
    const { client, jobId, programs, pending, allocate } = await site(granted);
    const allocation = await allocate();
    expect(allocation.jobId).toBe(jobId);
    expect(allocation.nodes.map(({ name }) => name)).toEqual(["g0", "g1"]);
    expect(allocation.nodes.every(({ address }) => address !== "")).toBe(true);
    await Promise.all([allocation.release(), allocation.release()]);
    expect(client.test.job(jobId).state).toBe("CANCELLED");
    expect(client.test.calls.filter((call) => call === "cancel")).toHaveLength(1);
    expect(pending).toEqual([]);
    const args = await programs.argumentsOf("salloc");
    expect(args).toEqual(expect.arrayContaining(["--nodes=2", `--pid=${process.pid}`]));
  });

  test("are asked for with this cluster's configuration, and without what our own job is", async () => {
    const { programs, allocate } = await site(granted);
    await (await allocate()).release();
    const env = await programs.environmentOf("salloc");
    expect(env).toContain("SLURM_CONF=/etc/of/this/slurm.conf");
    expect(env.filter((line) => /^(SLURM_JOB_ID|TESSERA_RUN_TOKEN)=/.test(line))).toEqual([]);
  });

  test("are looked after among our own jobs, however many others there are", async () => {
    const { client, allocate } = await site(granted);
    const asked: unknown[] = [];
    const { jobs } = client;
    Object.assign(client, {
      jobs: (options: Parameters<typeof jobs>[0]) => {
        asked.push(options?.choice);
        return jobs(options);
      },
    });
    await (await allocate()).release();
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.every((choice) => choice !== undefined)).toBe(true);
  });

  test.each([
    ["PartitionTimeLimit", "--time"],
    ["QOSMaxWallDurationPerJobLimit", "--time"],
    ["Resources", "--pending-timeout"],
  ])("that do not come because of %s name what to change: %s", async (reason, flag) => {
    const { client, jobId, allocate } = await site(waiting, { starts: false });
    client.test.job(jobId).reason = reason;
    const attempt = allocate(300);
    await expect(attempt).rejects.toMatchObject({ hint: expect.stringContaining(flag) });
  });

  test("that cannot be given back do not hide why they were given up", async () => {
    const { client, jobId, stop, pending, problems, allocate } = await site(waiting, {
      starts: false,
    });
    const caught = allocate().catch((error: unknown) => error);
    await waitUntil("the job waits", () => pending.length > 0);
    const denied = { tool: "scancel", problem: "Access/permission denied" };
    client.test.failWith(new TesseraError("E_SLURM_DENIED", denied), ["cancel"]);
    const reason = new Error("Ctrl-C");
    stop.abort(reason);
    expect(await caught).toBe(reason);
    expect(problems).toEqual([expect.stringContaining(`scancel ${jobId}`)]);
  });

  test("that do not come in time are no longer waited for, and Slurm's reason is told", async () => {
    const { client, jobId, pending, allocate } = await site(waiting, { starts: false });
    const attempt = allocate(300);
    await expect(attempt).rejects.toMatchObject({ code: "E_SLURM_JOB" });
    await expect(attempt).rejects.toThrow(/within 300 ms; Slurm says why: \w+/);
    expect(pending).toEqual([jobId]);
    expect(client.test.job(jobId).state).toBe("CANCELLED");
  });

  test("are given up when the user is, and the job goes", async () => {
    const { client, jobId, stop, pending, allocate } = await site(waiting, { starts: false });
    const attempt = allocate();
    const caught = attempt.catch((error: unknown) => error);
    await waitUntil("the job waits", () => pending.length > 0);
    const reason = new Error("Ctrl-C");
    stop.abort(reason);
    expect(await caught).toBe(reason);
    expect(client.test.job(jobId).state).toBe("CANCELLED");
  });

  test.each([
    ["E_SLURM_FAILED", "Job submit/allocate failed: Invalid partition name specified"],
    [
      "E_SLURM_DENIED",
      "Job submit/allocate failed: Invalid account or account/partition combination",
    ],
    ["E_SLURM_UNREACHABLE", "Unable to contact slurm controller (connect failure)"],
  ])("that Slurm refuses are an %s in its own words", async (code, words) => {
    const { allocate } = await site(() => ({ err: [`salloc: error: ${words}`], code: 1 }));
    const attempt = allocate();
    await expect(attempt).rejects.toMatchObject({ code });
    await expect(attempt).rejects.toThrow(words);
  });

  test("cannot be had where there is no salloc", async () => {
    const { tools } = await fakePrograms({});
    const client = createFakeSlurm({ nodes: 2, clock });
    const { signal } = new AbortController();
    const attempt = allocateNodes(request, {
      client,
      user: "tessera",
      tools,
      signal,
      pendingMs: 1000,
    });
    await expect(attempt).rejects.toMatchObject({ code: "E_SLURM_MISSING" });
  });
});
