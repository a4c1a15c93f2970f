import { describe, expect, it } from "vitest";
import { Semaphore } from "../../../../src/platform/concurrency/index.ts";
import type { SlurmClient } from "../../../../src/platform/slurm/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { doChores } from "../../../../src/validation/clusters/slurm/doors/do-chores.ts";
import { createSlurmNodeControls } from "../../../../src/validation/clusters/slurm/doors/node-controls.ts";
import { createFakeSlurm } from "../../../platform/slurm/fake-slurm.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { closeFirst, controlsOf, shown } from "./support/doors.ts";
import { nodeOf, scene } from "./support/slurm-cluster.ts";
import { request, who } from "./support/slurm-parts.ts";

const ours = "tessera/prod: probe: 12.1 is below 14.9";
const theirs = "alice: board pulled";
const acceptance = request({ purpose: "acceptance" });
const isUnreserved = async (slurm: SlurmClient) => (await slurm.reservations()).length === 0;

describe("a closed node whose drain is lifted for its test", () => {
  it("stays with whoever takes it down meanwhile, for their reason", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    await cluster.submit(acceptance);
    await slurm.updateNode("g0", { state: "DOWN", reason: theirs });
    await waitUntil("the reservation is gone", () => isUnreserved(slurm));
    expect(await shown(slurm)).toMatchObject({ state: "DOWN", flags: [], reason: theirs });
    await waitUntil("it is theirs", () => nodeOf(cluster, "g0")?.awaitsAcceptance === false);
    expect(nodeOf(cluster, "g0")).toMatchObject({
      cordoned: true,
      notFree: [{ code: "not-ready", text: expect.stringContaining(theirs) }],
    });
    expect(await controlsOf(cluster).uncordon("g0", "passed")).toBe(false);
    expect(await shown(slurm)).toMatchObject({ state: "DOWN", reason: theirs });
  });

  it("stays ours when it only stops to answer", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    await cluster.submit(acceptance);
    slurm.test.setNode("g0", { reason: "Not responding" });
    slurm.test.loseNode("g0");
    await waitUntil("the reservation is gone", () => isUnreserved(slurm));
    expect(await shown(slurm)).toMatchObject({ state: "DOWN", flags: ["DRAIN"], reason: ours });
    expect(await controlsOf(cluster).uncordon("g0", "passed")).toBe(false);
    expect(await shown(slurm)).toMatchObject({ state: "DOWN", flags: ["DRAIN"], reason: ours });
    slurm.test.setNode("g0", { state: "IDLE" });
    expect(await controlsOf(cluster).uncordon("g0", "passed")).toBe(true);
    expect((await shown(slurm)).flags).toEqual([]);
  });
});

describe("a node that is to be opened while it is not there", () => {
  it.each([
    ["DOWN", []],
    ["IDLE", ["REBOOT_REQUESTED"]],
    ["DOWN", ["REBOOT_ISSUED"]],
  ])("is opened only when it is back: %s, %s", async (state, flags) => {
    const { slurm, open } = await scene();
    const controls = controlsOf(await open());
    const change = { state, flags: ["DRAIN", ...flags], reason: ours };
    slurm.test.setNode("g0", change);
    expect(await controls.uncordon("g0", "passed")).toBe(false);
    await doChores({ client: slurm, who, onDone: () => {} }, [{ kind: "lift-drain", node: "g0" }]);
    expect(await shown(slurm)).toMatchObject(change);
    slurm.test.setNode("g0", { state: "IDLE", flags: ["DRAIN"] });
    expect(await controls.uncordon("g0", "passed")).toBe(true);
    expect((await shown(slurm)).flags).toEqual([]);
  });

  it("keeps what others asked for at an unlucky moment: only the drain is lifted", async () => {
    const { slurm, open } = await scene();
    const controls = controlsOf(await open());
    slurm.test.setNode("g0", { flags: ["DRAIN"], reason: ours });
    slurm.test.onCall((call) => {
      const flags = ["DRAIN", "REBOOT_REQUESTED"];
      if (call === "updateNode") slurm.test.setNode("g0", { state: "DOWN", flags });
    });
    await controls.uncordon("g0", "passed");
    expect(await shown(slurm)).toMatchObject({ state: "DOWN", flags: ["REBOOT_REQUESTED"] });
  });
});

