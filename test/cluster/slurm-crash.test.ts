import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { isRunning } from "./machine/processes.ts";
import { waitFor } from "./machine/wait.ts";
import { pathsOf } from "./registry/paths.ts";
import { type ClusterRecord, readRecord } from "./registry/record.ts";
import { describeSlurm, openSlurm, type Slurm, startSlurm } from "./slurm/fixture.ts";
import { startRunner } from "./support/runner.ts";
import { clusterTool } from "./support/tool.ts";
import { machineState, processesBelow, suspectOf } from "./support/traces.ts";

const clock = createRealClock();

function recordOf(folder: string): Required<ClusterRecord> {
  return readRecord(pathsOf(folder)) as Required<ClusterRecord>;
}

describeSlurm("two Slurm clusters side by side", () => {
  let one: Slurm;
  let other: Slurm;
  beforeAll(async () => {
    [one, other] = await Promise.all([startSlurm({ nodes: 2 }), startSlurm({ nodes: 1 })]);
  });
  afterAll(async () => {
    await Promise.all([one?.stop(), other?.stop()]);
  });

  it("have nodes of the same names at addresses of their own, and jobs of their own", async () => {
    expect(one.node("g0").address).not.toBe(other.node("g0").address);
    const job = await one.submitUserJob("sleep 600", ["--job-name=only-here"]);
    await one.waitForJob(job, /RUNNING/);
    expect(await one.run("squeue", ["-h", "-o", "%j"])).toBe("only-here\n");
    expect(await other.run("squeue", ["-h", "-o", "%j"])).toBe("");
  });

  it("believe nobody who comes with the other's key", async () => {
    const theirs = readFileSync(other.conf, "utf8").match(/^SlurmctldHost=.*$/m)?.[0] ?? "";
    const mixed = readFileSync(one.conf, "utf8").replace(/^SlurmctldHost=.*$/m, theirs);
    const file = `${one.sharedDir}/mixed.conf`;
    await one.cluster.exec(["tee", file], { input: mixed });
    await expect(one.run("sinfo", [], { env: { SLURM_CONF: file } })).rejects.toThrow(
      /slurm_load_partitions/,
    );
    await expect(one.run("sinfo", [])).resolves.toContain("batch");
  });

  it("let one go without a word to the other", async () => {
    await other.stop();
    for (const node of one.nodes) expect(await node.state()).toMatch(/IDLE|MIXED|ALLOCATED/);
    expect((await one.cluster.status()).every(({ healthy }) => healthy)).toBe(true);
  });
});

describeSlurm("a Slurm cluster whose test runner is killed", () => {
  it("goes with it, jobs and all, and leaves nothing", async () => {
    const name = `slurm-held-${process.pid}`;
    const before = await machineState({ name });
    const runner = await startRunner("slurm", name);
    const record = recordOf(runner.clusterFolder);
    const slurm = await openSlurm(name);
    const job = await slurm.submitUserJob("setsid sleep 600 & exec sleep 600");
    await slurm.waitForJob(job, /RUNNING/);
    const suspect = suspectOf(record);
    const processes = processesBelow(record.init.pid);
    expect(processes.length).toBeGreaterThan(8);

    runner.kill();
    await waitFor({ clock, what: "the keeper to sweep", timeoutMs: 120_000 }, async () => {
      return !isRunning(record.init) && !isRunning(record.keeper);
    });
    expect(processes.filter(isRunning)).toEqual([]);
    await waitFor({ clock, what: "the interface to go", timeoutMs: 120_000 }, async () => {
      const { interfaces } = await machineState(suspect);
      return !interfaces.includes(suspect.interfaceName);
    });
    expect(await machineState(suspect)).toEqual(before);
  });
});

describeSlurm("`npm run cluster` with --slurm", () => {
  const name = `slurm-up-${process.pid}`;
  afterAll(() => clusterTool(["down", "--name", name]));

  it("starts Slurm without Kubernetes, a second time finds it, and takes it down", async () => {
    const args = ["up", "--slurm", "2", "--no-kubernetes", "--name", name, "--json"];
    const first = await clusterTool(args);
    expect(first, first.stderr).toMatchObject({ exitCode: 0 });
    const { slurmConf, ...rest } = JSON.parse(first.stdout);
    expect(rest).toMatchObject({ name, kubernetes: false, slurm: 2 });
    expect(rest).not.toHaveProperty("kubeconfig");
    const { init } = recordOf(`${slurmConf}/../..`);
    const again = await clusterTool(args);
    expect(JSON.parse(again.stdout)).toMatchObject({ slurmConf });
    expect(isRunning(init)).toBe(true);
    const different = await clusterTool(["up", "--slurm", "3", "--no-kubernetes", "--name", name]);
    expect(different).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("already there"),
    });

    const status = await clusterTool(["status"]);
    expect(status.stdout).toMatch(new RegExp(`${name} \\(running\\): 2 Slurm nodes`));
    expect(status.stdout).toMatch(/slurmd-g1 +healthy/);
    expect((await clusterTool(["down", "--name", name])).exitCode).toBe(0);
    expect(isRunning(init)).toBe(false);
    expect((await clusterTool(["status"])).stdout).not.toContain(name);
  });
});
