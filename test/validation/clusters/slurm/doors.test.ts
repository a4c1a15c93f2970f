import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import type { SlurmClient } from "../../../../src/platform/slurm/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { closeFirst, controlsOf, shown } from "./support/doors.ts";
import { nodeOf, type Scene, scene } from "./support/slurm-cluster.ts";
import { request } from "./support/slurm-parts.ts";

const reason = "tessera/prod: probe: 12.1 is below 14.9";
const acceptance = request({ purpose: "acceptance" });

describe("closing and opening a node", () => {
  it("drains it with our reason, shows it as ours, and opens it again", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    const controls = controlsOf(cluster);
    expect(await controls.cordon("g0", "probe: 12.1 is below 14.9")).toBe(true);
    expect(await shown(slurm)).toMatchObject({ flags: ["DRAIN"], reason });
    await waitUntil("it is seen", () => nodeOf(cluster, "g0")?.awaitsAcceptance === true);
    expect(nodeOf(cluster, "g0")).toMatchObject({ cordoned: true, notFree: [] });
    expect(await controls.cordon("g0", "something newer")).toBe(true);
    expect((await shown(slurm)).reason).toBe(reason);
    expect(await controls.uncordon("g0", "passed")).toBe(true);
    expect(await controls.uncordon("g0", "passed")).toBe(true);
    expect((await shown(slurm)).flags).toEqual([]);
  });

  it("never touches what somebody else closed", async () => {
    const { slurm, open } = await scene();
    const controls = controlsOf(await open());
    await slurm.updateNode("g0", { state: "DRAIN", reason: "bad DIMM" });
    slurm.test.setNode("g1", { state: "DOWN", reason: "power supply" });
    expect(await controls.cordon("g0", "x")).toBe(false);
    expect(await controls.cordon("g1", "x")).toBe(false);
    expect(await controls.cordon("g9", "x")).toBe(false);
    expect(await controls.uncordon("g0", "x")).toBe(false);
    expect(await controls.uncordon("g1", "x")).toBe(false);
    expect(await shown(slurm)).toMatchObject({ flags: ["DRAIN"], reason: "bad DIMM" });
    expect(await shown(slurm, "g1")).toMatchObject({ flags: [], reason: "power supply" });
  });

  it("opens a node that was closed with the wish to be accepted", async () => {
    const { slurm, open } = await scene();
    await slurm.updateNode("g0", { state: "DRAIN", reason: "tessera:accept new node" });
    const cluster = await open();
    expect(nodeOf(cluster, "g0")).toMatchObject({ awaitsAcceptance: true, notFree: [] });
    expect(await controlsOf(cluster).uncordon("g0", "passed")).toBe(true);
    expect((await shown(slurm)).flags).toEqual([]);
  });

  it("writes comments only where that is wanted and nobody else wrote one", async () => {
    const quiet = await scene();
    const marks = { labels: { health: "pass" }, annotations: { why: "3 of 3", gone: null } };
    await controlsOf(await quiet.open()).mark("g0", marks);
    expect((await shown(quiet.slurm)).comment).toBe("");
    const { slurm, open } = await scene({ nodeComments: true });
    slurm.test.setNode("g1", { comment: "owned by lab 3" });
    const controls = controlsOf(await open());
    await controls.mark("g0", marks);
    await controls.mark("g1", marks);
    await controls.mark("g9", marks);
    expect((await shown(slurm)).comment).toBe("tessera: pass, 3 of 3");
    expect((await shown(slurm, "g1")).comment).toBe("owned by lab 3");
  });
});

describe("marking many nodes", () => {
  it("asks for none of them again: what was last seen tells whose comments they have", async () => {
    const { slurm, open } = await scene({ nodeComments: true, lookEveryMs: 60_000 });
    slurm.test.setNode("g1", { comment: "owned by lab 3" });
    const controls = controlsOf(await open());
    const before = slurm.test.calls.length;
    for (const name of ["g0", "g1", "g2", "g3"]) {
      await controls.mark(name, { labels: { health: "pass" } });
    }
    expect(slurm.test.calls.slice(before)).toEqual(Array(3).fill("updateNode"));
    expect((await shown(slurm, "g1")).comment).toBe("owned by lab 3");
  });
});