describe("a closed node that a Tessera with other records tests", () => {
  it("keeps its reservation, and is closed again for the same reason when that is over", async () => {
    const { slurm, open, openOther } = await scene();
    const tester = await open();
    await closeFirst(tester);
    await tester.submit(acceptance);
    await tester.stop();
    const other = await openOther();
    let looks = 0;
    other.subscribe(() => looks++);
    await waitUntil("it was looked at again and again", () => looks > 3);
    expect(await isUnreserved(slurm)).toBe(false);
    expect((await shown(slurm)).flags).not.toContain("DRAIN");
    slurm.test.finish(1);
    await waitUntil("the reservation is gone", () => isUnreserved(slurm));
    expect(await shown(slurm)).toMatchObject({ flags: ["DRAIN"], reason: ours });
  });

  it("has its drain lifted by that one alone", async () => {
    const { slurm, open, openOther } = await scene();
    const first = await open();
    await closeFirst(first);
    await first.stop();
    const updateNode = () => Promise.reject(new Error("killed"));
    const killed = await open({ ...slurm, updateNode });
    await expect(killed.submit(acceptance)).rejects.toThrow("killed");
    await killed.stop();
    const other = await openOther();
    let looks = 0;
    other.subscribe(() => looks++);
    await waitUntil("it was looked at again and again", () => looks > 3);
    expect((await shown(slurm)).flags).toContain("DRAIN");
    await open();
    await waitUntil("it runs", () => slurm.test.job(1).state === "RUNNING");
  });
});

describe("a drain that somebody makes at an unlucky moment is not lifted", () => {
  const drained = { flags: ["DRAIN"], reason: theirs };

  it("while the job of a closed node is handed in", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    slurm.test.onCall((call) => {
      if (call === "submit") slurm.test.setNode("g0", drained);
    });
    await cluster.submit(acceptance);
    expect((await shown(slurm)).reason).toBe(theirs);
    expect((await shown(slurm)).flags).toContain("DRAIN");
  });

  it("nor before what was left to do is done", async () => {
    const slurm = createFakeSlurm({ clock: createRealClock() });
    const lift = () =>
      doChores({ client: slurm, who, onDone: () => {} }, [{ kind: "lift-drain", node: "g0" }]);
    slurm.test.setNode("g0", drained);
    await lift();
    expect(await shown(slurm)).toMatchObject(drained);
    slurm.test.setNode("g0", { reason: ours });
    await lift();
    expect((await shown(slurm)).flags).toEqual([]);
  });

  it("nor while the node is opened", async () => {
    const slurm = createFakeSlurm({ clock: createRealClock() });
    const lane = new Semaphore({ permits: 1 });
    const options = {
      client: slurm,
      identify: async () => who,
      lane,
      nodeComments: false,
      seen: () => undefined,
      onChange: () => {},
    };
    await slurm.updateNode("g0", { state: "DRAIN", reason: ours });
    let looks = 0;
    slurm.test.onCall((call) => {
      if (call === "nodes" && ++looks === 2) slurm.test.setNode("g0", drained);
    });
    expect(await createSlurmNodeControls(options).uncordon("g0", "passed")).toBe(false);
    expect(await shown(slurm)).toMatchObject(drained);
  });
});

describe("a drain that somebody makes at an unlucky moment is not written over", () => {
  it("when the test of a closed node is over", async () => {
    const slurm = createFakeSlurm({ clock: createRealClock() });
    const name = "tessera-prod-g0";
    await slurm.createReservation({ name, nodes: ["g0"], users: [who.user], flags: [] });
    slurm.test.onCall((call) => {
      if (call === "reservations") slurm.test.setNode("g0", { flags: ["DRAIN"], reason: theirs });
    });
    const chore = { kind: "drain-again", node: "g0", reason: ours } as const;
    await doChores({ client: slurm, who, onDone: () => {} }, [chore]);
    expect((await shown(slurm)).reason).toBe(theirs);
  });
});

