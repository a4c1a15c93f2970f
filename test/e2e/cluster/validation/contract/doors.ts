import { describe, expect, it, onTestFinished } from "vitest";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { wrongAnswer } from "./probe.ts";
import { createRig } from "./rig.ts";
import type { Site } from "./site.ts";

const act = { mode: "on", cordonedShareMax: 0.5 };

/** What the loop does about nodes. */
export function describeDoors(of: () => Site): void {
  describe("a node's door", () => {
    it("is closed with the reason when it fails, and opened only when it has passed while closed", async () => {
      const site = of();
      const [bad = "", good = ""] = site.nodes;
      const limits = { cooldown: "0s", retestAfter: "0s" };
      const rig = await createRig(site, { name: "doors", validation: { act, limits } });
      await rig.spoil(bad);
      const loop = await rig.start();
      await loop.until(`${bad} is closed, and why`, async () => {
        const { closed, reason } = await site.node(bad);
        return closed && reason.includes(wrongAnswer);
      });
      expect((await site.node(good)).closed).toBe(false);
      const acceptances = () =>
        loop.told("judged").filter(({ run }) => run.node === bad && run.purpose === "acceptance");
      await loop.until("it failed while closed", () => acceptances().length > 0);
      expect(acceptances()[0]).toMatchObject({ verdict: "fail" });
      expect((await site.node(bad)).closed).toBe(true);

      await rig.mend(bad);
      await loop.until(`${bad} is open`, async () => !(await site.node(bad)).closed);
      const openedBeforeMs = createRealClock().nowMs();
      expect(await loop.stop()).toMatchObject({ code: 0 });
      const accepted = acceptances().at(-1);
      expect(accepted).toMatchObject({ verdict: "pass" });
      expect(accepted?.atMs).toBeLessThanOrEqual(openedBeforeMs);
      expect((await site.node(bad)).closed).toBe(false);
      expect((await rig.ledger()).twice).toEqual([]);
    });

    it("is left as it is when somebody else closed it, and the node is not tested until they open it", async () => {
      const site = of();
      const [closed = "", ...others] = site.nodes;
      const rig = await createRig(site, { name: "theirs", validation: { act } });
      await site.close(closed, "bad DIMM");
      onTestFinished(() => site.open(closed));
      const before = await site.node(closed);
      await rig.untilFree(...others);
      expect(await rig.once()).toBe(0);
      expect((await rig.runs()).map(({ intent }) => intent.node).toSorted()).toEqual(
        others.toSorted(),
      );
      expect([...(await rig.postponed()).keys()]).toEqual([closed]);
      expect(await site.node(closed)).toEqual(before);
      await site.open(closed);
      await rig.untilFree(closed);
      expect(await rig.once()).toBe(0);
      expect((await rig.runs()).map(({ intent }) => intent.node).at(-1)).toBe(closed);
    });
  });
}
