import { mkdir, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRng } from "../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../src/platform/time/index.ts";
import { collectFiles, runToken } from "../../src/validation/collect/index.ts";
import { runCli, startCli } from "../support/built-cli.ts";
import { buildFakeCuda } from "../support/fake-cuda/index.ts";
import { processesIn } from "../support/processes-in.ts";
import { tempDir } from "../support/temp-dir.ts";
import { waitUntil } from "../support/wait-until.ts";
import { intentOf } from "../validation/collect/support.ts";

const kills = Number(process.env["TESSERA_KILLS"] ?? 2);
const seed = process.env["TESSERA_KILL_SEED"] ?? "kill the ranks";
const secret = "the installation's secret";
const clock = createRealClock();
const mebibyte = 2 ** 20;
const fake = await buildFakeCuda();

interface Rehearsal {
  readonly what: string;
  readonly check: string;
  /** A run that ends within seconds. */
  readonly short: object;
  /** What makes it go on for minutes. */
  readonly endless: object;
  readonly env: Readonly<Record<string, string>>;
}

const onProcessors: readonly Rehearsal[] = [
  {
    what: "dl-unit on processors",
    check: "dl-unit",
    short: { engine: "cpu", scale: 0.1, iterations: 1, cases: ["gemm-f32", "transformer"] },
    endless: { durationMs: 600_000 },
    env: {},
  },
  {
    what: "nccl-loopback over TCP",
    check: "nccl-loopback",
    short: { mode: "tcp", ranks: 2, sizesBytes: [8, mebibyte], iterations: 20 },
    endless: { sizesBytes: [8, 64 * mebibyte], iterations: 10_000 },
    env: {},
  },
];
const onGpus: readonly Rehearsal[] =
  "reason" in fake
    ? []
    : [
        {
          what: "dl-unit on fake GPUs",
          check: "dl-unit",
          short: { engine: "cuda", scale: 0.05, iterations: 1, cases: ["gemm-bf16"] },
          endless: { durationMs: 600_000 },
          env: { ...fake.env, FAKE_CUDA_DEVICES: "2" },
        },
        {
          what: "nccl-loopback on fake GPUs",
          check: "nccl-loopback",
          short: { mode: "socket", sizesBytes: [8, 65_536], iterations: 5 },
          endless: { iterations: 10_000 },
          env: { ...fake.env, FAKE_CUDA_DEVICES: "2" },
        },
      ];
const rehearsals = [...onProcessors, ...onGpus];
if ("reason" in fake) console.log(`without GPU checks: ${fake.reason}`);

/** A place of its own for one series of runs; whatever they start works there. */
async function place(rehearsal: Rehearsal) {
  const root = await tempDir();
  const [cwd, temp] = [join(root, "cwd"), join(root, "tmp")];
  await Promise.all([mkdir(cwd), mkdir(temp)]);
  const env = { ...rehearsal.env, TMPDIR: temp, TESSERA_CACHE: join(root, "cache") };
  return { root, cwd, temp, env };
}

/** The fake GPUs' kernels are compiled by the machine's own compiler, which leaves this when it is killed. */
const leftByCompiler = /^cc\w{6}(\.\w+)+$/;

/**
 * As if an hour had passed: from then on what a killed rank was about to put into the cache goes
 * with the next image that is put there, and no image is there any more.
 */
async function letAnHourPass(cache: string): Promise<void> {
  const folder = join(cache, "kernels");
  const longAgo = new Date(clock.nowMs() - 2 * 3_600_000);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.endsWith(".kernel")) await rm(join(folder, name));
    else await utimes(join(folder, name), longAgo, longAgo);
  }
}

const nothingRuns = (cwd: string) =>
  waitUntil("everything it had started has ended", () => processesIn(cwd).length === 0);

describe.each(rehearsals)("$what", (rehearsal) => {
  const { check, short, endless } = rehearsal;

  test(
    `killed with -9 at ${kills} random moments leaves no process, and no file once the next has run`,
    async () => {
      const { root, cwd, temp, env } = await place(rehearsal);
      const args = ["check", "run", check, "--options"];
      const rng = createRng(`${seed} ${rehearsal.what}`).stream("moments");
      for (let kill = 0; kill < kills; kill++) {
        const options = JSON.stringify({ ...short, ...endless });
        const { child, result } = await startCli([...args, options], { cwd, env });
        // One of two before there are ranks or while they start, the other later.
        if (kill % 2 === 1) {
          await waitUntil("its ranks run", () => processesIn(cwd).length >= 3);
        }
        await sleep(clock, rng.int(1000));
        child.kill("SIGKILL");
        expect((await result).code).toBe(137);
        await nothingRuns(cwd);
      }
      await letAnHourPass(env.TESSERA_CACHE);
      const { code, stderr } = await runCli([...args, JSON.stringify(short)], { cwd, env });
      expect(code, stderr).toBe(0);
      await nothingRuns(cwd);
      expect((await readdir(temp)).filter((name) => !leftByCompiler.test(name))).toEqual([]);
      expect(await readdir(cwd)).toEqual([]);
      const cached = await readdir(join(root, "cache"), { recursive: true }).catch(() => []);
      expect(cached.filter((name) => !/^kernels(\/[\w-]+\.kernel)?$/.test(name))).toEqual([]);
    },
    60_000 + kills * 10_000,
  );

  test("told to end does so in time, hands in that it was cancelled and leaves nothing", async () => {
    const { root, cwd, temp, env } = await place(rehearsal);
    const results = join(root, "results");
    await mkdir(results);
    const intent = intentOf({ check });
    const job = {
      TESSERA_RUN_ID: intent.id,
      TESSERA_RUN_TOKEN: runToken(secret, intent.id),
      TESSERA_NODE: intent.node,
      TESSERA_CHECK: check,
      TESSERA_CLUSTER: intent.cluster,
      TESSERA_PLANNED_AT: String(Math.floor(intent.plannedAtMs / 1000)),
      TESSERA_RUN_TIMEOUT_MS: "600000",
      TESSERA_CHECK_OPTIONS: JSON.stringify({ ...short, ...endless }),
      TESSERA_RESULT_DIR: results,
    };
    const { child, result } = await startCli(["agent", "run-check"], {
      cwd,
      env: { ...env, ...job },
    });
    await waitUntil("its ranks run", () => processesIn(cwd).length >= 3);
    child.kill("SIGTERM");
    const { code, stderr } = await result;
    expect(code, stderr).toBe(0);
    const found = await collectFiles({ root: results, runs: [intent], secret, clock });
    expect(found.results[0]?.result, stderr).toMatchObject({ outcome: "cancelled", figures: {} });
    await nothingRuns(cwd);
    expect(await readdir(temp)).toEqual([]);
  });
});
