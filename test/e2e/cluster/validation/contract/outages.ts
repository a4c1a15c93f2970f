import { describe, expect, it, onTestFinished } from "vitest";
import { createRng } from "../../../../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../../../../src/platform/time/index.ts";
import { expectAllDone } from "./expect-all-done.ts";
import { createRig } from "./rig.ts";
import type { Site } from "./site.ts";

const clock = createRealClock();
/** Enough to see each phase of a run; the suites of single clusters make it hundreds. */
const kills = 4;

/** What happens when the loop, or what it talks to, is not there for a while. */
export function describeOutages(of: () => Site): void {
  describe("an outage", () => {
    it("of the loop: its next life adopts the jobs, and none is made again", async () => {
      const site = of();
      const rig = await createRig(site, { name: "adopts" });
      await rig.shut(...site.nodes);
      const first = await rig.start();
      const begun = await Promise.all(site.nodes.map((node) => rig.atGate(first, node)));
      await rig.kill(first);
      const second = await rig.start();
      await second.until("it leads", () => second.told("leading").length > 0);
      await rig.unshut(...site.nodes);
      await second.until("all are judged", () => second.told("judged").length >= begun.length);
      expect(await second.stop()).toMatchObject({ code: 0 });
      expect(second.told("planned")).toEqual([]);
      expect(
        second
          .told("judged")
          .map(({ run }) => run.runId)
          .toSorted(),
      ).toEqual(begun.toSorted());
      expect((await rig.ledger()).begun.toSorted()).toEqual(begun.toSorted());
      await expectAllDone(rig);
    });

    it(`of the loop at ${kills} random moments: nothing is lost and nothing done twice`, async () => {
      const site = of();
      const inFlight = site.nodes.length - 1;
      const limits = { inFlight, cooldown: "0s", retestAfter: "0s", perRack: inFlight };
      const validation = { limits, policy: "random", resultGrace: "10s" };
      const rig = await createRig(site, { name: "killed", validation });
      const moments = createRng("kill the loop on a site").stream("moments");
      for (let life = 0; life < kills; life++) {
        const loop = await rig.start();
        await loop.until("it leads", () => loop.told("leading").length > 0);
        await sleep(clock, moments.int(2_500));
        await rig.kill(loop);
      }
      const last = await rig.start();
      await last.until("it has gone on", () => last.told("judged").length > inFlight);
      expect(await last.stop()).toMatchObject({ code: 0 });
      await expectAllDone(rig);
      const { anywhere, perNode } = (await rig.ledger()).atOnceMax;
      expect(anywhere).toBeLessThanOrEqual(inFlight);
      expect(perNode).toBe(1);
    });

    it("of the cluster's controller: what runs goes on and is counted once, and then all goes on", async () => {
      const site = of();
      const rig = await createRig(site, { name: "away" });
      await rig.shut(...site.nodes);
      const loop = await rig.start();
      const begun = await Promise.all(site.nodes.map((node) => rig.atGate(loop, node)));
      await site.controller.kill();
      let isAway = true;
      const comeBack = async () => {
        if (isAway) await site.controller.start();
        isAway = false;
      };
      onTestFinished(comeBack);
      await rig.unshut(...site.nodes);
      const ofCluster = ({ step }: { readonly step: string }) => step === "cluster";
      await loop.until("it says that it cannot see", () => loop.told("trouble").some(ofCluster));
      expect((await rig.ledger()).begun.toSorted()).toEqual(begun.toSorted());
      expect(loop.told("trouble").filter(ofCluster)).toHaveLength(1);
      await comeBack();
      await loop.until("it sees again", () => loop.told("recovered").some(ofCluster));
      await loop.until("all are judged", () => loop.told("judged").length >= begun.length);
      expect(await loop.stop()).toMatchObject({ code: 0 });
      // One that has just come back may refuse a watch after all: each trouble ends, and only once.
      expect(loop.told("recovered").filter(ofCluster)).toHaveLength(
        loop.told("trouble").filter(ofCluster).length,
      );
      expect((await rig.ledger()).begun.toSorted()).toEqual(begun.toSorted());
      await expectAllDone(rig);
    });
  });
}