describe("a node that somebody else says is to fail", () => {
  const failing = { flags: ["FAIL"], reason: theirs };

  it("is theirs: neither drained, opened, tested nor drained again by us, with a drain of ours before it or not", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    for (const flags of [["FAIL"], ["DRAIN", "FAIL"]]) {
      slurm.test.setNode("g0", { flags, reason: theirs });
      expect(await controlsOf(cluster).cordon("g0", "x")).toBe(false);
      expect(await controlsOf(cluster).uncordon("g0", "x")).toBe(false);
      await waitUntil("it is seen", () => nodeOf(cluster, "g0")?.cordoned === true);
      expect(nodeOf(cluster, "g0")).toMatchObject({ awaitsAcceptance: false });
      expect(nodeOf(cluster, "g0")?.notFree[0]?.text).toContain("alice: board pulled");
      await doChores({ client: slurm, who, onDone: () => {} }, [
        { kind: "drain-again", node: "g0", reason: ours },
        { kind: "lift-drain", node: "g0" },
      ]);
      expect(await shown(slurm)).toMatchObject({ flags, reason: theirs });
    }
  });

  it("while it is tested by us is left to them, without the reservation", async () => {
    const { slurm, open } = await scene();
    const cluster = await open();
    await closeFirst(cluster);
    await cluster.submit(acceptance);
    slurm.test.setNode("g0", failing);
    slurm.test.finish(1);
    await waitUntil("the reservation is gone", () => isUnreserved(slurm));
    expect(await shown(slurm)).toMatchObject(failing);
  });

  it("keeps our drain, which lasts when FAIL is taken back, where no reason of theirs is told", async () => {
    const slurm = createFakeSlurm({ clock: createRealClock() });
    slurm.test.setNode("g0", { flags: ["DRAIN", "FAIL"], reason: ours });
    await doChores({ client: slurm, who, onDone: () => {} }, [{ kind: "lift-drain", node: "g0" }]);
    expect((await shown(slurm)).flags).toEqual(["DRAIN", "FAIL"]);
  });
});

describe("what is left to do", () => {
  const chores = ["g0", "g1"].flatMap((node) => [
    { kind: "drain-again" as const, node, reason: ours },
    { kind: "drop-reservation" as const, node, name: `tessera-prod-${node}` },
  ]);
  const reserved = async () => {
    const slurm = createFakeSlurm({ clock: createRealClock() });
    for (const node of ["g0", "g1"]) {
      const reservation = { nodes: [node], users: [who.user], flags: [] };
      await slurm.createReservation({ name: `tessera-prod-${node}`, ...reservation });
    }
    const done: string[] = [];
    const onDone = (chore: { readonly kind: string; readonly node?: string }) =>
      void done.push(`${chore.kind} ${chore.node}`);
    return { slurm, done, onDone };
  };

  it("is done though one thing cannot be, which is told at the end", async () => {
    const { slurm, done, onDone } = await reserved();
    const deleteReservation = async (name: string) => {
      if (name === "tessera-prod-g0") throw new Error("in use");
      await slurm.deleteReservation(name);
    };
    const client = { ...slurm, deleteReservation };
    await expect(doChores({ client, who, onDone }, chores)).rejects.toThrow("in use");
    expect(done).toEqual(["drain-again g0", "drain-again g1", "drop-reservation g1"]);
  });

  it("never drops the reservation of a node that could not be drained", async () => {
    const { slurm, done, onDone } = await reserved();
    const updateNode: typeof slurm.updateNode = async (name, change) => {
      if (name === "g0") throw new Error("not now");
      await slurm.updateNode(name, change);
    };
    const client = { ...slurm, updateNode };
    await expect(doChores({ client, who, onDone }, chores)).rejects.toThrow("not now");
    expect(done).toEqual(["drain-again g1", "drop-reservation g1"]);
    expect((await slurm.reservations()).map(({ name }) => name)).toEqual(["tessera-prod-g0"]);
  });

  it("drains no node again that was opened since: its reservation is gone", async () => {
    const { slurm, done, onDone } = await reserved();
    await slurm.deleteReservation("tessera-prod-g0");
    await doChores({ client: slurm, who, onDone }, chores);
    expect((await shown(slurm)).flags).toEqual([]);
    expect((await shown(slurm, "g1")).flags).toContain("DRAIN");
    expect(done).not.toContain("drain-again g0");
  });

  it("is not said to be done where somebody was first", async () => {
    const { slurm, done, onDone } = await reserved();
    await slurm.updateNode("g0", { state: "DRAIN", reason: theirs });
    await slurm.updateNode("g1", { state: "DOWN", reason: theirs });
    await doChores({ client: slurm, who, onDone }, chores);
    expect(done).toEqual(["drop-reservation g0", "drop-reservation g1"]);
    expect((await shown(slurm, "g1")).reason).toBe(theirs);
  });
});
