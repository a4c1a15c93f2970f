import { describe, expect, it } from "vitest";
import { judge } from "../../../src/chaos/judge/index.ts";
import { dryRunOnSlurm, findLeftovers } from "../../../src/chaos/slurm/index.ts";
import { unreachable } from "../../platform/slurm/fake-slurm.ts";
import { allowed, planOf, run, site } from "./support/site.ts";

const failNode = "{ fault: fail_node, target: { slurmNode: g0 }, at: { time: 50ms }, for: 500ms }";
const drainNode =
  "{ fault: drain_node, target: { slurmNode: g3 }, at: { time: 50ms }, for: 500ms }";
const requeue = "{ fault: requeue_job, target: { slurmJob: true }, at: { time: 50ms } }";
const killStep = "{ fault: kill_step, target: { slurmJob: true }, at: { time: 50ms } }";

const twoNodes = "duration: 20s, targets: 2";

describe("a node that is taken away", () => {
  it("ends the job's run there, and the job comes back on others", async () => {
    const at = await site();
    const record = await run(at, { faults: [failNode] });
    const { outcome, reason, recoveries } = judge(planOf({ faults: [failNode] }), record, null);
    expect(outcome, reason).toBe("pass");
    expect(recoveries).toHaveLength(1);
    expect(record).toMatchObject({ world: "slurm", provenance: "measured", end: "finished" });
    expect(record.injections[0]?.effect).toBe(`job ${at.job} (train) lost node g0`);
    expect(record.residualFaults).toEqual([]);
    expect(at.slurm.test.job(at.job).nodes).toEqual(["g1", "g2"]);
    expect(await findLeftovers(at.slurm)).toEqual([]);
  });

  it("is not touched when somebody else's job is on it, and is when that job allows it too", async () => {
    const at = await site(["-J", "train", "-N", "1", allowed]);
    const other = at.slurm.test.userJob(["-w", "g0", "-J", "other"], "bob");
    Object.assign(at.slurm.test.job(other), { state: "RUNNING", nodes: ["g0"] });
    await expect(run(at, { faults: [failNode] })).rejects.toThrow(
      /job \d+ \(other\) of bob on node g0 would be hit too, and does not allow it/,
    );
    expect(at.slurm.test.calls).not.toContain("updateNode");
    at.slurm.test.job(other).comment = "tessera.dev/chaos=allowed";
    const record = await run(at, { faults: [failNode] });
    expect(record.injections[0]?.effect).toContain("lost node g0");
  });

  it("is given back at once when somebody came between the look and the drain", async () => {
    const at = await site(["-J", "train", "-N", "1", allowed]);
    let drains = 0;
    at.slurm.test.onCall((call) => {
      if (call !== "updateNode" || drains++ > 0) return;
      const other = at.slurm.test.userJob(["-w", "g0", "-J", "late"], "bob");
      Object.assign(at.slurm.test.job(other), { state: "RUNNING", nodes: ["g0"] });
    });
    // While another fault goes on: the end of the run takes back everything anyway.
    let marked: readonly string[] | undefined;
    const { updateNode } = at.slurm;
    at.slurm.updateNode = async (name, change) => {
      if (name === "g3" && "state" in change && change.state === "UNDRAIN") {
        marked ??= (await findLeftovers(at.slurm)).map(({ node }) => node);
      }
      await updateNode(name, change);
    };
    const record = await run(at, { faults: [failNode, drainNode], limits: twoNodes });
    expect(marked).toEqual(["g3"]);
    expect(record.notes.join()).toContain("of bob on node g0 would be hit too");
    expect(at.slurm.test.job(at.job).restarts).toBe(0);
    expect(record.residualFaults).toEqual([]);
    expect(await findLeftovers(at.slurm)).toEqual([]);
  });

  it("is not ended where an operator gave it a reason between our drain and the end", async () => {
    const at = await site();
    const { updateNode } = at.slurm;
    at.slurm.updateNode = async (name, change) => {
      await updateNode(name, change);
      at.slurm.test.setNode("g0", { reason: "bad disk", reasonBy: "bob" });
    };
    const record = await run(at, { faults: [failNode] });
    expect(record.notes.join()).toContain("no longer bears our mark");
    expect(at.slurm.test.job(at.job).restarts).toBe(0);
    expect((await at.slurm.nodes())[0]).toMatchObject({ reason: "bad disk", flags: ["DRAIN"] });
  });

  it.each(["NOT_RESPONDING", "REBOOT_ISSUED", "POWER_DOWN"])(
    "that is %s already is left alone",
    async (flag) => {
      const at = await site();
      at.slurm.test.setNode("g0", { flags: [flag] });
      await expect(run(at, { faults: [failNode] })).rejects.toThrow(`+${flag} already`);
    },
  );

  it.each(["fail_node", "drain_node", "kill_slurmd"])(
    "that an administrator wants to boot when it is idle is theirs: no %s, also as a dry run",
    async (fault) => {
      const at = await site();
      const flags = ["REBOOT_REQUESTED"];
      at.slurm.test.setNode("g0", { state: "MIXED", flags, reason: "kernel" });
      const faults = [failNode.replace("fail_node", fault)];
      const refusal = "node g0 is MIXED+REBOOT_REQUESTED already: kernel";
      const daemonHook = { stop: async () => {}, start: async () => {} };
      await expect(run(at, { faults }, { daemonHook })).rejects.toThrow(refusal);
      const dry = dryRunOnSlurm(planOf({ faults }), { ...at.options, daemonHook });
      await expect(dry).rejects.toThrow(refusal);
      expect(at.slurm.test.calls).not.toContain("updateNode");
    },
  );

  it("that an operator has drained is theirs: neither broken nor resumed", async () => {
    const at = await site();
    await at.slurm.updateNode("g0", { state: "DRAIN", reason: "bad disk" });
    await expect(run(at, { faults: [failNode] })).rejects.toThrow(
      /node g0 is MIXED\+DRAIN already by alice: bad disk|node g0 is ALLOCATED\+DRAIN already/,
    );
    const [node] = await at.slurm.nodes();
    expect(node).toMatchObject({ reason: "bad disk", flags: ["DRAIN"] });
  });

  it("stays as an operator left it who gave it a reason of their own meanwhile", async () => {
    const at = await site();
    const { updateNode } = at.slurm;
    at.slurm.updateNode = async (name, change) => {
      await updateNode(name, change);
      at.slurm.test.setNode("g3", { reason: "bad disk", reasonBy: "bob" });
    };
    const record = await run(at, { faults: [drainNode] });
    expect(record.residualFaults).toEqual([]);
    expect((await at.slurm.nodes())[3]).toMatchObject({ reason: "bad disk", flags: ["DRAIN"] });
  });
});

