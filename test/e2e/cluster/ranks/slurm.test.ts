import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeSlurm, type Slurm, startSlurm } from "../../../cluster/slurm/fixture.ts";
import { distDir, runCli, startCli } from "../../../support/built-cli.ts";
import { waitUntil } from "../../../support/wait-until.ts";

interface Measured {
  readonly devices: number;
  readonly transport: string;
  readonly source: string;
  readonly points: readonly {
    readonly bytes: number;
    readonly wrong: number;
    readonly elements: number;
  }[];
  readonly facts: { readonly slurm?: object; readonly peers: readonly string[] };
}

interface Scaled {
  readonly points: readonly { readonly ranks: number; readonly digest: string }[];
  readonly slurm?: { readonly nodes: readonly string[] };
}

const collective = ["collective", "all-reduce", "--measured", "--transport", "tcp"];
const onSlurm = ["--on", "slurm", "--partition", "tessera"];
/** Longer than any test waits. */
const endless = ["--bytes", "16MiB", "--iterations", "10000"];
const limitMs = 180_000;

describeSlurm("measured ranks on the nodes of a real Slurm", () => {
  let slurm: Slurm;
  let env: Record<string, string>;
  beforeAll(async () => {
    slurm = await startSlurm({ nodes: 4 });
    const program = join(slurm.sharedDir, "tessera");
    const main = join(distDir, "cli", "main.js");
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    await chmod(program, 0o755);
    env = { ...slurm.env, TESSERA_SLURM_PROGRAM: program };
  });
  afterAll(() => slurm?.stop());

  const run = (args: readonly string[]) => runCli([...args, ...onSlurm], { env, limitMs });
  const jobs = () => slurm.run("squeue", ["--noheader", "--format=%i %T"]);
  const noJobs = () => waitUntil("no job is left", async () => (await jobs()).trim() === "");

  /** Starts a measurement that does not end by itself, and waits until its job runs. */
  async function startEndless(args: readonly string[]) {
    const cli = await startCli([...collective, ...endless, ...args, ...onSlurm], { env, limitMs });
    await waitUntil("the job runs a step", async () => {
      return (await slurm.run("squeue", ["--noheader", "--steps"])).trim() !== "";
    });
    return cli;
  }

  it.each([2, 4])(
    "four ranks on %i nodes find every element as four of one host do",
    async (nodes) => {
      const what = [...collective, "--ranks", "4", "--bytes", "1KiB,1MiB", "--iterations", "3"];
      const [there, here] = [
        await run([...what, "--nodes", String(nodes), "--json"]),
        await runCli([...what, "--json"], { limitMs }),
      ];
      expect([there.code, there.stderr]).toEqual([0, ""]);
      const measured = JSON.parse(there.stdout) as Measured;
      const local = JSON.parse(here.stdout) as Measured;
      const exact = ({ points }: Measured) =>
        points.map(({ bytes, wrong, elements }) => ({ bytes, wrong, elements }));
      expect(exact(measured)).toEqual(exact(local));
      expect(exact(measured).every(({ wrong }) => wrong === 0)).toBe(true);
      expect(measured).toMatchObject({ devices: 4, transport: "tcp", source: "measured" });
      const hosts = new Set(measured.facts.peers.map((peer) => peer.split(":")[0]));
      expect(hosts.size).toBe(nodes);
      const names = ["g0", "g1", "g2", "g3"].slice(0, nodes);
      const facts = { release: slurm.slurmVersion, partition: "tessera", ranksPerNode: 4 / nodes };
      expect(measured.facts.slurm).toMatchObject({ ...facts, nodes: names });
      expect(local.facts.slurm).toBeUndefined();
      await noJobs();
    },
  );

  it("numbers of ranks scale in one job to the sums that they have on one host", async () => {
    const what = [
      "scale",
      "weak",
      "--measured",
      "--ranks",
      "1,2,4",
      "--batch",
      "64",
      "--size",
      "64",
    ];
    const there = await run([...what, "--steps", "2", "--nodes", "4", "--json"]);
    const here = await runCli([...what, "--steps", "2", "--json"], { limitMs });
    const scaled = JSON.parse(there.stdout) as Scaled;
    const local = JSON.parse(here.stdout) as Scaled;
    const sums = ({ points }: Scaled) => points.map(({ ranks, digest }) => [ranks, digest]);
    expect(sums(scaled)).toEqual(sums(local));
    expect(sums(scaled)).toHaveLength(3);
    expect(scaled.slurm?.nodes).toHaveLength(4);
  });

  it("a rank that dies is named with its node", async () => {
    const what = [...collective, "--bytes", "1KiB,2KiB", "--nodes", "2", "--ranks", "2"];
    const { code, stderr } = await run([...what, "--nodelist", "g2,g3", "--lose", "1"]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^E_RANK_LOST: Rank 1 .*g3/)]);
    await noJobs();
  });

  it.each(["SIGINT", "SIGKILL"] as const)("%s leaves no job behind", async (signal) => {
    const cli = await startEndless(["--nodes", "2"]);
    cli.child.kill(signal);
    const { code } = await cli.result;
    expect(code).toBe(signal === "SIGINT" ? 130 : 137);
    await noJobs();
  });

  it("a user's job takes the nodes, and the run says that it was preempted", async () => {
    const cli = await startEndless(["--nodes", "4"]);
    const job = await slurm.submitUserJob("true", ["--nodes=4", "--exclusive"]);
    const { code, stderr } = await cli.result;
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^E_SLURM_JOB: .*preempted/)]);
    await slurm.waitForJob(job, /COMPLETED/);
  });

  it("a job that waits too long is taken back, and Slurm's reason is told", async () => {
    const job = await slurm.submitUserJob("sleep 600", ["--nodes=4", "--exclusive"]);
    await slurm.waitForJob(job, /RUNNING/);
    const { code, stderr } = await run([...collective, "--nodes", "2", "--pending-timeout", "20s"]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/E_SLURM_JOB: .*Resources/)]);
    await slurm.run("scancel", [job]);
    await noJobs();
  });

  it("the printed script measures for a user who submits it", async () => {
    const what = [...collective, "--manifests", "slurm", "--nodes", "2", "--ranks", "4"];
    const printed = await runCli([...what, "--bytes", "64KiB"], { env });
    const options = printed.stdout
      .split("\n")
      .flatMap((line) => (line.startsWith("#SBATCH ") ? [line.slice("#SBATCH ".length)] : []));
    const job = await slurm.submitUserJob(printed.stdout, options);
    await slurm.waitForJob(job, /COMPLETED|FAILED|CANCELLED|TIMEOUT/);
    const output = slurm.outputOf(job);
    const result = output.split("\n").find((line) => line.startsWith("{")) ?? output;
    expect(JSON.parse(result)).toMatchObject({
      format: "tessera-measured-collective",
      ranks: 4,
      points: [{ bytes: 65_536, wrong: 0 }],
    });
  });
});
