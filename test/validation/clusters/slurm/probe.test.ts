import { describe, expect, it } from "vitest";
import { TesseraError } from "../../../../src/platform/errors/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { slurmProbe } from "../../../../src/validation/clusters/slurm/index.ts";
import {
  createFakeSlurm,
  type FakeSlurm,
  unreachable,
} from "../../../platform/slurm/fake-slurm.ts";

const clock = new VirtualClock();
const context = { clock, env: {}, signal: new AbortController().signal };

function ask(
  options: Parameters<typeof slurmProbe>[0],
  prepare: (slurm: FakeSlurm) => void = () => {},
) {
  const slurm = createFakeSlurm({ clock });
  slurm.test.setSetting("preempttype", "preempt/partition_prio");
  prepare(slurm);
  return slurmProbe(options, () => slurm).find(context);
}

describe("the doctor's question about Slurm", () => {
  it("is answered with release, size and whether our jobs give way", async () => {
    const finding = await ask({ partition: "tessera" });
    expect(finding).toMatchObject({
      state: "works",
      reason:
        "Slurm 24.11.5 answers, 4 nodes with 32 GPUs; jobs in partition tessera give way to users'.",
      evidence: { nodes: 4, gpus: 32, partition: "tessera", preemptMode: "CANCEL" },
    });
  });

  it("says why jobs do not give way, or that the partition is not there", async () => {
    expect(await ask({})).toMatchObject({
      state: "limited",
      reason: expect.stringMatching(/PreemptMode is OFF/),
    });
    expect(await ask({ partition: "none" })).toMatchObject({
      reason: expect.stringMatching(/no partition none/),
    });
    const byQos = (slurm: FakeSlurm) => slurm.test.setSetting("preempttype", "preempt/qos");
    expect(await ask({ partition: "tessera" }, byQos)).toMatchObject({ state: "limited" });
    const none = (slurm: FakeSlurm) => slurm.test.setSetting("preempttype", "preempt/none");
    expect((await ask({ partition: "tessera" }, none)).reason).toMatch(/PreemptType is/);
  });

  it("is limited, with their names, when partitions of the same nodes do not preempt ours", async () => {
    const others = (...tiers: readonly number[]) =>
      ask({ partition: "tessera" }, (slurm) => {
        for (const [at, priorityTier] of tiers.entries()) {
          slurm.test.setPartition(`users${at}`, { priorityTier });
        }
      });
    expect(await others(10, 2)).toMatchObject({ state: "works" });
    expect(await others(10, 1)).toMatchObject({
      state: "limited",
      reason: expect.stringMatching(
        /do not give way: those of partition users1 wait, whose PriorityTier is not above 1\.$/,
      ),
    });
    expect((await others(1, 0)).reason).toMatch(/those of partition users0, users1 wait/);
    expect((await others(...Array<number>(8).fill(1))).reason).toMatch(/users4 and 3 more wait/);
  });

  it("does not ask for the priority of partitions that have other nodes", async () => {
    const elsewhere = (slurm: FakeSlurm) =>
      slurm.test.setPartition("other", { priorityTier: 1, nodes: ["x1"] });
    expect(await ask({ partition: "tessera" }, elsewhere)).toMatchObject({ state: "works" });
  });

  it("says how long a user's job may wait, and of what that consists", async () => {
    const finding = await ask({ partition: "tessera" }, (slurm) => {
      slurm.test.setPartition("tessera", { graceMs: 20_000 });
      slurm.test.setSetting("schedulerparameters", "bf_interval=2,sched_interval=10");
      slurm.test.setSetting("preemptexempttime", "00:00:00");
    });
    expect(finding).toMatchObject({
      state: "works",
      evidence: { graceTime: "20 s", killWait: "30 s", longestDelay: "1m 30s" },
    });
    expect((await ask({ partition: "tessera" })).evidence).toMatchObject({
      longestDelay: "1m 30s",
    });
  });

  it("is limited when ours may go on for a while before they are preempted, by cluster or QOS", async () => {
    const exempt = (qos: string | undefined, exemptMs: number | undefined) =>
      ask({ partition: "tessera", qos }, (slurm) => {
        slurm.test.setSetting("preemptexempttime", "1-01:00:00");
        slurm.test.setQos([{ name: "low", preempts: [], preemptMode: "CLUSTER", exemptMs }]);
      });
    for (const finding of [await exempt(undefined, 0), await exempt("low", undefined)]) {
      expect(finding).toMatchObject({
        state: "limited",
        reason: expect.stringMatching(/give way to users' only when they have run for 1d 1h\.$/),
        evidence: { preemptExemptTime: "1d 1h" },
      });
    }
    // What the QOS says comes before what the cluster says.
    expect(await exempt("low", 0)).toMatchObject({ state: "works" });
    expect((await exempt("low", 600_000)).reason).toMatch(/have run for 10m/);
  });

  it("is limited, with their names, when another QOS does not preempt that of ours", async () => {
    const asked = (...others: readonly (readonly string[])[]) =>
      ask({ partition: "tessera", qos: "low" }, (slurm) => {
        slurm.test.setSetting("preempttype", "preempt/qos");
        slurm.test.setQos([
          { name: "low", preempts: [], preemptMode: "CANCEL", graceMs: 45_000 },
          ...others.map((preempts, at) => ({ name: `q${at}`, preempts, preemptMode: "OFF" })),
        ]);
      });
    expect(await asked(["low"], ["low", "x"])).toMatchObject({
      state: "works",
      evidence: { graceTime: "45 s" },
    });
    expect(await asked(["low"], [], ["x"])).toMatchObject({
      state: "limited",
      reason: expect.stringMatching(/those of QOS q1, q2 wait, which does not preempt low/),
    });
  });

  it("believes that a QOS gives way when another preempts it by ending jobs, and not before", async () => {
    const asked = (preempts: readonly string[], lowMode: string, clusterMode = "CANCEL") =>
      ask({ partition: "tessera", qos: "low" }, (slurm) => {
        slurm.test.setSetting("preempttype", "preempt/qos");
        slurm.test.setSetting("preemptmode", clusterMode);
        slurm.test.setQos([
          { name: "normal", preempts, preemptMode: "CLUSTER" },
          { name: "low", preempts: [], preemptMode: lowMode },
        ]);
      });
    expect(await asked(["low"], "CLUSTER")).toMatchObject({ state: "works" });
    expect(await asked(["low"], "REQUEUE", "SUSPEND,GANG")).toMatchObject({ state: "works" });
    expect(await asked([], "CLUSTER")).toMatchObject({
      state: "limited",
      reason: expect.stringMatching(/no QOS preempts low/),
    });
    for (const finding of [
      await asked(["low"], "SUSPEND"),
      await asked(["low"], "CLUSTER", "SUSPEND,GANG"),
    ]) {
      expect(finding).toMatchObject({
        state: "limited",
        reason: expect.stringMatching(/PreemptMode is SUSPEND/),
      });
    }
  });

  it("does not know where accounting does not tell, or tells of no such QOS", async () => {
    const byQos = (slurm: FakeSlurm) => slurm.test.setSetting("preempttype", "preempt/qos");
    const low = { partition: "tessera", qos: "low" };
    expect((await ask(low, byQos)).reason).toMatch(/there is no QOS low/);
    const deaf = await ask(low, (slurm) => {
      byQos(slurm);
      slurm.test.failWith(unreachable("sacctmgr"), ["qos"]);
    });
    expect(deaf).toMatchObject({
      state: "limited",
      reason: expect.stringMatching(/which one gives way is not known/),
    });
  });

  it("is missing without Slurm's programs, and unknown when the controller is silent", async () => {
    const missing = new TesseraError("E_SLURM_MISSING", { tool: "sinfo", problem: "not found" });
    const failing = (error: Error) => (slurm: FakeSlurm) => slurm.test.failWith(error);
    expect(await ask({}, failing(missing))).toMatchObject({ state: "missing" });
    expect(await ask({}, failing(unreachable()))).toMatchObject({ state: "unknown" });
  });
});
