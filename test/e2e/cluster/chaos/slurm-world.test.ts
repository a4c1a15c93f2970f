import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { judge } from "../../../../src/chaos/judge/index.ts";
import { dryRunOnSlurm, findLeftovers, recoverOnSlurm } from "../../../../src/chaos/slurm/index.ts";
import { allProcesses } from "../../../cluster/machine/processes.ts";
import { bob, describeSlurm, type Slurm } from "../../../cluster/slurm/fixture.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import {
  allowed,
  clientOf,
  clock,
  planOn,
  startQuickSlurm,
  startTraining,
  worldOn,
} from "./support/slurm-job.ts";

const signal = () => new AbortController().signal;
const limitMs = 300_000;

describeSlurm("experiments on a job of a real Slurm", () => {
  let slurm: Slurm;
  let job: string;
  beforeAll(async () => {
    slurm = await startQuickSlurm();
    job = await startTraining(slurm, ["-N2", "-w", "g0,g1", allowed]);
  }, limitMs);
  afterAll(() => slurm?.stop());

  const output = () => join(slurm.sharedDir, "home", "alice", `slurm-${job}.out`);
  const running = () => slurm.waitForJob(job, /^RUNNING$/, 120_000);
  const carryOut = async (plan: ReturnType<typeof planOn>) => {
    await running();
    const record = await worldOn(slurm, await tempDir()).run(plan, { signal: signal() });
    return { record, judgement: judge(plan, record, null) };
  };

  it(
    "takes a node away, sees the job leave it, gives it back, and sees the job return",
    async () => {
      const plan = planOn(job, [
        "{ fault: fail_node, target: { slurmNode: g0 }, at: { time: 1s }, for: 8s }",
      ]);
      const { record, judgement } = await carryOut(plan);
      expect(judgement.outcome, `${judgement.reason} ${record.notes.join()}`).toBe("pass");
      expect(record.injections[0]?.effect).toContain("lost node g0");
      expect(judgement.recoveries).toHaveLength(1);
      expect(judgement.metrics.recoverySeconds).toBeGreaterThan(0);
      expect(record.residualFaults).toEqual([]);
      await slurm.node("g0").waitForState(/^(IDLE|MIXED|ALLOCATED)$/);
    },
    limitMs,
  );

  it(
    "puts the job back into the queue, and kills a step that its launcher starts again",
    async () => {
      const plan = planOn(job, [
        "{ fault: kill_step, target: { slurmJob: true }, at: { time: 1s } }",
        "{ fault: requeue_job, target: { slurmJob: true }, at: { time: 10s } }",
      ]);
      // A requeued job counts its steps from 0 again.
      const steps = await clientOf(slurm).steps(job);
      const step = steps.find((id) => /\.\d+$/.test(id))?.split(".")[1] ?? "0";
      const [kill, requeue] = plan.faults;
      if (kill === undefined || requeue === undefined) throw new Error("there are two");
      const faults = [{ ...kill, params: { ...kill.params, step } }, requeue];
      const { record, judgement } = await carryOut({ ...plan, faults });
      expect(judgement.outcome, `${judgement.reason} ${record.notes.join()}`).toBe("pass");
      const effects = record.injections.map(({ effect }) => effect).join();
      expect(effects).toMatch(/no longer lists step .* was put back into the queue/s);
    },
    limitMs,
  );

  it(
    "kills slurmd, sees the node fall silent, and leaves it answering",
    async () => {
      const plan = planOn(job, [
        "{ fault: kill_slurmd, target: { slurmNode: g1 }, at: { time: 0s }, for: 40s }",
      ]);
      const { record, judgement } = await carryOut(plan);
      expect(record.injections[0]?.effect).toMatch(/Slurm calls node g1 (not responding|down)/);
      expect(judgement.outcome, `${judgement.reason} ${record.notes.join()}`).toBe("pass");
      expect(record.residualFaults).toEqual([]);
      await slurm.node("g1").waitForState(/^(IDLE|MIXED|ALLOCATED)$/);
    },
    limitMs,
  );

  it(
    "breaks nothing of a job without its owner's word, nor a node with somebody else on it",
    async () => {
      await running();
      const other = await startTraining(slurm, ["-w", "g3", "-J", "other"]);
      const beside = await slurm.submitUserJob("sleep 600", ["-w", "g0", "--mem=1"], bob);
      await slurm.waitForJob(beside, /RUNNING/);
      const before = await clientOf(slurm).nodes();
      const world = worldOn(slurm, await tempDir());
      const requeue = planOn(other, [
        "{ fault: requeue_job, target: { slurmJob: true }, at: { time: 0s } }",
      ]);
      await expect(world.run(requeue, { signal: signal() })).rejects.toThrow(/tessera\.dev\/chaos/);
      const fail = planOn(job, [
        "{ fault: fail_node, target: { slurmNode: g0 }, at: { time: 0s }, for: 1s }",
      ]);
      await expect(world.run(fail, { signal: signal() })).rejects.toThrow(/of 20002 on node g0/);
      await expect(
        dryRunOnSlurm(fail, { client: clientOf(slurm), clock, user: "root" }),
      ).rejects.toThrow(/of 20002 on node g0/);
      expect((await clientOf(slurm).nodes()).map(({ reason }) => reason)).toEqual(
        before.map(({ reason }) => reason),
      );
      await slurm.run("scancel", [other, beside]);
      await slurm.waitForJob(beside, /CANCELLED/);
    },
    limitMs,
  );

  it(
    "follows the job through a restart of the controller, and takes its drain back",
    async () => {
      await running();
      const plan = planOn(job, [
        "{ fault: drain_node, target: { slurmNode: g3 }, at: { time: 0s }, for: 60s }",
      ]);
      const world = worldOn(slurm, await tempDir());
      const under = world.run(plan, { signal: signal() });
      await slurm.node("g3").waitForState(/DRAIN/);
      await slurm.controller.restart();
      const record = await under;
      expect(judge(plan, record, null).outcome, record.notes.join()).toBe("pass");
      expect(record.residualFaults).toEqual([]);
      await slurm.node("g3").waitForState(/^IDLE$/);
    },
    limitMs,
  );

  it("leaves nothing behind that the next start does not take back, whenever its runner is killed", async () => {
    await running();
    await slurm.run("scontrol", ["update", "NodeName=g2", "State=DRAIN", "Reason=bad disk"]);
    const folder = await tempDir();
    const plan = planOn(job, [
      "{ fault: fail_node, target: { slurmNode: g3 }, at: { time: 0s }, for: 1200ms }",
    ]);
    await writeFile(join(folder, "plan.json"), JSON.stringify(plan));
    const program = await bundleProgram(folder, "runner", runner);
    const client = clientOf(slurm);
    const options = { client, clock, folder: join(folder, "ledgers") };
    let hasMarked = 0;
    for (let call = 1; ; call++) {
      expect(call, "a run that nobody kills comes to its end").toBeLessThan(80);
      const child = spawn(process.execPath, [program, slurm.conf, folder, String(call)]);
      const said = text(child.stderr);
      const [code] = (await once(child, "exit")) as [number | null];
      // It was killed, or came to its end: one that refuses by itself shows nothing.
      expect([null, 0], await said).toContain(code);
      await waitUntil("nothing it began goes on", () => !isTold("g3"));
      const left = await findLeftovers(client);
      hasMarked += left.length;
      await recoverOnSlurm(options);
      expect(await findLeftovers(client), `killed before call ${call}`).toEqual([]);
      // Slurm asks a node that was down whether it is there before it gives it a job.
      await slurm.node("g3").waitForState(/^IDLE$/);
      if (code === 0) break;
    }
    // Otherwise nothing was shown.
    expect(hasMarked).toBeGreaterThan(2);
    expect(await slurm.node("g2").state()).toContain("DRAIN");
    expect((await client.nodes()).find(({ name }) => name === "g2")?.reason).toBe("bad disk");
    await slurm.run("scontrol", ["update", "NodeName=g2", "State=RESUME"]);
    await running();
  }, 1_200_000);

  it(
    "reads the progress that the job prints",
    async () => {
      await running();
      const plan = planOn(
        job,
        ["{ fault: requeue_job, target: { slurmJob: true }, at: { time: 2s } }"],
        { more: `, output: ${output()}` },
      );
      const { record, judgement } = await carryOut(plan);
      expect(judgement.outcome, `${judgement.reason} ${record.notes.join()}`).toBe("pass");
      expect(record.events.some(({ kind }) => kind === "restore")).toBe(true);
      expect(judgement.recoveries[0]?.path).toBe("checkpointRestart");
    },
    limitMs,
  );
});

/** Whether somebody is telling Slurm something about a node. */
function isTold(node: string): boolean {
  return allProcesses().some(({ pid }) => {
    const words = commandOf(pid);
    return words.includes(`NodeName=${node}`) && words.some((word) => word.endsWith("scontrol"));
  });
}

/** Empty for a process that has ended. */
function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** One run that kills itself just before its n-th call of Slurm's tools. */
const runner = `
import { readFileSync } from "node:fs";
import { createSlurmWorld } from "./src/chaos/slurm/index.ts";
import { createSlurmClient } from "./src/platform/slurm/index.ts";
import { createRealClock } from "./src/platform/time/index.ts";

const [, , conf, folder, last] = process.argv;
const clock = createRealClock();
const real = createSlurmClient({ conf, env: process.env, clock });
let calls = 0;
const client = new Proxy(real, {
  get: (target, name) => (...args) => {
    if (++calls >= Number(last)) process.kill(process.pid, "SIGKILL");
    return target[name](...args);
  },
});
const plan = JSON.parse(readFileSync(folder + "/plan.json", "utf8"));
const options = { client, clock, folder: folder + "/ledgers", user: "root", lookEveryMs: 300 };
await createSlurmWorld(options).run(plan, { signal: new AbortController().signal });
`;
