import { describe, expect, it } from "vitest";
import { toolError } from "../../../../src/platform/slurm/tools/tools.ts";
import { DoorTroubles } from "../../../../src/validation/clusters/slurm/doors/door-troubles.ts";
import { unreachable } from "../../../platform/slurm/fake-slurm.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { closeFirst, shown } from "./support/doors.ts";
import { nodeOf, scene } from "./support/slurm-cluster.ts";
import { request } from "./support/slurm-parts.ts";

const ours = "tessera/prod: probe: 12.1 is below 14.9";
const acceptance = request({ purpose: "acceptance" });
const words = (stderr: string) => toolError("scontrol", { stdout: "", stderr });

describe("a closed node that cannot be opened for its test", () => {
  it.each([
    ["createReservation", "Access/permission denied", "its reservation was refused"],
    ["createReservation", "Requested nodes are busy", "its reservation was refused"],
    ["updateNode", "Invalid user id", "its drain could not be lifted"],
  ] as const)("has its run refused and is left alone a while: %s, %s", async (call, said, what) => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    slurm.test.failWith(words(said), [call]);
    await expect(cluster.submit(acceptance)).rejects.toMatchObject({
      code: "E_JOB_REFUSED",
      message: expect.stringMatching(new RegExp(`${what}.*${said}`)),
    });
    await waitUntil("it is said", () => {
      const reasons = nodeOf(cluster, "g0")?.notFree ?? [];
      return reasons.some(({ text }) => text.startsWith(what));
    });
    expect(await shown(slurm)).toMatchObject({ flags: expect.arrayContaining(["DRAIN"]) });
    expect((await shown(slurm)).reason).toBe(ours);
    await cluster.submit(request({ node: "g1", id: "r2", jobName: "tsr-two" }));
    expect(nodeOf(cluster, "g2")?.notFree).toEqual([]);
  });

  it("may be tried again at once when it was the controller that was away", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    slurm.test.failWith(unreachable(), ["createReservation"]);
    await expect(cluster.submit(acceptance)).rejects.toMatchObject({ code: "E_SLURM_UNREACHABLE" });
    expect(nodeOf(cluster, "g0")?.notFree).toEqual([]);
    slurm.test.failWith(undefined);
    await cluster.submit(acceptance);
    expect(slurm.test.job(1).state).toBe("RUNNING");
  });
});

describe("the time that such a node is left alone", () => {
  const minuteMs = 60_000;

  it("doubles with each failure up to an hour, begins anew after a success, and is each node's own", () => {
    const troubles = new DoorTroubles();
    const isLeft = (atMs: number) => troubles.current(atMs).has("g0");
    for (const [minutes, atMs] of [1, 2, 4, 8, 16, 32, 60, 60].map((m, at) => [m, at * 1e9])) {
      troubles.failed("g0", "no", atMs ?? 0);
      expect(isLeft((atMs ?? 0) + (minutes ?? 0) * minuteMs - 1)).toBe(true);
      expect(isLeft((atMs ?? 0) + (minutes ?? 0) * minuteMs)).toBe(false);
      expect(troubles.current(atMs ?? 0).has("g1")).toBe(false);
    }
    troubles.succeeded("g0");
    troubles.failed("g0", "no", 0);
    expect(isLeft(minuteMs)).toBe(false);
    troubles.keepOnly(new Set(["g1"]));
    expect(isLeft(0)).toBe(false);
  });
});
