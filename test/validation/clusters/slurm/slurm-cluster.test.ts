import { describe, expect, it } from "vitest";
import type { SlurmClient } from "../../../../src/platform/slurm/index.ts";
import { toolError } from "../../../../src/platform/slurm/tools/tools.ts";
import { unreachable } from "../../../platform/slurm/fake-slurm.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { jobOf, nodeOf, scene } from "./support/slurm-cluster.ts";
import { request } from "./support/slurm-parts.ts";

const name = "tsr-probe-g0-r1";

/** What sbatch says, as Slurm has it. */
const finalProblems = [
  "Invalid partition name specified",
  "Invalid generic resource (gres) specification",
  "Requested node configuration is not available",
  "Requested time limit is invalid (missing or exceeds some limit)",
  "More processors requested than permitted",
  "Access/permission denied",
];
const passingProblems = [
  "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
  "Invalid account or account/partition combination specified",
  "Invalid qos specification",
  "Requested partition configuration not available now",
  "Slurm temporarily unable to accept job, sleeping and retrying",
  "Socket timed out on send/recv operation",
];

describe("a Slurm cluster's jobs", () => {
  it("are handed in once, however often they are submitted and by whom", async () => {
    const { slurm, open } = await scene();
    const [one, two] = [await open(), await open()];
    await one.submit(request());
    await one.submit(request());
    await two.submit(request());
    slurm.test.finish(1);
    await two.submit(request());
    expect([...slurm.test.submissions.keys()]).toEqual([1]);
  });

  it("are seen at once, from being handed in to their end", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    let told = 0;
    cluster.subscribe(() => told++);
    await cluster.submit(request());
    expect(jobOf(cluster, name)).toMatchObject({ runId: "r1", node: "g0" });
    expect(nodeOf(cluster, "g0")?.notFree).toMatchObject([{ code: "under-test" }]);
    expect(told).toBeGreaterThan(0);
    await waitUntil("it runs", () => jobOf(cluster, name)?.phase === "running");
    slurm.test.finish(1);
    await waitUntil("it succeeded", () => jobOf(cluster, name)?.phase === "succeeded");
    await waitUntil("its node is free", () => nodeOf(cluster, "g0")?.notFree.length === 0);
  });

  it("of which two copies landed are one: the copy that waits is cancelled", async () => {
    const { slurm, open, logged } = await scene();
    const cluster = await open();
    await cluster.submit(request());
    const submission = slurm.test.submissions.get(1);
    const copy = submission === undefined ? 0 : await slurm.submit(submission);
    expect(slurm.test.job(copy).reason).toBe("Dependency");
    await waitUntil("it is cancelled", () => slurm.test.job(copy).state === "CANCELLED");
    expect(slurm.test.job(1).state).toBe("RUNNING");
    await waitUntil("it is said", () => logged.some((text) => text.includes("a copy of")));
  });

  it("are left as they are by whoever only looks", async () => {
    const { slurm, open, look } = await scene();
    const first = await open();
    await first.submit(request());
    await first.stop();
    const submission = slurm.test.submissions.get(1);
    const copy = submission === undefined ? 0 : await slurm.submit(submission);
    const onlooker = await look();
    let looks = 0;
    onlooker.subscribe(() => looks++);
    await waitUntil("it has looked again and again", () => looks > 3);
    expect(slurm.test.job(copy).state).toBe("PENDING");
    await open();
    await waitUntil("it is cancelled", () => slurm.test.job(copy).state === "CANCELLED");
  });

  it("end when they are cancelled, and one that is not there is no error", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await cluster.cancel("tsr-nothing");
    await cluster.submit(request());
    await waitUntil("it runs", () => jobOf(cluster, name)?.phase === "running");
    await cluster.cancel(name);
    expect(slurm.test.job(1).state).toBe("CANCELLED");
    await waitUntil("it is gone", () => jobOf(cluster, name) === undefined);
    await waitUntil("its node is free", () => nodeOf(cluster, "g0")?.notFree.length === 0);
  });

  it("of a Tessera with another store are not ours to see, to end or to copy: their node is busy", async () => {
    const { slurm, open, openOther } = await scene();
    const ours = await open();
    const other = await openOther();
    await ours.submit(request());
    await waitUntil("it runs", () => jobOf(ours, name)?.phase === "running");
    await waitUntil("the other sees it", () => nodeOf(other, "g0")?.notFree.length === 1);
    expect(other.view().jobs).toEqual([]);
    expect(nodeOf(other, "g0")?.notFree).toEqual([
      {
        code: "busy",
        text: `job 1 of another Tessera (${name}, store 5ad0beef) holds 8 of 8 GPUs`,
      },
    ]);
    await other.cancel(name);
    expect(slurm.test.job(1).state).toBe("RUNNING");
    expect(nodeOf(ours, "g0")?.notFree).toMatchObject([{ code: "under-test" }]);
  });

  it("are tended though one thing cannot be done, and what is done is said", async () => {
    const { slurm, open, look, logged } = await scene();
    const first = await look();
    await first.submit(request());
    const submission = slurm.test.submissions.get(1);
    const copies = [0, 0];
    for (const at of copies.keys()) {
      copies[at] = submission === undefined ? 0 : await slurm.submit(submission);
    }
    const [held = 0, other = 0] = copies;
    const cancel: SlurmClient["cancel"] = async (ids, options) => {
      if (ids.includes(String(held))) throw unreachable("scancel");
      await slurm.cancel(ids, options);
    };
    await open({ ...slurm, cancel });
    await waitUntil("it is cancelled", () => slurm.test.job(other).state === "CANCELLED");
    await waitUntil("it is said", () => logged.some((text) => text.includes(`job ${other},`)));
    expect(logged.some((text) => text.includes(`job ${held},`))).toBe(false);
    expect(slurm.test.job(held).state).toBe("PENDING");
  });

  it("of others are left alone, whatever they call themselves", async () => {
    const { slurm, open } = await scene();
    const id = slurm.test.userJob(["-J", name, "-w", "g1"]);
    const cluster = await open();
    await cluster.cancel(name);
    expect(slurm.test.job(id).state).toBe("RUNNING");
    await cluster.submit(request());
    expect(slurm.test.submissions.size).toBe(1);
  });

  it("are refused for good when the cluster will never take them, and else may be tried again", async () => {
    const { slurm, open } = await scene({ partition: "tessera" });
    const cluster = await open();
    const fail = (problem: string) =>
      slurm.test.failWith(toolError("sbatch", { stdout: "", stderr: problem }), ["submit"]);
    for (const problem of finalProblems) {
      fail(`Batch job submission failed: ${problem}`);
      await expect(cluster.submit(request()), problem).rejects.toMatchObject({
        code: "E_JOB_REFUSED",
      });
    }
    for (const problem of passingProblems) {
      fail(`Batch job submission failed: ${problem}`);
      await expect(cluster.submit(request()), problem).rejects.toMatchObject({
        code: expect.stringMatching(/^E_SLURM_/),
      });
    }
    slurm.test.failWith(undefined);
    await cluster.submit(request());
    await expect(cluster.submit(request({ id: "r2" }))).rejects.toMatchObject({
      code: "E_JOB_REFUSED",
    });
  });

  it("are found by a new process under the same names", async () => {
    const { open } = await scene();
    const first = await open();
    await first.submit(request());
    await first.stop();
    expect(first.view().trust.state).toBe("stale");
    const second = await open();
    expect(jobOf(second, name)).toMatchObject({ runId: "r1", phase: "running" });
  });

  it("that users push out say so", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await cluster.submit(request());
    const users = slurm.test.userJob(["-w", "g0"]);
    expect(slurm.test.job(users).state).toBe("RUNNING");
    await waitUntil("it is seen", () => jobOf(cluster, name)?.preempted === true);
    expect(nodeOf(cluster, "g0")?.notFree).toMatchObject([{ code: "busy" }]);
  });
});