describe("a node that is drained", () => {
  it("takes no jobs while it lasts, and the job goes on", async () => {
    const at = await site();
    const record = await run(at, { faults: [drainNode] });
    expect(record.injections[0]).toMatchObject({ effect: "node g3 takes no jobs" });
    expect(record.events.some(({ kind }) => kind === "detect")).toBe(false);
    expect((await at.slurm.nodes())[3]).toMatchObject({ reason: "", flags: [] });
  });
});

describe("a job", () => {
  it("that is put back into the queue is seen to leave and to run again", async () => {
    const at = await site();
    const record = await run(at, { faults: [requeue] });
    expect(record.injections[0]?.effect).toContain("was put back into the queue");
    expect(record.events.filter(({ kind }) => kind === "generation")).toHaveLength(2);
    expect(judge(planOf({ faults: [requeue] }), record, null).outcome).toBe("pass");
  });

  it("that Slurm will not put back proves nothing", async () => {
    const at = await site();
    at.slurm.test.failWith(unreachable(), ["requeue"]);
    const record = await run(at, { faults: [requeue] });
    expect(record.notes.join()).toContain("requeue_job failed");
    expect(judge(planOf({ faults: [requeue] }), record, null).outcome).toBe("inconclusive");
  });

  it("whose step is killed shows it by the steps that Slurm lists", async () => {
    const at = await site();
    at.slurm.cancel = async (ids) => {
      expect(ids).toEqual([`${at.job}.0`]);
      at.slurm.test.setSteps(at.job, [`${at.job}.batch`]);
    };
    const record = await run(at, { faults: [killStep] });
    expect(record.injections[0]?.effect).toBe(`Slurm no longer lists step ${at.job}.0`);
  });

  it("that is a task of an array is hit by the name of the task, and no other task is", async () => {
    const at = await site(["-J", "train", "-N", "1", "--array=0-1", allowed]);
    const asked: string[] = [];
    let isKilled = false;
    at.slurm.steps = async (id) => {
      asked.push(id);
      return isKilled ? [] : [`${id}.0`, `${id}.batch`];
    };
    at.slurm.cancel = async (ids) => {
      asked.push(...ids);
      isKilled = true;
    };
    const record = await run(at, { faults: [killStep], workload: `job: ${at.job}_0` });
    expect(new Set(asked)).toEqual(new Set([`${at.job}_0`, `${at.job}_0.0`]));
    expect(record.injections[0]?.effect).toBe(`Slurm no longer lists step ${at.job}_0.0`);
    const none = run(at, { faults: [killStep], workload: `job: ${at.job}_7` });
    await expect(none).rejects.toThrow(`alice has no job ${at.job}_7`);
  });

  it("is followed until it is over, whoever else gets its name", async () => {
    const at = await site();
    let second: number | undefined;
    at.slurm.cancel = async () => {
      at.slurm.test.setSteps(at.job, []);
      second = at.slurm.test.userJob(["-J", "train", "-N", "9", allowed]);
    };
    const record = await run(at, { faults: [killStep] });
    expect(second).toBeDefined();
    expect(record.end).toBe("finished");
    expect(record.events.some(({ kind }) => kind === "detect")).toBe(false);
  });

  it("has no such step: nothing is killed", async () => {
    const at = await site();
    const faults = [killStep.replace("}, at", "}, params: { step: '7' }, at")];
    await expect(run(at, { faults })).rejects.toThrow(/Slurm lists no step \d+\.7/);
  });

  it("that ends for good under its number gave up, and one known by its name may come again", async () => {
    const byNumber = await site();
    byNumber.slurm.requeue = async () => byNumber.slurm.test.end(byNumber.job, "FAILED");
    const one = await run(byNumber, { faults: [requeue], workload: `job: ${byNumber.job}` });
    expect(one.end).toBe("gave-up");
    expect(one.events.at(-1)).toMatchObject({
      kind: "give-up",
      reason: expect.stringContaining("ended as FAILED"),
    });

    const byName = await site();
    byName.slurm.cancel = async () => {
      byName.slurm.test.end(byName.job, "FAILED");
      byName.slurm.test.userJob(["-J", "train", "-N", "2", allowed]);
    };
    const other = await run(byName, { faults: [killStep] });
    expect(other.end).toBe("finished");
    expect(other.events.filter(({ kind }) => kind === "generation")).toHaveLength(2);
  });

  it("is followed through an outage of the controller, whose gap makes no steps", async () => {
    const at = await site();
    let looks = 0;
    at.slurm.test.onCall((call) => {
      if (call !== "jobs") return;
      looks++;
      at.slurm.test.failWith(looks > 5 && looks < 9 ? unreachable() : undefined, ["jobs"]);
    });
    const record = await run(at, { faults: [drainNode] });
    expect(record.end).toBe("finished");
    expect(record.events.some(({ kind }) => kind === "detect")).toBe(false);
    expect(record.residualFaults).toEqual([]);
  });
});

