import { describe, expect, it } from "vitest";
import { createSlurmWorld, findLeftovers, recoverOnSlurm } from "../../../src/chaos/slurm/index.ts";
import { allowed, planOf, run, type Site, site } from "./support/site.ts";

describe("a daemon that is killed", () => {
  const killSlurmd =
    "{ fault: kill_slurmd, target: { slurmNode: g0 }, at: { time: 50ms }, for: 500ms }";
  /** Commands that note what state the node was in. */
  const hookAt = ({ slurm }: Site) => {
    const seen: string[] = [];
    const note = async (what: string, node: string) => {
      const flags = (await slurm.nodes()).find(({ name }) => name === node)?.flags ?? [];
      seen.push([what, node, ...flags].join(" "));
    };
    const daemonHook = {
      stop: async (node: string) => {
        await note("stop", node);
        slurm.test.setNode(node, { flags: ["DRAIN", "NOT_RESPONDING"] });
      },
      start: async (node: string) => {
        await note("start", node);
        slurm.test.setNode(node, { flags: ["DRAIN"] });
      },
    };
    return { seen, daemonHook };
  };

  it("leaves nobody a node to start on, which is opened when it answers again", async () => {
    const at = await site();
    const { seen, daemonHook } = hookAt(at);
    const record = await run(at, { faults: [killSlurmd] }, { daemonHook });
    expect(seen).toEqual(["stop g0 DRAIN", "start g0 DRAIN NOT_RESPONDING"]);
    expect(record.injections[0]?.effect).toBe("Slurm calls node g0 not responding");
    expect(record.residualFaults).toEqual([]);
    expect((await at.slurm.nodes())[0]).toMatchObject({ reason: "", flags: [] });
  });

  it.each([
    [" : Not responding", []],
    [", bad disk", ["node g0"]],
  ])("leaves a node whose reason has grown by %j: %j", async (more, left) => {
    const at = await site();
    const { daemonHook } = hookAt(at);
    const start = async (node: string) => {
      await daemonHook.start(node);
      const reason = (await at.slurm.nodes())[0]?.reason;
      at.slurm.test.setNode(node, { state: "DOWN", reason: `${reason}${more}` });
    };
    const record = await run(
      at,
      { faults: [killSlurmd] },
      { daemonHook: { ...daemonHook, start } },
    );
    const marked = left.map((node) => `${node} still bears the mark of this run`);
    expect(record.residualFaults).toEqual(
      left.length === 0 ? [] : [expect.stringContaining("more for a reason"), ...marked],
    );
    const isOpen = left.length === 0;
    expect((await at.slurm.nodes())[0]?.flags).toEqual(isOpen ? [] : ["DRAIN"]);
  });

  it("is not, when somebody's job came between the look and the drain", async () => {
    const at = await site(["-J", "train", "-N", "1", allowed]);
    const { seen, daemonHook } = hookAt(at);
    at.slurm.test.onCall((call) => {
      if (call !== "updateNode" || seen.length > 0) return;
      const other = at.slurm.test.userJob(["-w", "g0", "-J", "late"], "bob");
      Object.assign(at.slurm.test.job(other), { state: "RUNNING", nodes: ["g0"] });
    });
    const record = await run(at, { faults: [killSlurmd] }, { daemonHook });
    expect(seen.join()).not.toContain("stop");
    expect(record.notes.join()).toContain("of bob on node g0 would be hit too");
    expect(await findLeftovers(at.slurm)).toEqual([]);
  });

  it("is not started on a node that somebody else has closed since the rehearsal, nor later", async () => {
    const at = await site();
    const { seen, daemonHook } = hookAt(at);
    const theirs = { flags: ["DRAIN", "NOT_RESPONDING"], reason: "bad DIMM", reasonBy: "alice" };
    const world = createSlurmWorld({ ...at.options, daemonHook });
    const record = await world.run(planOf({ faults: [killSlurmd] }), {
      signal: new AbortController().signal,
      // The first one comes after the rehearsal, and before the fault.
      onEvent: () => at.slurm.test.setNode("g0", theirs),
    });
    expect(record.notes.join()).toContain("already by alice: bad DIMM");
    expect(record.residualFaults).toEqual([]);
    expect(await recoverOnSlurm({ ...at.options, daemonHook })).toEqual([]);
    expect(seen).toEqual([]);
    expect((await at.slurm.nodes())[0]).toMatchObject(theirs);
  });

  it("is started though somebody has given the node another reason since, which stays", async () => {
    const at = await site();
    const { seen, daemonHook } = hookAt(at);
    const stop = async (node: string) => {
      await daemonHook.stop(node);
      at.slurm.test.setNode(node, { reason: "bad DIMM" });
    };
    const record = await run(at, { faults: [killSlurmd] }, { daemonHook: { ...daemonHook, stop } });
    expect(seen).toEqual(["stop g0 DRAIN", "start g0 DRAIN NOT_RESPONDING"]);
    expect(record.residualFaults).toEqual([]);
    expect((await at.slurm.nodes())[0]).toMatchObject({ reason: "bad DIMM", flags: ["DRAIN"] });
  });
});
