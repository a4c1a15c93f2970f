import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { describeSlurm, type Slurm, startSlurm } from "../../../cluster/slurm/fixture.ts";
import { distDir, runCli, startCli } from "../../../support/built-cli.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { ledgerFolder } from "../chaos/support/workers.ts";

/** Every night it is more: TESSERA_CAMPAIGN_RUNS=10000. */
const runs = Number(process.env["TESSERA_CAMPAIGN_RUNS"] ?? 400);
const limitMs = 180_000 + runs * 300;
const array = ["--on", "slurm", "--tasks", "4", "--partition", "tessera"];

interface Task {
  /** `12_3` */
  readonly id: string;
  readonly state: string;
  readonly node: string;
}

describeSlurm("a campaign as a job array", () => {
  let slurm: Slurm;
  beforeAll(async () => {
    slurm = await startSlurm({ nodes: 4 });
  });
  afterAll(async () => {
    await slurm?.[Symbol.asyncDispose]();
  });

  /** The campaign's tasks in the queue, each by itself; those that ended are not among them. */
  const queue = async (): Promise<readonly Task[]> => {
    const text = await slurm.run("squeue", ["--noheader", "--array", "--format=%i %T %N"]);
    return text.split("\n").flatMap((line) => {
      const [id = "", state = "", node = ""] = line.trim().split(" ");
      return id === "" ? [] : [{ id, state, node }];
    });
  };
  const running = async () => (await queue()).filter(({ state }) => state === "RUNNING");
  /** A task whose end was asked for takes a moment to be gone. */
  const noneIsLeft = async () => {
    expect((await queue()).filter(({ state }) => state !== "COMPLETING")).toEqual([]);
    await waitUntil("no task is left", async () => (await queue()).length === 0);
  };
  const arrays = async () => [...new Set((await queue()).map(({ id }) => id.split("_")[0]))];

  /** The built program with a store of its own, and a folder that all nodes see. */
  const campaign = async (more: Readonly<Record<string, string>> = {}) => {
    const results = await mkdtemp(join(slurm.sharedDir, "campaign-"));
    onTestFinished(() => rm(results, { recursive: true, force: true }));
    const env = {
      ...slurm.env,
      TESSERA_STORE_URL: `sqlite:${join(ledgerFolder(), "tessera.db")}`,
      TESSERA_SLURM_PROGRAM: join(distDir, "cli", "main.js"),
      ...more,
    };
    const args = (rest: readonly string[]) => ["chaos", "campaign", "--seed", "7", ...rest];
    const there = [...array, "--results", results];
    return {
      results,
      here: (...rest: string[]) => runCli(args(rest), { env, limitMs }),
      start: (...rest: string[]) => startCli(args([...rest, ...there]), { env, limitMs }),
      run: (...rest: string[]) => runCli(args([...there, ...rest]), { env, limitMs }),
    };
  };

  it(
    "is the same as a local one, though a task is killed and a node loses power in the middle",
    async () => {
      const { start, run, here, results } = await campaign();
      const many = ["--runs", `${runs}`, "--name", "many", "--json"];
      const going = await start(...many);
      await waitUntil("all tasks are at work", async () => (await running()).length === 4);
      const [first] = await arrays();
      const [victim] = await running();
      await slurm.run("scancel", ["--batch", "--signal=KILL", victim?.id ?? ""]);
      await waitUntil("its range is run again, by another task", async () =>
        (await running()).some(({ id }) => !id.startsWith(`${first}_`)),
      );
      const [other] = await running();
      const node = slurm.nodes.find(({ name }) => name === other?.node);
      await node?.powerOff();
      const local = await here("--runs", `${runs}`, "--json");
      const gathered = await going.result;
      expect(gathered.code, gathered.stderr).toBe(local.code);
      expect(JSON.parse(gathered.stdout)).toEqual(JSON.parse(local.stdout));
      expect(JSON.parse(local.stdout)).toMatchObject({ runs });
      await noneIsLeft();
      expect(await readdir(results)).toEqual([]);
      // All is in the store now: nothing is left for tasks to do.
      const again = await run(...many);
      expect(JSON.parse(again.stdout)).toEqual(JSON.parse(local.stdout));
      await node?.start();
    },
    limitMs,
  );

  it(
    "is adopted by the next start when its runner was killed, and runs no finished part again",
    async () => {
      const { start, run, here } = await campaign();
      const many = ["--runs", `${runs}`, "--name", "killed"];
      const killed = await start(...many);
      await waitUntil("all tasks are at work", async () => (await running()).length === 4);
      const before = await arrays();
      killed.child.kill("SIGKILL");
      await killed.result;
      const [there, local] = [ledgerFolder(), ledgerFolder()];
      const told = await run(...many, "--out", there);
      expect(told.code, told.stderr).toBe(0);
      await here("--runs", `${runs}`, "--out", local);
      expect(runsIn(there)).toEqual(runsIn(local));
      const seen = readFileSync(slurm.jobcompFile, "utf8");
      const ours = seen.matchAll(/Name=tessera-campaign\S* .*?ArrayJobId=(\d+)/g);
      expect([...new Set([...ours].map(([, id]) => id))].at(-1)).toBe(before[0]);
    },
    limitMs,
  );

  it(
    "ends its tasks when interrupted and keeps what they finished; the same line then goes on",
    async () => {
      const { start, run, here, results } = await campaign();
      const many = ["--runs", `${runs}`, "--name", "interrupted"];
      const stopped = await start(...many);
      await waitUntil("a part is there", async () => (await partsIn(results)) > 0, {
        timeoutMs: limitMs,
      });
      stopped.child.kill("SIGINT");
      expect((await stopped.result).code).toBe(130);
      await noneIsLeft();
      const told = await run(...many);
      expect(told.stdout, told.stderr).toMatch(/kept in the store as interrupted; [1-9]\d* of/);
      const local = await here("--runs", `${runs}`, "--json");
      const whole = await run(...many, "--json");
      expect(JSON.parse(whole.stdout)).toEqual(JSON.parse(local.stdout));
    },
    limitMs,
  );

  it("names task, node and log of a task that fails, and leaves no job behind", async () => {
    const { run } = await campaign({ TESSERA_SLURM_PROGRAM: "/nowhere/tessera" });
    const { code, stderr } = await run("--runs", "8");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /task \d+_\d \(runs \d:\d\) on g\d: it ended as FAILED, exit code 127; .*\/nowhere\/tessera/,
    );
    const log = /its log is (\S+\.log)/.exec(stderr)?.[1] ?? "";
    expect(existsSync(log)).toBe(true);
    await noneIsLeft();
  });

  it("says so when nodes do not see the folder of the results", async () => {
    // Each node has a /var/lib of its own.
    const results = await mkdtemp("/var/lib/tessera-campaign-");
    onTestFinished(() => rm(results, { recursive: true, force: true }));
    const { run } = await campaign();
    const { code, stderr } = await run("--runs", "8", "--results", results);
    expect(code).toBe(2);
    expect(stderr).toContain(`it left neither log nor note in ${results}/`);
    await noneIsLeft();
  });
});

function runsIn(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, "runs.json"), "utf8"));
}

async function partsIn(results: string): Promise<number> {
  const names = await readdir(results, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".part")).length;
}