describe("the test of a closed node", () => {
  it("runs while users wait, and leaves the node closed for the same reason", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    const users = slurm.test.userJob(["-w", "g0"]);
    await cluster.submit(acceptance);
    const [id] = [...slurm.test.submissions.keys()];
    assert(id !== undefined, "it was handed in");
    expect(slurm.test.job(id).state).toBe("RUNNING");
    expect(slurm.test.job(users).state).toBe("PENDING");
    await waitUntil("it is seen", () => nodeOf(cluster, "g0")?.notFree[0]?.code === "under-test");
    expect(nodeOf(cluster, "g0")).toMatchObject({ cordoned: true, awaitsAcceptance: true });
    slurm.test.finish(id);
    await waitUntil("it is closed again", () => isClosed(slurm));
    expect(await controlsOf(cluster).uncordon("g0", "passed")).toBe(true);
    expect(slurm.test.job(users).state).toBe("RUNNING");
  });

  it("may be followed by the next before the node is drained again", async () => {
    const { slurm, open } = await scene({ lookEveryMs: 60_000 });
    const cluster = await open();
    await closeFirst(cluster);
    await cluster.submit(acceptance);
    slurm.test.finish(1);
    await cluster.submit(request({ purpose: "acceptance", id: "r2", jobName: "tsr-two" }));
    slurm.test.finish(2);
    await waitUntil("it is closed again", () => isClosed(slurm));
  });

  it("leaves a drain that somebody else made meanwhile", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    await cluster.submit(acceptance);
    await slurm.updateNode("g0", { state: "DRAIN", reason: "mine now" });
    slurm.test.finish(1);
    await waitUntil(
      "the reservation is gone",
      async () => (await slurm.reservations()).length === 0,
    );
    expect((await shown(slurm)).reason).toBe("mine now");
    expect(await controlsOf(cluster).uncordon("g0", "x")).toBe(false);
  });

  it("says so when nobody remembers the reason any more", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    await cluster.submit(acceptance);
    await cluster.stop();
    slurm.test.finish(1);
    slurm.test.forget(1);
    await open();
    await waitUntil("it is closed", async () => (await shown(slurm)).flags.includes("DRAIN"));
    expect((await shown(slurm)).reason).toBe(
      "tessera/prod: closed until it passes; see the audit log",
    );
  });

  const points = [1, 2, 3, 4, 5].flatMap((at) => [
    { at, when: "before" as const },
    { at, when: "after" as const },
  ]);
  it.each(points)(
    "keeps users away when its process dies $when change $at, and is brought to its end",
    async ({ at, when }) => {
      const given = await scene();
      const { slurm, open } = given;
      const first = await open();
      await closeFirst(first);
      await first.stop();
      const users = slurm.test.userJob(["-w", "g0"]);
      const mortal = dies(slurm, { at, when });
      const doomed = await open(mortal.client);
      await doomed.submit(acceptance).catch(() => undefined);
      await waitUntil("it dies", () => {
        endJobs(given);
        return mortal.isDead();
      });
      await doomed.stop();
      expect(slurm.test.job(users).state).toBe("PENDING");
      const second = await open();
      if (second.view().jobs.length === 0) await second.submit(acceptance);
      await waitUntil("it is closed again", async () => {
        expect(slurm.test.job(users).state).toBe("PENDING");
        endJobs(given);
        return second.view().jobs.some(({ phase }) => phase === "succeeded") && isClosed(slurm);
      });
      expect(slurm.test.submissions.size).toBe(1);
      await controlsOf(second).uncordon("g0", "passed");
      expect(slurm.test.job(users).state).toBe("RUNNING");
    },
  );
});

async function isClosed(slurm: SlurmClient): Promise<boolean> {
  const node = await shown(slurm);
  const reserved = (await slurm.reservations()).length > 0;
  return node.flags.includes("DRAIN") && node.reason === reason && !reserved;
}

/** Ends those of our jobs that run. */
function endJobs({ slurm }: Scene): void {
  for (const id of slurm.test.submissions.keys()) {
    if (slurm.test.job(id).state === "RUNNING") slurm.test.finish(id);
  }
}

const changes = new Set([
  "submit",
  "cancel",
  "updateNode",
  "createReservation",
  "deleteReservation",
]);

/** A client whose process dies at its so manieth change: nothing it does after that arrives. */
function dies(
  slurm: SlurmClient,
  { at, when }: { readonly at: number; readonly when: "before" | "after" },
) {
  let made = 0;
  let dead = false;
  const client = new Proxy(slurm, {
    get: (target, name: keyof SlurmClient) => {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (dead) throw new Error("dead");
        if (changes.has(name)) made++;
        const isLast = changes.has(name) && made === at;
        dead ||= isLast && when === "before";
        if (dead) throw new Error("dies");
        const answer = await method.apply(target, args);
        dead ||= isLast;
        if (dead) throw new Error("dies");
        return answer;
      };
    },
  });
  return { client, isDead: () => dead };
}
