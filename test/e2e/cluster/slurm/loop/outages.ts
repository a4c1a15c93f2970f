import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { waitUntil } from "../../../../support/wait-until.ts";
import { expectAllDone } from "../../validation/contract/expect-all-done.ts";
import { createRig } from "../../validation/contract/rig.ts";
import { processOf } from "../../validation/support/processes.ts";
import type { SlurmGround } from "../support/ground.ts";

/** What is Slurm's own about outages, and about jobs that were handed in twice. */
export function describeOutagesOfSlurm(of: () => SlurmGround): void {
  describe("what Slurm may do under the loop", () => {
    it.each([
      ["restarted", async ({ controller }: SlurmGround["slurm"]) => controller.restart()],
      [
        "killed with -9 and started",
        async (slurm: SlurmGround["slurm"]) => {
          await untilSaved(slurm);
          await slurm.controller.kill();
          await slurm.controller.start();
        },
      ],
    ])(
      "loses nothing and does nothing twice when slurmctld is %s again and again",
      async (how, strike) => {
        const { slurm, site } = of();
        const limits = { cooldown: "0s", retestAfter: "0s", perRack: site.nodes.length };
        const validation = { limits, policy: "random", resultGrace: "10s" };
        const name = how.startsWith("k") ? "ctld-killed" : "ctld-restarted";
        const rig = await createRig(site, { name, validation });
        const loop = await rig.start();
        for (let time = 1; time <= 3; time++) {
          await rig.shut(...site.nodes);
          const struck = await Promise.all(site.nodes.map((node) => rig.atGate(loop, node)));
          await strike(slurm);
          await rig.unshut(...site.nodes);
          await loop.until("they go on", async () => {
            const { waiting } = await rig.ledger();
            return struck.every((runId) => !waiting.has(runId));
          });
        }
        const before = loop.told("ended").length;
        await loop.until(
          "all goes on",
          () => loop.told("ended").length > before + site.nodes.length,
        );
        expect(await loop.stop()).toMatchObject({ code: 0 });
        await expectAllDone(rig);
        expect((await rig.ledger()).atOnceMax.perNode).toBe(1);
      },
    );

    it("runs one of two copies of a job: the loop ends the other, and without it the other ends itself", async () => {
      const { slurm, site } = of();
      const [first = "", second = ""] = site.nodes;
      // A job that can post waits a while for the loop to come back.
      const rig = await createRig(site, { name: "copies", posts: false });
      await rig.shut(...site.nodes);
      const loop = await rig.start();
      const runs = await Promise.all(site.nodes.map((node) => rig.atGate(loop, node)));
      const refs = new Map(loop.told("planned").map(({ run }) => [run.node, run]));
      /** What a loop leaves that is killed after sbatch and asked again before Slurm showed the job. */
      const copy = async (node: string): Promise<string> => {
        const { jobName = "", runId = "" } = refs.get(node) ?? {};
        const { env } = processOf(runId);
        const ours = Object.entries(env).filter(([key]) => /^(TESSERA_|PATH$|HOME$)/.test(key));
        const shown = await slurm.run("squeue", [
          "--noheader",
          `--name=${jobName}`,
          "--Format=Comment:200",
        ]);
        const [comment = ""] = shown.split("\n").map((line) => line.trim());
        const args = [
          ...["--parsable", `--job-name=${jobName}`, "--partition=tessera", `--nodelist=${node}`],
          ...["--exclusive", "--gres=gpu:8", "--dependency=singleton", "--chdir=/", "--export=ALL"],
          ...[`--comment=${comment}`, "--output=/dev/null"],
        ];
        const script = '#!/bin/sh\nexec "$TESSERA_PROGRAM" check run\n';
        const said = await slurm.run("sbatch", args, {
          env: Object.fromEntries(ours),
          input: script,
        });
        return said.trim();
      };
      const ended = await copy(first);
      await loop.until("the loop has ended it", async () => {
        return (await slurm.jobState(ended)).startsWith("CANCELLED");
      });
      await rig.kill(loop);
      const waits = await copy(second);
      expect(await slurm.jobState(waits)).toBe("PENDING");
      await rig.unshut(...site.nodes);
      await slurm.waitForJob(waits, /^COMPLETED/);
      const next = await rig.start();
      await next.until("all are judged", () => next.told("judged").length >= runs.length);
      expect(await next.stop()).toMatchObject({ code: 0 });
      await expectAllDone(rig);
    });
  });
}

let saves = 0;

/**
 * Waits until slurmctld has written down what it knows, which it does every few seconds. One that is
 * killed before has never heard of its newest jobs when it comes back, and gives their numbers again.
 */
async function untilSaved(slurm: SlurmGround["slurm"]): Promise<void> {
  const file = join(dirname(slurm.conf), "state", "job_state");
  // What knows this job knows all that were there before it.
  const name = `saved-${++saves}-`;
  const held = await slurm.submitUserJob("exit 0", ["--hold", `--job-name=${name}`]);
  await waitUntil("slurmctld has saved its state", async () => {
    return (await readFile(file, "latin1").catch(() => "")).includes(name);
  });
  await slurm.run("scancel", [held]);
}
