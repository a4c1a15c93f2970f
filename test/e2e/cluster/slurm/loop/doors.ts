import { describe, expect, it, onTestFinished } from "vitest";
import { wrongAnswer } from "../../validation/contract/probe.ts";
import { createRig } from "../../validation/contract/rig.ts";
import type { SlurmGround } from "../support/ground.ts";

const act = { mode: "on", cordonedShareMax: 0.5 };
const limits = { cooldown: "0s", retestAfter: "0s" };

/** What is Slurm's own about closing nodes. */
export function describeDoorsOfSlurm(of: () => SlurmGround): void {
  describe("nodes of Slurm that the loop closes", () => {
    it("keeps users away through every test of it, a kill -9 included, and lets them in after the pass", async () => {
      const { slurm, site } = of();
      const [bad = ""] = site.nodes;
      const rig = await createRig(site, { name: "drains", validation: { act, limits } });
      await rig.spoil(bad);
      const loop = await rig.start();
      await loop.until("it is drained, and why", async () => {
        const { closed, reason } = await site.node(bad);
        return closed && reason.startsWith("tessera/drains: ") && reason.includes(wrongAnswer);
      });
      const args = ["--job-name=train", `--nodelist=${bad}`, "--exclusive", "--gres=gpu:8"];
      const job = await slurm.submitUserJob("exec sleep 1000", args);
      onTestFinished(async () => {
        await slurm.run("scancel", [job]);
        await slurm.waitForJob(job, /^CANCELLED/);
      });
      await rig.shut(bad);
      await rig.atGate(loop, bad);
      await rig.kill(loop);
      expect((await site.node(bad)).closed).toBe(true);
      expect(await slurm.jobState(job)).toBe("PENDING");
      await rig.unshut(bad);

      const next = await rig.start();
      const acceptances = () =>
        next.told("judged").filter(({ run }) => run.node === bad && run.purpose === "acceptance");
      await next.until("it failed while closed", () => acceptances().length > 0);
      expect(acceptances().map(({ verdict }) => verdict)).toContain("fail");
      expect(await slurm.jobState(job)).toBe("PENDING");
      expect((await site.node(bad)).closed).toBe(true);
      await rig.mend(bad);
      await slurm.waitForJob(job, /^RUNNING/, 120_000);
      expect(acceptances().at(-1)).toMatchObject({ verdict: "pass" });
      expect(await site.node(bad)).toEqual({ closed: false, reason: "" });
      expect(await next.stop()).toMatchObject({ code: 0 });
      expect((await rig.ledger()).twice).toEqual([]);
      expect(await slurm.run("scontrol", ["show", "reservations"])).toContain("No reservations");
    });

    it("leaves a node to somebody else who drained it, and opens one that asks to be accepted when it has passed", async () => {
      const { site } = of();
      const [theirs = "", fresh = ""] = site.nodes;
      await site.close(theirs, "bad DIMM");
      await site.close(fresh, "tessera:accept new board");
      onTestFinished(async () => {
        for (const node of [theirs, fresh]) await site.open(node);
      });
      const rig = await createRig(site, { name: "asked", validation: { act, limits } });
      const loop = await rig.start();
      await loop.until("it is accepted", async () => !(await site.node(fresh)).closed);
      expect(loop.told("judged").find(({ run }) => run.node === fresh)).toMatchObject({
        verdict: "pass",
      });
      expect(await loop.stop()).toMatchObject({ code: 0 });
      expect(await site.node(theirs)).toEqual({ closed: true, reason: "bad DIMM" });
      expect(loop.told("planned").map(({ run }) => run.node)).not.toContain(theirs);
    });
  });
}
