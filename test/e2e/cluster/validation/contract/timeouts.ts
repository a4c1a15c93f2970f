import { describe, expect, it, onTestFinished } from "vitest";
import { waitUntil } from "../../../../support/wait-until.ts";
import { processOf } from "../support/processes.ts";
import { createRig } from "./rig.ts";
import type { Site } from "./site.ts";

/** What becomes of jobs that take too long. */
export function describeTimeouts(of: () => Site): void {
  describe("patience", () => {
    it("ends a job that does not begin in time, with the cluster's own words, and makes it later", async () => {
      const site = of();
      const rig = await createRig(site, { name: "waits", validation: { pendingTimeout: "20s" } });
      const release = await site.holdJobs();
      let isHeld = true;
      const letGo = async () => {
        if (isHeld) await release();
        isHeld = false;
      };
      onTestFinished(letGo);
      const loop = await rig.start();
      const all = site.nodes.length;
      await loop.until("it has given up on all", () => loop.told("ended").length >= all);
      for (const { outcome, error } of loop.told("ended").slice(0, all)) {
        expect({ outcome, error }).toEqual({
          outcome: "timeout",
          error: expect.stringMatching(/^its job did not begin to run within 20 s: ./),
        });
      }
      expect((await rig.ledger()).begun).toEqual([]);
      const givenUp = loop.told("ended").slice(0, all);
      await letGo();
      await loop.until("all have passed", () => {
        const passed = loop.told("judged").filter(({ verdict }) => verdict === "pass");
        return new Set(passed.map(({ run }) => run.node)).size === all;
      });
      expect(await loop.stop()).toMatchObject({ code: 0 });
      const begun = new Set((await rig.ledger()).begun);
      for (const { run } of givenUp) expect(begun.has(run.runId)).toBe(false);
    });

    it("ends a run that takes too long: the job says so itself, and one that hangs is ended", async () => {
      const site = of();
      const [hangs = "", ...others] = site.nodes;
      const validation = { runTimeout: "5s", resultGrace: "30s" };
      const rig = await createRig(site, { name: "slow", validation });
      await rig.shut(...site.nodes);
      const loop = await rig.start();
      const hung = processOf(await rig.atGate(loop, hangs));
      process.kill(hung.pid, "SIGSTOP");
      const endedOn = (node: string) => loop.told("ended").find(({ run }) => run.node === node);
      await loop.until("all have ended", () => site.nodes.every((node) => endedOn(node)));
      for (const node of others) {
        const { run, outcome } = endedOn(node) ?? {};
        expect(outcome).toBe("timeout");
        expect((await rig.run(run?.runId ?? ""))?.result?.origin).toBe("pod");
      }
      const cancelling = loop.told("cancelling").find(({ run }) => run.node === hangs);
      expect(cancelling?.reason).toContain("its job ran for longer than 5 s");
      // Where the signal that ends it wakes it up, it has a last word.
      expect(["timeout", "cancelled"]).toContain(endedOn(hangs)?.outcome);
      await loop.kill();
      // Where the cluster has not come to it yet.
      await waitUntil("what hung is gone", () => hasEnded(hung.pid));
    });
  });
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return false;
  } catch {
    return true;
  }
}
