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
