import { describe, expect, it, onTestFinished } from "vitest";
import { seedCrashes } from "../support/past.ts";
import { createRig } from "./rig.ts";
import type { Site } from "./site.ts";

/** What is tested, and in which order. */
export function describeOrder(of: () => Site): void {
  describe("which nodes are tested", () => {
    it("tests the free nodes, and says of one that a user holds who does", async () => {
      const site = of();
      const [held = "", ...free] = site.nodes;
      const rig = await createRig(site, { name: "free" });
      const user = await site.userJob("train", held);
      onTestFinished(() => user.end());
      await rig.untilFree(...free);
      expect(await rig.once()).toBe(0);
      // What a job says last is written when its result is on record already.
      await rig.settled();
      const tested = await rig.runs();
      expect(tested.map(({ intent }) => intent.node).toSorted()).toEqual(free.toSorted());
      for (const run of tested) {
        expect(run.result).toMatchObject({ outcome: "completed", origin: "pod" });
        expect(run.verdict?.verdict).toBe("pass");
        await rig.expectHandedIn(run);
      }
      const postponed = await rig.postponed();
      expect([...postponed.keys()]).toEqual([held]);
      expect(postponed.get(held)).toContain(user.name);
      expect(postponed.get(held)).toContain("8 of 8 GPUs");
      const where = new Map((await site.jobs(rig.name)).map(({ runId, node }) => [runId, node]));
      for (const { intent } of tested) expect(where.get(intent.id)).toBe(intent.node);

      await user.end();
      await rig.untilFree(held);
      expect(await rig.once()).toBe(0);
      expect((await rig.runs()).map(({ intent }) => intent.node)).toHaveLength(site.nodes.length);
      expect((await rig.ledger()).twice).toEqual([]);
    });

    it("tests the stalest first, and never more at once than the limit", async () => {
      const site = of();
      const order = site.nodes.toReversed();
      const daysAgo = Object.fromEntries(order.map((node, index) => [node, 20 - index]));
      const limits = { inFlight: 1, cooldown: "0s" };
      const rig = await createRig(site, { name: "stale", daysAgo, validation: { limits } });
      await rig.untilFree(...order);
      expect(await rig.once()).toBe(0);
      const tested = await rig.runs();
      expect(tested.map(({ intent }) => intent.node)).toEqual(order);
      expect((await rig.ledger()).atOnceMax).toEqual({ anywhere: 1, perNode: 1 });
    });

    it("tests the node first where users' jobs crashed, and not those as old where none did", async () => {
      const site = of();
      const risky = site.nodes.at(-1) ?? "";
      const daysAgo = Object.fromEntries(site.nodes.map((node) => [node, 10]));
      const limits = { inFlight: 1, cooldown: "0s" };
      const validation = { limits, policy: "risk" };
      const rig = await createRig(site, { name: "risk", daysAgo, validation });
      const crashes = [1, 2, 3].map((days) => ({ node: risky, daysAgo: days }));
      await seedCrashes(rig.dataDir, rig.name, crashes);
      await rig.untilFree(...site.nodes);
      const loop = await rig.start();
      await loop.until("it has tested one", () => loop.told("judged").length > 0);
      expect(loop.told("planned")[0]?.run.node).toBe(risky);
      expect(loop.told("judged")[0]?.run.node).toBe(risky);
      expect(await loop.stop()).toMatchObject({ code: 0 });
    });
  });
}
