import { describe, expect, it } from "vitest";
import type { SlurmClient } from "../../../../src/platform/slurm/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { takeSnapshot } from "../../../../src/validation/clusters/slurm/snapshot.ts";
import { createFakeSlurm, type FakeSlurm } from "../../../platform/slurm/fake-slurm.ts";
import { see, who } from "./support/slurm-parts.ts";

const reason = "tessera/prod: probe: 12.1 is below 14.9";
const reservation = { name: "tessera-prod-g0", nodes: ["g0"], users: [who.user], flags: [] };

type Step = (slurm: FakeSlurm) => Promise<void>;
const drain: Step = (slurm) => slurm.updateNode("g0", { state: "DRAIN", reason });
const lift: Step = (slurm) => slurm.updateNode("g0", { state: "UNDRAIN" });
const reserve: Step = (slurm) => slurm.createReservation(reservation);
const drop: Step = (slurm) => slurm.deleteReservation(reservation.name);

/** What a look sees of the first node when these are done just before its so manieth question. */
async function seenWhile(steps: readonly Step[], given: { first: Step; at: number }) {
  const slurm = createFakeSlurm({ clock: createRealClock() });
  await given.first(slurm);
  const questions: (keyof SlurmClient)[] = [];
  let isDone = false;
  slurm.test.onCall(async (call) => {
    questions.push(call);
    if (isDone || questions.length <= given.at) return;
    isDone = true;
    for (const step of steps) await step(slurm);
  });
  const { atMs: _, ...taken } = await takeSnapshot(slurm, { atMs: 0, user: who.user });
  return { node: see(taken).nodes[0], isDone };
}

const moments = [0, 1, 2, 3, 4];

describe("a look at a closed node", () => {
  it.each(moments)("never finds it open when its test ends before question %i", async (at) => {
    const { node, isDone } = await seenWhile([drain, drop], { first: reserve, at });
    expect(isDone).toBe(true);
    expect(node).toMatchObject({ cordoned: true, awaitsAcceptance: true });
  });

  it.each(moments)("nor when its test begins before question %i", async (at) => {
    const { node, isDone } = await seenWhile([reserve, lift], { first: drain, at });
    expect(isDone).toBe(true);
    expect(node).toMatchObject({ cordoned: true, awaitsAcceptance: true });
  });

  it("finds it open when it was opened before the first question", async () => {
    const { node } = await seenWhile([drop, lift], { first: drain, at: 0 });
    expect(node).toMatchObject({ cordoned: false, awaitsAcceptance: false });
  });
});
