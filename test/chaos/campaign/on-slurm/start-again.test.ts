import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { CampaignPart } from "../../../../src/chaos/campaign/index.ts";
import { unreachable } from "../../../platform/slurm/fake-slurm.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import {
  arraysOf,
  campaign,
  local,
  nodesWork,
  runningTasks,
  slurmCampaign,
} from "./lib/slurm-campaign.ts";

describe("a campaign that is started again", () => {
  it("adopts the running array, runs nothing twice, and has what the killed start never read", async () => {
    const { slurm, start, options } = await slurmCampaign();
    let died: (() => void) | undefined;
    const death = new Promise<never>((_, reject) => {
      died = () => reject(new Error("killed"));
    });
    nodesWork(slurm, (job) => job.arrayTaskId !== 0 || slurm.test.calls.length > 3);
    // The first start never comes back from its second look: nobody cleans up after it.
    let asked = 0;
    const deaf = { ...options.client, jobs: () => (++asked < 3 ? slurm.jobs() : death) };
    const first = start({ client: { ...deaf, cancel: async () => {} } }).catch(String);
    await waitUntil("it asks for the third time", () => asked === 3);
    nodesWork(slurm);
    const parts: CampaignPart[] = [];
    const whole = await start({ tasks: 2, onPart: async (part) => void parts.push(part) });
    expect(whole).toEqual(await local());
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3"]);
    died?.();
    await first;
  });

  it("ends its jobs when interrupted, keeps what was finished, and then makes only the rest", async () => {
    const kept: CampaignPart[] = [];
    const onPart = async (part: CampaignPart) => void kept.push(part);
    const { slurm, start, stop } = await slurmCampaign({ onPart });
    nodesWork(slurm, (job, look) => {
      if (look === 3) stop.abort(new Error("interrupted"));
      return (job.arrayTaskId ?? 0) > 1;
    });
    await expect(start()).rejects.toThrow("interrupted");
    expect(runningTasks(slurm)).toEqual([]);
    const known = {
      runs: kept.flatMap(({ runs }) => runs),
      canaries: kept[0]?.canaries ?? [],
    };
    expect(known.runs.length).toBe(20);
    nodesWork(slurm);
    const { signal } = new AbortController();
    const whole = await start({ known, signal, onPart: async () => {} });
    expect(whole).toEqual(await local());
    const ranges = [...slurm.test.submissions.values()].at(-1)?.env["TESSERA_CAMPAIGN_RANGES"];
    expect(ranges).toBe("20:25,25:30,30:35,35:40");
  });

  it("does nothing when all is known, and ends tasks that nobody needs", async () => {
    const { slurm, start, options } = await slurmCampaign();
    const { runs, canaries } = await local();
    const stranger = slurm.test.userJob([`--job-name=${campaign}-nobody`]);
    const other = slurm.test.userJob(["--job-name=other"]);
    expect(await start({ known: { runs, canaries } })).toEqual(await local());
    expect(slurm.test.submissions.size).toBe(0);
    expect(slurm.test.job(stranger).state).toBe("CANCELLED");
    expect(slurm.test.job(other).state).toBe("RUNNING");
    expect(await readdir(options.results)).toEqual([]);
  });

  it("leaves a job of the same name alone when it is another user's", async () => {
    const { slurm, start } = await slurmCampaign({ user: "tessera" });
    const stranger = slurm.test.userJob([`--job-name=${campaign}-nobody`]);
    nodesWork(slurm);
    expect(await start()).toEqual(await local());
    expect(slurm.test.job(stranger).state).toBe("RUNNING");
  });
});

describe("a controller that does not answer", () => {
  it("is waited for; files count meanwhile", async () => {
    const { slurm, start } = await slurmCampaign();
    const notes: string[] = [];
    let looks = 0;
    nodesWork(slurm, async (job) => {
      if (job.arrayTaskId === 0 && ++looks < 4) return true;
      return false;
    });
    const part = await start({
      onProgress: ({ note }) => {
        notes.push(note);
        slurm.test.failWith(notes.length < 20 ? unreachable() : undefined, ["jobs"]);
      },
    });
    expect(part).toEqual(await local());
    expect(notes).toContain("Slurm's controller does not answer");
    expect(slurm.test.submissions.size).toBe(1);
  });

  it("is an error when it stays away, which is said to be why", async () => {
    const problems: string[] = [];
    const { slurm, start } = await slurmCampaign({ onProblem: (text) => void problems.push(text) });
    nodesWork(slurm, () => true);
    await expect(
      start({ onProgress: () => slurm.test.failWith(unreachable()) }),
    ).rejects.toMatchObject({ code: "E_SLURM_UNREACHABLE" });
    expect(problems).toEqual([
      expect.stringContaining("does not answer"),
      expect.stringContaining("may still run"),
    ]);
  });

  it("has forgotten a task: that is run again", async () => {
    const { slurm, start } = await slurmCampaign();
    nodesWork(slurm, (job) => {
      if (job.arrayTaskId !== 0 || slurm.test.submissions.size > 1) return false;
      slurm.test.end(job.id, "NODE_FAIL");
      slurm.test.forget(job.id);
      return true;
    });
    expect(await start()).toEqual(await local());
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3", "--array=0"]);
  });
});

describe("a campaign's bounds", () => {
  it("end it with what is missing and what it waits for", async () => {
    const { slurm, start } = await slurmCampaign({ deadlineMs: 60_000 });
    slurm.test.autoStart(false);
    await expect(start()).rejects.toThrow(
      /the runs 0:10, 10:20, 20:30, 30:40 were not made in time; 0 tasks run, 4 wait \(Priority\)/,
    );
    expect(slurm.test.job(1).state).toBe("CANCELLED");
  });

  it("hold back a lost task while others run, where tasks at once are limited", async () => {
    const { slurm, start } = await slurmCampaign({ atOnce: 1 });
    const seen: number[] = [];
    nodesWork(slurm, (job, look) => {
      seen.push(slurm.test.submissions.size);
      if (job.arrayTaskId === 0 && look === 2) {
        slurm.test.end(job.id, "NODE_FAIL");
        return true;
      }
      return job.arrayTaskId === 3 && look < 6;
    });
    expect(await start()).toEqual(await local());
    expect(seen.filter((arrays) => arrays === 1).length).toBeGreaterThan(4);
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3%1", "--array=0%1"]);
  });
});
