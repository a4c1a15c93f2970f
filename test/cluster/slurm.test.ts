import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { waitFor } from "./machine/wait.ts";
import { alice, bob, describeSlurm, type Slurm, startSlurm, tessera } from "./slurm/fixture.ts";

const clock = createRealClock();
const ended = /COMPLETED|FAILED|CANCELLED|TIMEOUT|PREEMPTED|NODE_FAIL/;

describeSlurm("a Slurm cluster", () => {
  let slurm: Slurm;
  beforeAll(async () => {
    slurm = await startSlurm({ nodes: 4 });
  });
  afterAll(() => slurm?.stop());

  const finish = async (script: string, args: readonly string[] = []) => {
    const job = await slurm.submitUserJob(script, args);
    await slurm.waitForJob(job, ended);
    return { state: await slurm.jobState(job), output: slurm.outputOf(job) };
  };

  it("comes up with every node idle and every component healthy", async () => {
    expect((await slurm.cluster.status()).every(({ healthy }) => healthy)).toBe(true);
    expect(slurm.nodes.map(({ name }) => name)).toEqual(["g0", "g1", "g2", "g3"]);
    for (const node of slurm.nodes) expect(await node.state()).toBe("IDLE");
    expect(slurm.slurmVersion).toMatch(/^\d+\.\d+\.\d+/);
  });

  it("runs a user's job on the node it is pinned to, as that user, and tells a failed one", async () => {
    const pinned = await finish("hostname; id -un; ls /proc | grep -c '^[0-9]'", ["-w", "g2"]);
    const [host, user, processes] = pinned.output.split("\n");
    expect(pinned.state).toBe("COMPLETED");
    expect([host, user]).toEqual(["g2", "alice"]);
    // A node of its own: it does not see what runs on this machine or on other nodes.
    expect(Number(processes)).toBeLessThan(15);
    expect((await finish("exit 3")).state).toBe("FAILED");
    expect(readFileSync(slurm.jobcompFile, "utf8")).toMatch(/JobState=FAILED .*NodeList=g\d/);
  });

  it("runs the ranks of one job on two nodes that reach each other by name", async () => {
    const ranks = await finish(
      "srun sh -c 'echo rank $SLURM_PROCID of $SLURM_NTASKS on $(hostname)'",
      ["-N2", "--ntasks-per-node=2", "-w", "g0,g1"],
    );
    expect(ranks.output.trim().split("\n").toSorted()).toEqual([
      "rank 0 of 4 on g0",
      "rank 1 of 4 on g0",
      "rank 2 of 4 on g1",
      "rank 3 of 4 on g1",
    ]);
    const names = await finish("getent hosts g0 g1 head", ["-w", "g3"]);
    expect(names.output).toContain(`${slurm.node("g1").address} `);
  });

  it("lets this machine run srun too", async () => {
    expect(await slurm.run("srun", ["-N2", "-w", "g2,g3", "hostname"])).toMatch(/g[23]\ng[23]\n/);
  });

  it("gives a job the GPUs it asks for, and none that are not there", async () => {
    const two = await finish("echo $CUDA_VISIBLE_DEVICES", ["--gres=gpu:h100:2"]);
    expect(two.output).toBe("0,1\n");
    await expect(slurm.submitUserJob("true", ["-N1", "--gres=gpu:9"])).rejects.toThrow(
      /configuration is not available/,
    );
  });

  it("keeps jobs off a drained node until it is resumed, and drains for administrators only", async () => {
    const drain = ["update", "NodeName=g3", "State=DRAIN", "Reason=test"];
    // What ran there last may still be let go of.
    await slurm.node("g3").waitForState(/^IDLE$/);
    const denied = await slurm.runAs(alice, "scontrol", drain);
    expect(denied.exitCode).not.toBe(0);
    expect(denied.stderr).toMatch(/Invalid user id/);
    expect(await slurm.node("g3").state()).toBe("IDLE");
    await slurm.run("scontrol", drain);
    expect(await slurm.node("g3").state()).toBe("IDLE+DRAIN");
    const waiting = await slurm.submitUserJob("true", ["-w", "g3"]);
    expect(await slurm.jobState(waiting)).toBe("PENDING");
    await slurm.run("scontrol", ["update", "NodeName=g3", "State=RESUME"]);
    await slurm.waitForJob(waiting, /COMPLETED/);
  });

  it("ends a job of partition tessera for a user's job, and no user's job for another", async () => {
    const test = await slurm.submitUserJob(
      "sleep 600",
      ["-p", "tessera", "-w", "g0", "--exclusive"],
      tessera,
    );
    await slurm.waitForJob(test, /RUNNING/);
    const job = await slurm.submitUserJob("exec sleep 600", ["-w", "g0", "--exclusive"]);
    await slurm.waitForJob(job, /RUNNING/);
    expect(await slurm.jobState(test)).toBe("PREEMPTED");
    const next = await slurm.submitUserJob("true", ["-w", "g0", "--exclusive"], bob);
    expect(await slurm.jobState(next)).toBe("PENDING");
    expect((await slurm.runAs(bob, "scancel", [job])).stderr).toMatch(/[Dd]enied/);
    expect((await slurm.runAs(alice, "scancel", [job])).exitCode).toBe(0);
    await slurm.waitForJob(next, /COMPLETED/);
  });

  it("loses its controller and knows everything when that is back", async () => {
    const job = await slurm.submitUserJob("sleep 600", ["-w", "g1"]);
    await slurm.waitForJob(job, /RUNNING/);
    // In good order it writes down what it knows; what it heard seconds before SIGKILL may be lost.
    await slurm.controller.restart();
    expect(await slurm.jobState(job)).toBe("RUNNING");
    await slurm.controller.kill();
    await expect(slurm.run("sinfo", [])).rejects.toThrow(/sinfo/);
    await slurm.controller.start();
    expect(await slurm.jobState(job)).toBe("RUNNING");
    await slurm.run("scancel", [job]);
    await slurm.waitForJob(job, /CANCELLED/);
  });
});

