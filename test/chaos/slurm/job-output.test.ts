import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDaemonHook } from "../../../src/chaos/slurm/index.ts";
import { OutputTail } from "../../../src/chaos/slurm/output-tail.ts";
import { readinessOf } from "../../../src/chaos/slurm/watched-job.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { run, site } from "./support/site.ts";

const line = (step: number) => `{"tessera":{"step":${step}}}\n`;
const requeueAtStep = "{ fault: requeue_job, target: { slurmJob: true }, at: { step: 7 } }";

describe("what a job prints", () => {
  it("is read from where it was, line by whole line, also when the file begins again", async () => {
    const path = join(await tempDir(), "out.txt");
    await writeFile(path, line(1));
    const tail = new OutputTail(path);
    await tail.start();
    expect(await tail.newLines()).toEqual([]);
    await appendFile(path, `noise\n${line(2)}${line(3).slice(0, 9)}`);
    expect(await tail.newLines()).toEqual([{ step: 2 }]);
    await appendFile(path, line(3).slice(9));
    expect(await tail.newLines()).toEqual([{ step: 3 }]);
    await writeFile(path, line(4));
    expect(await tail.newLines()).toEqual([{ step: 4 }]);
  });

  it("must be a file that can be read, or nothing is broken", async () => {
    const at = await site();
    const folder = await tempDir();
    for (const [output, why] of [
      [join(folder, "none.txt"), /ENOENT/],
      [folder, /no plain file/],
    ] as const) {
      const workload = `job: train, output: ${output}`;
      await expect(run(at, { faults: [requeueAtStep], workload })).rejects.toThrow(why);
    }
    expect(at.slurm.test.calls).not.toContain("requeue");
  });

  it("says when a step has come, and that the job went back", async () => {
    const at = await site();
    const output = join(await tempDir(), "out.txt");
    await writeFile(output, "");
    let step = 0;
    at.slurm.test.onCall(async (call) => {
      if (call === "requeue") step = 2;
      if (call === "jobs") await appendFile(output, line(++step));
    });
    const record = await run(at, {
      faults: [requeueAtStep],
      workload: `job: train, output: ${output}`,
    });
    expect(record.end).toBe("finished");
    expect(record.notes.at(-1)).toMatch(/lines of progress were read from the job's output/);
    const generations = record.events.filter(({ kind }) => kind === "generation");
    expect(generations).toHaveLength(2);
    const before = record.events.findIndex((event) => event === generations[1]);
    const steps = record.events
      .slice(0, before)
      .flatMap((event) => (event.kind === "step" ? [event.step] : []));
    expect(Math.max(...steps)).toBeGreaterThanOrEqual(6);
  });
});

describe("a job that tells of its steps", () => {
  const killStep = "{ fault: kill_step, target: { slurmJob: true }, at: { step: 3 } }";
  const runWith = async (stepsAfter: number) => {
    const at = await site();
    const output = join(await tempDir(), "out.txt");
    await writeFile(output, "");
    let step = 0;
    let last = Number.POSITIVE_INFINITY;
    at.slurm.cancel = async () => {
      at.slurm.test.setSteps(at.job, []);
      // The last of before, which nobody has read yet.
      await appendFile(output, line(++step));
      last = step + stepsAfter;
    };
    at.slurm.test.onCall(async (call) => {
      if (call === "jobs" && step < last) await appendFile(output, line(++step));
    });
    const workload = `job: train, output: ${output}`;
    return run(at, { faults: [killStep], workload, limits: "duration: 2s, targets: 1" });
  };

  it("and hangs after a fault is not back, though Slurm calls it running", async () => {
    expect(await runWith(0)).toMatchObject({ end: "cut" });
  });

  it("is back when it makes steps after it", async () => {
    expect(await runWith(1000)).toMatchObject({ end: "finished" });
  });
});

it("calls a job whole only where it runs and none of its nodes is down", async () => {
  const { slurm, job } = await site();
  const look = async () => {
    const [jobs, nodes] = [await slurm.jobs(), await slurm.nodes()];
    return readinessOf({ jobs, nodes, job: jobs.find(({ id }) => id === job) });
  };
  expect(await look()).toMatchObject({ isWhole: true, ready: 2 });
  slurm.test.setNode("g1", { flags: ["NOT_RESPONDING"] });
  expect(await look()).toMatchObject({ isWhole: true });
  slurm.test.setNode("g1", { state: "DOWN" });
  expect(await look()).toMatchObject({ isWhole: false, ready: 1 });
  slurm.test.setNode("g1", { state: "ALLOCATED" });
  slurm.test.job(job).flags = ["COMPLETING"];
  expect(await look()).toMatchObject({ isWhole: false, ready: 0 });
  const [jobs, nodes] = [await slurm.jobs(), await slurm.nodes()];
  expect(readinessOf({ jobs, nodes, job: undefined })).toMatchObject({ isWhole: false });
});

describe("the commands for a daemon", () => {
  const clock = createRealClock();

  it("get the name of the node as part of an argument, and no shell reads it", async () => {
    const path = join(await tempDir(), "said.txt");
    const script = "require('fs').writeFileSync(process.argv[1], process.argv[2])";
    const stop = [process.execPath, "-e", script, path, "node={node};$HOME"] as const;
    const hook = createDaemonHook({ stop, start: [process.execPath, "-e", "0"], clock });
    await hook.stop("g1");
    const { readFile } = await import("node:fs/promises");
    expect(await readFile(path, "utf8")).toBe("node=g1;$HOME");
    await hook.start("g1");
  });

  it("fail where the program fails, and are not run for what is no name", async () => {
    const bad = [process.execPath, "-e", "console.error('no such host'); process.exit(3)"] as const;
    const hook = createDaemonHook({ stop: bad, start: bad, clock });
    await expect(hook.stop("g1")).rejects.toThrow(/failed for node g1: no such host/);
    for (const name of ["-oProxyCommand=x", "a b", "", "$(x)"]) {
      await expect(hook.start(name)).rejects.toThrow(/no name of a node/);
    }
  });
});
