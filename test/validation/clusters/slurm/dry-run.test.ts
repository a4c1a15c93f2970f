import { describe, expect, it } from "vitest";
import type { SlurmClient } from "../../../../src/platform/slurm/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { closeFirst, shown } from "./support/doors.ts";
import { jobOf, nodeOf, type Scene, scene } from "./support/slurm-cluster.ts";
import { node, request, see, why } from "./support/slurm-parts.ts";

const ours = "tessera/prod: probe: 12.1 is below 14.9";
const acceptance = request({ purpose: "acceptance" });
const dryRun = { actMode: "dry-run" } as const;
const accept = { flags: ["DRAIN"], reason: "tessera:accept new board" };

/** Everything that acting changes. */
async function doorsOf(slurm: SlurmClient) {
  return { nodes: await slurm.nodes(), reservations: await slurm.reservations() };
}

/** A node that a process with acting on closed, and the scene as a dry run finds it. */
async function left(begin: (given: Scene) => Promise<void>): Promise<Scene> {
  const given = await scene(dryRun);
  const first = await given.open(given.slurm, "on");
  await closeFirst(first);
  await first.stop();
  await begin(given);
  return given;
}

describe("a closed node while acting is not on", () => {
  it.each([
    ["dry-run", "excluded: closed; acting is a dry run"],
    ["off", "excluded: closed; acting is switched off"],
  ] as const)(
    "is not free with %s, whoever asked us to accept it; with on it is",
    (actMode, text) => {
      for (const reason of [accept.reason, ours]) {
        const nodes = [node({ flags: ["DRAIN"], reason })];
        expect(why({ nodes }, { actMode })).toEqual([text]);
        expect(why({ nodes }, { actMode: "on" })).toEqual([]);
        expect(see({ nodes }, { actMode }).nodes).toMatchObject([{ awaitsAcceptance: true }]);
      }
      expect(why({}, { actMode })).toEqual([]);
    },
  );

  it("stays as it is when its run was planned before, and the run is refused; open ones are tested", async () => {
    const { slurm, open } = await scene(dryRun);
    slurm.test.setNode("g0", accept);
    const cluster = await open();
    const before = await doorsOf(slurm);
    await expect(cluster.submit(acceptance)).rejects.toMatchObject({
      code: "E_JOB_REFUSED",
      message: expect.stringContaining("acting is a dry run"),
    });
    expect(await doorsOf(slurm)).toEqual(before);
    expect(slurm.test.submissions.size).toBe(0);
    await cluster.submit(request({ node: "g1", id: "r2", jobName: "tsr-two" }));
    expect(slurm.test.submissions.size).toBe(1);
  });

  it("keeps its drain when the job that it was to be lifted for waits", async () => {
    const { slurm, open } = await left(async ({ slurm, open }) => {
      const updateNode = () => Promise.reject(new Error("killed"));
      const killed = await open({ ...slurm, updateNode }, "on");
      await expect(killed.submit(acceptance)).rejects.toThrow("killed");
      await killed.stop();
    });
    const before = await doorsOf(slurm);
    const cluster = await open();
    let looks = 0;
    cluster.subscribe(() => looks++);
    await waitUntil("it was looked at again and again", () => looks > 3);
    expect(await doorsOf(slurm)).toEqual(before);
    await cluster.cancel(acceptance.intent.jobName);
    await waitUntil("the reservation is gone", async () => {
      return (await slurm.reservations()).length === 0;
    });
    expect(await shown(slurm)).toMatchObject({ flags: ["DRAIN"], reason: ours });
  });

  it("is drained again when the test is over that was under way, and opened by nobody", async () => {
    const { slurm, open } = await left(async ({ slurm, open }) => {
      const first = await open(slurm, "on");
      await first.submit(acceptance);
      await first.stop();
    });
    const users = slurm.test.userJob(["-w", "g0"]);
    const cluster = await open();
    expect(jobOf(cluster, acceptance.intent.jobName)?.phase).toBe("running");
    slurm.test.finish(1);
    await waitUntil("the reservation is gone", async () => {
      expect(slurm.test.job(users).state).toBe("PENDING");
      return (await slurm.reservations()).length === 0;
    });
    expect(await shown(slurm)).toMatchObject({ flags: ["DRAIN"], reason: ours });
    await waitUntil("it is not free", () => nodeOf(cluster, "g0")?.notFree[0]?.code === "excluded");
  });
});