describeSlurm("the nodes of a Slurm cluster", () => {
  let slurm: Slurm;
  beforeAll(async () => {
    slurm = await startSlurm({ nodes: 3, conf: ["SlurmdTimeout=15", "SlurmctldTimeout=5"] });
  });
  afterAll(() => slurm?.stop());

  it("are down when slurmd is killed, while their jobs go on, and back when it is started", async () => {
    const node = slurm.node("g0");
    const file = join(slurm.sharedDir, "went-on");
    const script = `while [ ! -e ${file}.go ]; do sleep 0.1; done; hostname > ${file}`;
    const job = await slurm.submitUserJob(script, ["-w", "g0", "--no-requeue", "--no-kill"]);
    await slurm.waitForJob(job, /RUNNING/);
    await node.kill();
    expect(await slurm.cluster.component("slurmd-g0").status()).toMatchObject({ state: "stopped" });
    await node.exec(["touch", `${file}.go`]);
    await waitFor({ clock, what: "the job to go on", timeoutMs: 120_000 }, async () =>
      existsSync(file),
    );
    await node.waitForState(/DOWN/);
    await slurm.node("g1").waitForState(/^IDLE$/);
    await node.start();
    await node.waitForState(/^IDLE$/);
  });

  it("take every process of their jobs along when they lose power", async () => {
    const node = slurm.node("g1");
    const job = await slurm.submitUserJob("setsid sleep 4242 & sleep 600", ["-w", "g1"]);
    await slurm.waitForJob(job, /RUNNING/);
    const escaped = async () =>
      (await slurm.cluster.exec(["pgrep", "-f", "sleep 4242"])).exitCode === 0;
    await waitFor({ clock, what: "the job's process", timeoutMs: 120_000 }, escaped);
    await node.powerOff();
    expect(await escaped()).toBe(false);
    await node.waitForState(/DOWN/);
    // JobRequeue=1: Slurm puts the job back in the queue.
    await slurm.waitForJob(job, /PENDING/);
    await slurm.run("scancel", [job]);
    await node.start();
    await node.waitForState(/^IDLE$/);
  });

  it("are down while their network is cut, and back with it", async () => {
    const node = slurm.node("g2");
    await node.cut();
    await node.waitForState(/DOWN|NOT_RESPONDING|\*/);
    expect((await slurm.cluster.component("slurmd-g2").status()).state).toBe("running");
    await node.mend();
    await node.waitForState(/^IDLE$/);
  });
});
