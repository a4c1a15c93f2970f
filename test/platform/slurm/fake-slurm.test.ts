import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { createFakeSlurm, unreachable } from "./fake-slurm.ts";

const script = "#!/bin/sh\n";
const ours = (node: string) => ({
  script,
  args: ["--partition=tessera", `--nodelist=${node}`, `--job-name=check-${node}`, "--exclusive"],
  env: {},
});

const create = (options: { readonly nodes?: number } = {}) =>
  createFakeSlurm({ clock: new VirtualClock({ epochMs: 1_000_000 }), ...options });

describe("the Slurm in memory", () => {
  it("runs a job on the node it names and shows the node in use until it ends", async () => {
    const slurm = create();
    const id = await slurm.submit(ours("g1"));
    expect(slurm.test.job(id)).toMatchObject({ state: "RUNNING", nodes: ["g1"] });
    expect((await slurm.nodes())[1]).toMatchObject({ state: "ALLOCATED" });
    slurm.test.finish(id, 3);
    expect((await slurm.jobs())[0]).toMatchObject({ state: "FAILED", exitCode: 3 });
    expect((await slurm.nodes())[1]).toMatchObject({ state: "IDLE", gresUsed: [] });
  });

  it("ends a job of the low partition when a user's job needs its node, not the other way round", async () => {
    const slurm = create();
    const id = await slurm.submit(ours("g0"));
    const users = slurm.test.userJob(["-w", "g0"]);
    expect(slurm.test.job(id).state).toBe("PREEMPTED");
    expect(slurm.test.job(users).state).toBe("RUNNING");
    const again = await slurm.submit(ours("g0"));
    expect(slurm.test.job(again)).toMatchObject({ state: "PENDING", reason: "Resources" });
    slurm.test.finish(users);
    expect(slurm.test.job(again).state).toBe("RUNNING");
  });

  it("keeps jobs off a drained node and lets them on after it is resumed", async () => {
    const slurm = create();
    await slurm.updateNode("g2", { state: "DRAIN", reason: "bad" });
    const id = await slurm.submit(ours("g2"));
    expect(slurm.test.job(id)).toMatchObject({ state: "PENDING", reason: "ReqNodeNotAvail" });
    expect((await slurm.nodes())[2]).toMatchObject({ flags: ["DRAIN"], reason: "bad" });
    await slurm.updateNode("g2", { state: "RESUME" });
    expect(slurm.test.job(id).state).toBe("RUNNING");
    await expect(slurm.updateNode("g2", { state: "RESUME" })).rejects.toThrow("Invalid node state");
  });

  it("gives reserved nodes only to jobs of the reservation", async () => {
    const slurm = create({ nodes: 1 });
    await slurm.createReservation({ name: "r", nodes: ["g0"], users: ["tessera"], flags: [] });
    const users = slurm.test.userJob();
    const { args } = ours("g0");
    const id = await slurm.submit({ script, args: [...args, "--reservation=r"], env: {} });
    expect(slurm.test.job(users).state).toBe("PENDING");
    expect(slurm.test.job(id).state).toBe("RUNNING");
    await slurm.deleteReservation("r");
    expect((await slurm.nodes())[0]?.flags).toEqual([]);
  });

  it("puts the jobs of a lost node back into the queue and keeps in its history that they failed", async () => {
    const slurm = create({ nodes: 1 });
    const id = slurm.test.userJob();
    slurm.test.loseNode("g0");
    expect(slurm.test.job(id)).toMatchObject({ state: "PENDING", restarts: 1 });
    expect((await slurm.history(0)).jobs).toMatchObject([{ state: "NODE_FAIL", nodes: ["g0"] }]);
  });

  it("runs each task of an array by itself", async () => {
    const slurm = create({ nodes: 2 });
    const id = await slurm.submit({ script, args: ["--array=0-2"], env: {} });
    const jobs = await slurm.jobs();
    expect(jobs.map(({ arrayTaskId }) => arrayTaskId)).toEqual([0, 1, 2]);
    expect(jobs.map(({ state }) => state)).toEqual(["RUNNING", "RUNNING", "PENDING"]);
    await slurm.cancel([`${id}_1`]);
    const after = (await slurm.jobs()).map(({ state }) => state);
    expect(after).toEqual(["RUNNING", "CANCELLED", "RUNNING"]);
  });

  it("fails the calls it is told to fail, and those only", async () => {
    const slurm = create();
    slurm.test.failWith(unreachable(), ["nodes"]);
    await expect(slurm.nodes()).rejects.toThrow("does not answer");
    await expect(slurm.jobs()).resolves.toEqual([]);
    slurm.test.failWith(undefined);
    await expect(slurm.nodes()).resolves.toHaveLength(4);
  });
});
