import { describe, expect, it } from "vitest";
import { arraysOf, local, nodesWork, slurmCampaign } from "./lib/slurm-campaign.ts";

const rangesOf = ({ env }: { readonly env: Readonly<Record<string, string>> }) =>
  env["TESSERA_CAMPAIGN_RANGES"];

describe("the time of a task", () => {
  it("is asked for in whole minutes, and left to the partition when nobody gives one", async () => {
    const timeOf = async (timeLimitMs?: number) => {
      const { slurm, start } = await slurmCampaign({ timeLimitMs });
      nodesWork(slurm);
      await start();
      return slurm.test.submissions.get(1)?.args.filter((arg) => arg.startsWith("--time"));
    };
    expect(await timeOf(5_400_001)).toEqual(["--time=91"]);
    expect(await timeOf(1)).toEqual(["--time=1"]);
    expect(await timeOf()).toEqual([]);
  });

  it.each([
    ["TIMEOUT", true],
    ["OUT_OF_MEMORY", false],
  ])("is what to change after %s: %s", async (state, isTime) => {
    const { slurm, start } = await slurmCampaign();
    nodesWork(slurm, (job) => {
      slurm.test.end(job.id, state);
      return true;
    });
    const failure = await start().then(() => "nothing", String);
    expect(failure).toContain(`it ended as ${state}`);
    expect(failure.includes("--time")).toBe(isTime);
  });
});

describe("a campaign with many holes", () => {
  const evenRuns = async () => {
    const { runs, canaries } = await local();
    return { runs: runs.filter(({ index }) => index % 2 === 0), canaries };
  };

  it("has no more tasks than asked for, and makes what is missing and nothing else", async () => {
    const { slurm, start } = await slurmCampaign({ tasks: 4, known: await evenRuns() });
    nodesWork(slurm);
    const made: number[] = [];
    const onPart: Parameters<typeof start>[0] = {
      onPart: async ({ runs }) => void made.push(...runs.map(({ index }) => index)),
    };
    expect(await start(onPart)).toEqual(await local());
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3"]);
    expect([...slurm.test.submissions.values()].map(rangesOf)[0]).toMatch(
      /^1:2\+3:4\+5:6\+7:8\+9:10,/,
    );
    expect(made).toHaveLength(20);
    expect(made.every((index) => index % 2 === 1)).toBe(true);
  });

  it("finds the files of tasks with several ranges again, and then makes only the rest", async () => {
    const { slurm, start, stop } = await slurmCampaign({ tasks: 4, known: await evenRuns() });
    nodesWork(slurm, (job, look) => {
      if (look === 3) stop.abort(new Error("interrupted"));
      return (job.arrayTaskId ?? 0) > 1;
    });
    await expect(start()).rejects.toThrow("interrupted");
    nodesWork(slurm);
    const { signal } = new AbortController();
    expect(await start({ signal, tasks: 2 })).toEqual(await local());
    expect([...slurm.test.submissions.values()].map(rangesOf).at(-1)).toBe(
      "21:22+23:24+25:26+27:28+29:30,31:32+33:34+35:36+37:38+39:40",
    );
  });
});
