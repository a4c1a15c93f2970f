import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLogger } from "../../../../../src/platform/log/index.ts";
import { openExistingStore } from "../../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { type NodeEvent, openHistory } from "../../../../../src/validation/history/index.ts";
import { createRig } from "../../validation/contract/rig.ts";
import type { SlurmGround } from "../support/ground.ts";

const clock = createRealClock();

/** What Slurm's own records tell of its nodes. */
export function describeEvidence(of: () => SlurmGround): void {
  describe("what Slurm remembers of users' jobs", () => {
    it("has the node tested first where they crashed, not one where they were cancelled or all went well", async () => {
      const { slurm, site } = of();
      const [calm = "", good = ""] = site.nodes;
      const risky = site.nodes.at(-1) ?? "";
      const on = (node: string) => ["--job-name=train", `--nodelist=${node}`];
      for (const code of [1, 2, 3]) {
        const crashed = await slurm.submitUserJob(`exit ${code}`, on(risky));
        await slurm.waitForJob(crashed, /^FAILED/);
        const fine = await slurm.submitUserJob("exit 0", on(good));
        const cancelled = await slurm.submitUserJob("exec sleep 1000", on(calm));
        await slurm.waitForJob(cancelled, /^RUNNING/);
        await slurm.run("scancel", [cancelled]);
        await slurm.waitForJob(cancelled, /^CANCELLED/);
        await slurm.waitForJob(fine, /^COMPLETED/);
      }
      const daysAgo = Object.fromEntries(site.nodes.map((node) => [node, 10]));
      const limits = { inFlight: 1, cooldown: "0s" };
      const rig = await createRig(site, {
        name: "evidence",
        daysAgo,
        validation: { limits, policy: "risk" },
      });
      // Nothing can be tested until it is known what happened; then all nodes at once.
      const setPartition = (state: string) =>
        slurm.run("scontrol", ["update", "PartitionName=tessera", `State=${state}`]);
      onTestFinished(async () => void (await setPartition("UP")));
      await setPartition("DOWN");
      const loop = await rig.start();
      await loop.until("it knows of the crashes", async () => {
        return (await crashesOf(rig.dataDir, rig.name)).length >= 3;
      });
      expect(loop.told("planned")).toEqual([]);
      await setPartition("UP");
      await loop.until("it has tested one", () => loop.told("judged").length > 0);
      expect(loop.told("planned")[0]?.run.node).toBe(risky);
      expect(loop.told("judged")[0]?.run.node).toBe(risky);
      expect(await loop.stop()).toMatchObject({ code: 0 });
      const crashes = await crashesOf(rig.dataDir, rig.name);
      expect(crashes.map(({ node }) => node)).toEqual([risky, risky, risky]);
    });
  });
}

/** What the loop wrote down of users' jobs that crashed. */
async function crashesOf(dataDir: string, cluster: string): Promise<readonly NodeEvent[]> {
  const log = createLogger({ level: "error", format: "json", clock, stream: process.stderr });
  const url = `sqlite:${join(dataDir, "tessera.db")}`;
  const store = await openExistingStore({ url, clock, log });
  try {
    return await openHistory(store).nodeEvents({ cluster, kinds: ["crash"] });
  } finally {
    await store.close();
  }
}
