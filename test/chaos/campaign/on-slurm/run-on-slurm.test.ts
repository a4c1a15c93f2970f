import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CampaignPart } from "../../../../src/chaos/campaign/index.ts";
import {
  arraysOf,
  leaveResult,
  local,
  nodesWork,
  runningTasks,
  slurmCampaign,
} from "./lib/slurm-campaign.ts";

describe("a campaign as a job array", () => {
  it("is what the same campaign is in one place, and leaves neither job nor file", async () => {
    const { slurm, start, folder } = await slurmCampaign();
    nodesWork(slurm);
    expect(await start()).toEqual(await local());
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3"]);
    expect(runningTasks(slurm)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it("hands in one constant script; what varies is in the environment, and nothing of ours leaks", async () => {
    const { slurm, start } = await slurmCampaign({
      ...{ seed: "$(reboot)", account: "infra", qos: "scavenger", atOnce: 2 },
    });
    nodesWork(slurm, async (job) => {
      await leaveResult(slurm, job, "$(reboot)");
      slurm.test.finish(job.id);
      return true;
    });
    await start();
    const submission = slurm.test.submissions.get(1);
    expect(submission?.script).toBe('#!/bin/sh\nexec "$TESSERA_PROGRAM" agent chaos-part\n');
    expect(submission?.args).toEqual(
      expect.arrayContaining(["--array=0-3%2", "--account=infra", "--qos=scavenger"]),
    );
    expect(submission?.args.join(" ")).not.toContain("reboot");
    expect(submission?.env).toMatchObject({ TESSERA_CAMPAIGN_SEED: "$(reboot)" });
    expect(Object.keys(submission?.env ?? {})).not.toContain("USER");
  });

  it.each([
    ["its node is lost", "NODE_FAIL", undefined],
    ["a user's job preempts it", "PREEMPTED", 15],
    ["somebody cancels it", "CANCELLED", 15],
    ["somebody kills it", "FAILED", 9],
  ])("runs only the task again that was lost because %s", async (_, state, signal) => {
    const { slurm, start } = await slurmCampaign();
    nodesWork(slurm, (job, look) => {
      if (job.arrayTaskId !== 2 || look > 2) return false;
      slurm.test.end(job.id, state, signal);
      return true;
    });
    expect(await start()).toEqual(await local());
    expect(arraysOf(slurm.test.submissions).slice(0, 2)).toEqual(["--array=0-3", "--array=2"]);
  });

  it("runs a task again that ended well with a torn file, and believes none of it", async () => {
    const { slurm, start, folder } = await slurmCampaign();
    nodesWork(slurm, async (job) => {
      if (job.arrayTaskId !== 1 || slurm.test.submissions.size > 1) return false;
      await leaveResult(slurm, job);
      await writeFile(join(folder, "parts", "10-20.part"), '{"tesseraPart":{"digest":"0"');
      slurm.test.finish(job.id);
      return true;
    });
    expect(await start()).toEqual(await local());
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3", "--array=1"]);
  });

  it("waits for a file that a slow file system shows late, and runs nothing twice", async () => {
    const { slurm, start } = await slurmCampaign();
    let look = 0;
    slurm.test.onCall(async (call) => {
      if (call !== "jobs") return;
      look++;
      if (look === 2) for (const job of runningTasks(slurm)) slurm.test.finish(job.id);
      if (look !== 6) return;
      for (const id of [1, 2, 3, 4]) await leaveResult(slurm, slurm.test.job(id));
    });
    expect(await start()).toEqual(await local());
    expect(slurm.test.submissions.size).toBe(1);
  });

  it("gives up on a task that is lost every time, and says which", async () => {
    const { slurm, start } = await slurmCampaign();
    nodesWork(slurm, (job) => {
      if (job.arrayTaskId !== 3) return false;
      slurm.test.end(job.id, "NODE_FAIL");
      return true;
    });
    await expect(start()).rejects.toThrow(
      /task \d+_3 \(runs 30:40\) on g\d: it was lost 4 times, at last because it ended as NODE_FAIL/,
    );
    expect(slurm.test.submissions.size).toBe(4);
  });
});

describe("a task that fails by itself", () => {
  it("ends the campaign with its node, its words and its log; what others finished is kept", async () => {
    const kept: CampaignPart[] = [];
    const { slurm, start, folder } = await slurmCampaign({
      onPart: async (part) => void kept.push(part),
    });
    nodesWork(slurm, async (job) => {
      if (job.arrayTaskId === 3) return true;
      if (job.arrayTaskId !== 2) return false;
      await writeFile(join(folder, "logs", "1_2.log"), "E_CAMPAIGN: something is wrong\n");
      slurm.test.finish(job.id, 2);
      return true;
    });
    await expect(start()).rejects.toThrow(
      /task 1_2 \(runs 20:30\) on g2: it ended as FAILED, exit code 2; it said: E_CAMPAIGN: something is wrong; its log is .*1_2\.log/,
    );
    expect(kept.flatMap(({ runs }) => runs).length).toBe(20);
    expect(runningTasks(slurm)).toEqual([]);
    expect(slurm.test.submissions.size).toBe(1);
  });

  it("is told apart from a node that does not see the folder", async () => {
    const { slurm, start, folder } = await slurmCampaign();
    nodesWork(slurm, (job) => {
      slurm.test.end(job.id, "FAILED", 53);
      return true;
    });
    const failure = await start().catch(String);
    expect(failure).toContain(`it left neither log nor note in ${folder}`);
    expect(failure).toContain("--results");
  });

  it("ends well on a node with a folder of its own: the missing result is no pass", async () => {
    const { slurm, start } = await slurmCampaign();
    nodesWork(slurm, (job) => {
      slurm.test.finish(job.id);
      return true;
    });
    await expect(start()).rejects.toThrow("left neither log nor note");
    expect(slurm.test.submissions.size).toBe(1);
  });

  it("refuses a folder without the campaign's mark", async () => {
    const { slurm, start, folder } = await slurmCampaign();
    let said = "";
    nodesWork(slurm, async (job) => {
      await rm(join(folder, "mark"), { force: true });
      said = await leaveResult(slurm, job).then(
        () => "nothing",
        (error: Error) => error.message,
      );
      slurm.test.finish(job.id, 2);
      return true;
    });
    await expect(start()).rejects.toThrow("exit code 2");
    expect(said).toContain("this node does not see");
  });
});
