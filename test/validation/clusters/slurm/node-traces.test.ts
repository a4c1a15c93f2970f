import { describe, expect, it } from "vitest";
import { waitUntil } from "../../../support/wait-until.ts";
import { closeFirst, controlsOf, shown } from "./support/doors.ts";
import { nodeOf, scene } from "./support/slurm-cluster.ts";
import { request } from "./support/slurm-parts.ts";

const acceptance = request({ purpose: "acceptance" });
const wish = "tessera:accept new board";

describe("clearing a node of Slurm", () => {
  it("lifts our drain and empties our comment", async () => {
    const { slurm, look } = await scene({ nodeComments: true });
    const cluster = await look();
    const controls = controlsOf(cluster);
    await closeFirst(cluster);
    await controls.mark("g0", { labels: { "tessera.dev/health": "fail" } });
    const expected = { node: "g0", isClosedByUs: true, annotations: ["comment"] };
    expect(await controls.traces()).toMatchObject([expected]);
    expect(await controls.clear("g0")).toMatchObject(expected);
    expect(await shown(slurm)).toMatchObject({ flags: [], comment: "" });
    expect(await controls.traces()).toEqual([]);
    expect(await controls.clear("g0")).toBeUndefined();
  });

  it("leaves the drain and the comment of somebody else", async () => {
    const { slurm, look } = await scene();
    const controls = controlsOf(await look());
    await slurm.updateNode("g0", { state: "DRAIN", reason: "alice: board pulled" });
    await slurm.updateNode("g0", { comment: "alice's" });
    expect(await controls.traces()).toEqual([]);
    expect(await controls.clear("g0")).toBeUndefined();
    expect(await shown(slurm)).toMatchObject({ flags: ["DRAIN"], comment: "alice's" });
  });

  it("drops the reservation of a node that is tested behind closed doors, and opens it", async () => {
    const { slurm, look } = await scene();
    const cluster = await look();
    await closeFirst(cluster);
    await cluster.submit(acceptance);
    expect(await slurm.reservations()).toHaveLength(1);
    expect(await controlsOf(cluster).clear("g0")).toMatchObject({ isClosedByUs: true });
    expect(await slurm.reservations()).toEqual([]);
    expect(await shown(slurm)).toMatchObject({ flags: [] });
  });

  it("leaves a node drained that an administrator wants accepted, also from the middle of its test", async () => {
    const { slurm, look } = await scene();
    const cluster = await look();
    const controls = controlsOf(cluster);
    await slurm.updateNode("g0", { state: "DRAIN", reason: wish });
    expect(await controls.clear("g0")).toBeUndefined();
    await waitUntil("it is seen", () => nodeOf(cluster, "g0")?.awaitsAcceptance === true);
    await cluster.submit(acceptance);
    expect((await shown(slurm)).flags).not.toContain("DRAIN");
    expect(await controls.clear("g0")).toMatchObject({ isClosedByUs: false });
    expect(await slurm.reservations()).toEqual([]);
    expect(await shown(slurm)).toMatchObject({ flags: ["DRAIN"], reason: wish });
  });
});
