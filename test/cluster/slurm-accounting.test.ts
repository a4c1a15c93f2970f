import { afterAll, beforeAll, expect, it } from "vitest";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { waitFor } from "./machine/wait.ts";
import { alice, describeSlurm, type Slurm, startSlurm, tessera } from "./slurm/fixture.ts";

const clock = createRealClock();

describeSlurm(
  "a Slurm cluster with accounting",
  () => {
    let slurm: Slurm;
    beforeAll(async () => {
      slurm = await startSlurm({ nodes: 2, accounting: true });
    });
    afterAll(() => slurm?.stop());

    it("remembers a job that failed, with its node and exit code", async () => {
      const job = await slurm.submitUserJob("exit 3", ["-w", "g1"]);
      const args = ["-n", "-P", "-X", "-j", job, "-o", "State,ExitCode,NodeList,User,Account,QOS"];
      const said = await waitFor({ clock, what: "sacct", timeoutMs: 120_000 }, async () => {
        const line = await slurm.run("sacct", args);
        // What a job used is written after how it ended.
        return line.startsWith("FAILED") && !line.includes("Unknown") ? line : undefined;
      });
      expect(said).toBe("FAILED|3:0|g1|alice|research|normal\n");
    });

    it("ends a job of QOS scavenger for one of QOS normal, and none of normal for another", async () => {
      const pinned = ["-w", "g0", "--exclusive"];
      const cheap = [...pinned, "--qos=scavenger", "--no-requeue"];
      const yielding = await slurm.submitUserJob("sleep 600", cheap, tessera);
      await slurm.waitForJob(yielding, /RUNNING/);
      const job = await slurm.submitUserJob("sleep 600", pinned);
      await slurm.waitForJob(job, /RUNNING/);
      expect(await slurm.jobState(yielding)).toBe("PREEMPTED");
      const next = await slurm.submitUserJob("true", pinned);
      expect(await slurm.jobState(next)).toBe("PENDING");
      await slurm.run("scancel", [job, next]);
    });

    it("lets its administrator drain a node, and nobody else", async () => {
      const drain = ["update", "NodeName=g1", "State=DRAIN", "Reason=test"];
      expect((await slurm.runAs(alice, "scontrol", drain)).exitCode).not.toBe(0);
      expect(await slurm.node("g1").state()).toBe("IDLE");
      expect(await slurm.runAs(tessera, "scontrol", drain)).toMatchObject({ exitCode: 0 });
      expect(await slurm.node("g1").state()).toBe("IDLE+DRAIN");
    });
  },
  { accounting: true },
);
