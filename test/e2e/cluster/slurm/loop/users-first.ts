import { describe, expect, it } from "vitest";
import { waitUntil } from "../../../../support/wait-until.ts";
import { createRig } from "../../validation/contract/rig.ts";
import type { SlurmGround } from "../support/ground.ts";

/**
 * Of two times that Slurm tells as whole seconds, the difference may be one more than it was; and where
 * other suites have the processors, whoever is to end takes longer. Without preemption it would be for ever.
 */
const leewayS = 1 + 30;

/** What docs/slurm.md promises: the time to end a job, then one turn of the scheduler. */
function delayBoundS(config: string): number {
  const setting = (name: RegExp) => Number(name.exec(config)?.[1]);
  return setting(/^KillWait\s*=\s*(\d+)/m) + setting(/sched_interval=(\d+)/);
}

/** That tests make way for users. */
export function describeUsersFirst(of: () => SlurmGround): void {
  describe("users' jobs come first", () => {
    it("starts a job for all nodes within the bound while all are under test, and makes the tests later", async () => {
      const { slurm, site } = of();
      const rig = await createRig(site, { name: "yields" });
      await rig.shut(...site.nodes);
      const loop = await rig.start();
      const all = await Promise.all(site.nodes.map((node) => rig.atGate(loop, node)));

      const args = ["--job-name=train", `--nodes=${site.nodes.length}`, "--exclusive"];
      const job = await slurm.submitUserJob("exec sleep 1000", [...args, "--gres=gpu:8"]);
      await slurm.waitForJob(job, /^RUNNING/);
      const shown = await slurm.run("scontrol", ["-o", "show", "job", job]);
      const config = await slurm.run("scontrol", ["show", "config"]);
      const boundS = delayBoundS(config);
      const waitedS = secondsBetween(shown, "SubmitTime", "StartTime");
      expect(waitedS).toBeLessThanOrEqual(boundS + leewayS);

      const ended = (runId: string) => loop.told("ended").find(({ run }) => run.runId === runId);
      await loop.until("it knows of all", () => all.every((runId) => ended(runId) !== undefined));
      for (const runId of all) expect(ended(runId)).toMatchObject({ outcome: "cancelled" });
      // While the user's job is there nothing is begun. Nodes are free one after the other before it
      // starts: what was planned in between waits in Slurm, behind it.
      expect((await rig.ledger()).begun.toSorted()).toEqual(all.toSorted());
      expect(await slurm.jobState(job)).toBe("RUNNING");

      await rig.unshut(...site.nodes);
      await slurm.run("scancel", [job]);
      await loop.until("all nodes have passed after all", () => {
        const passed = loop.told("judged").filter(({ verdict }) => verdict === "pass");
        return new Set(passed.map(({ run }) => run.node)).size === site.nodes.length;
      });
      expect(await loop.stop()).toMatchObject({ code: 0 });
      expect((await rig.ledger()).twice).toEqual([]);
      const runs = await rig.runs();
      const cancelled = runs.filter(({ result }) => result?.outcome === "cancelled");
      expect(cancelled.map(({ intent }) => intent.id).toSorted()).toEqual(all.toSorted());
      // That a user came says nothing about a node.
      expect(cancelled.map(({ verdict }) => verdict?.verdict)).toEqual(all.map(() => "unknown"));
    });

    it("leaves tests on other nodes alone when a job wants one node", async () => {
      const { slurm, site } = of();
      const [wanted = "", ...others] = site.nodes;
      const rig = await createRig(site, { name: "one-node" });
      await rig.shut(...site.nodes);
      const loop = await rig.start();
      const runs = new Map<string, string>();
      for (const node of site.nodes) runs.set(node, await rig.atGate(loop, node));
      const user = await site.userJob("train", wanted);
      await loop.until("one is cancelled", () => loop.told("ended").length > 0);
      expect(loop.told("ended").map(({ run, outcome }) => [run.node, outcome])).toEqual([
        [wanted, "cancelled"],
      ]);
      await rig.unshut(...site.nodes);
      await loop.until("the others are judged", () => {
        const judged = new Set(loop.told("judged").map(({ run }) => run.runId));
        return others.every((node) => judged.has(runs.get(node) ?? ""));
      });
      await user.end();
      expect(await loop.stop()).toMatchObject({ code: 0 });
      for (const node of others) {
        const { result } = (await rig.run(runs.get(node) ?? "")) ?? {};
        expect(result).toMatchObject({ outcome: "completed", origin: "pod" });
      }
      // A job whose result is on record takes a moment to end.
      await waitUntil("no job is left", async () => (await slurm.run("squeue", ["-h"])) === "");
    });
  });
}

function secondsBetween(job: string, from: string, to: string): number {
  const at = (key: string) => Date.parse(new RegExp(`\\b${key}=(\\S+)`).exec(job)?.[1] ?? "");
  return (at(to) - at(from)) / 1000;
}