describe("a run", () => {
  it("is not over while nobody can see the job", async () => {
    const at = await site();
    let isAway = false;
    at.slurm.cancel = async () => {
      at.slurm.test.setSteps(at.job, []);
      isAway = true;
    };
    at.slurm.test.onCall(() => {
      at.slurm.test.failWith(isAway ? unreachable() : undefined, ["jobs"]);
    });
    const record = await run(at, { faults: [killStep], limits: "duration: 1s, targets: 1" });
    expect(record.end).toBe("cut");
  });
});

describe("before anything is broken, a job is refused", () => {
  it.each([
    ["without its owner's word", ["-J", "train"], "job: train", /does not have tessera\.dev/],
    ["that does not exist", ["-J", "other", allowed], "job: train", /alice has no job train/],
    ["of somebody whom nobody named", ["-J", "train"], "job: train, user: bob", /bob has no job/],
    ["that waits", ["-J", "train", "-N9", allowed], "job: train", /is PENDING, not running/],
  ])("%s", async (_, args, workload, expected) => {
    const at = await site(args);
    await expect(run(at, { faults: [requeue], workload })).rejects.toThrow(expected);
    expect(at.slurm.test.calls).not.toContain("requeue");
  });

  it("when two of the name run, and not when one of them is over", async () => {
    const at = await site(["-J", "train", allowed]);
    const second = at.slurm.test.userJob(["-J", "train", allowed]);
    await expect(run(at, { faults: [requeue] })).rejects.toThrow(/alice has 2 jobs train/);
    at.slurm.test.finish(second);
    expect((await run(at, { faults: [requeue] })).end).toBe("finished");
  });

  it("when more would be hit than the limits allow", async () => {
    const at = await site();
    const faults = [failNode, failNode.replace("g0", "g1")];
    await expect(run(at, { faults, limits: "duration: 20s, targetsPercent: 50" })).rejects.toThrow(
      "limits.targetsPercent allows 50 % of 2, which is 1",
    );
    expect(() => planOf({ faults })).toThrow(/2 ranks, pods or nodes at once/);
  });

  it("when Slurm hides whose jobs a node would take with it, and not when we see all", async () => {
    const at = await site();
    at.slurm.test.setSetting("privatedata", "accounts,jobs");
    at.slurm.test.setSetting("slurmuser", "alice(1000)");
    await expect(run(at, { faults: [failNode] }, { user: "alice" })).resolves.toBeDefined();
    at.slurm.test.setSetting("slurmuser", "slurm(64030)");
    await expect(run(at, { faults: [failNode] })).rejects.toThrow(/PrivateData hides/);
    at.slurm.test.setSetting("privatedata", "none");
    await expect(run(at, { faults: [failNode] })).resolves.toBeDefined();
  });
});
