import { describe, expect, it } from "vitest";
import type { SlurmCampaignOptions } from "../../../../src/chaos/campaign/on-slurm/index.ts";
import { TesseraError } from "../../../../src/platform/errors/index.ts";
import type { SlurmClient } from "../../../../src/platform/slurm/index.ts";
import { type FakeSlurm, unreachable } from "../../../platform/slurm/fake-slurm.ts";
import { arraysOf, leaveResult, local, nodesWork, slurmCampaign } from "./lib/slurm-campaign.ts";

/** Task 2 is lost with its first array; its second is left to the test until this look. */
function loseTask2(slurm: FakeSlurm, untilLook: number): void {
  nodesWork(slurm, (job, look) => {
    if (job.arrayTaskId !== 2) return false;
    const isFirst = job.arrayJobId === [...slurm.test.submissions.keys()][0];
    if (isFirst) slurm.test.end(job.id, "NODE_FAIL");
    return isFirst || look < untilLook;
  });
}

/** A client of which one thing is otherwise. */
function otherwise(
  { client }: SlurmCampaignOptions,
  change: Partial<SlurmClient>,
): Pick<SlurmCampaignOptions, "client"> {
  return { client: { ...client, ...change } };
}

const tooLong = () =>
  new TesseraError("E_SLURM_FAILED", { tool: "squeue", problem: "it printed more than 256 MiB" });

describe("an answer of sbatch that is lost", () => {
  it("doubles no task: the one in the queue is followed", async () => {
    const { slurm, start, options } = await slurmCampaign();
    loseTask2(slurm, 8);
    const submit: SlurmClient["submit"] = async (...given) => {
      const id = await options.client.submit(...given);
      if (id > 1) throw unreachable("sbatch");
      return id;
    };
    expect(await start(otherwise(options, { submit }))).toEqual(await local());
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3", "--array=2"]);
  });

  it("is no answer: what never reached the queue is handed in again", async () => {
    const { slurm, start, options } = await slurmCampaign();
    loseTask2(slurm, 0);
    let asked = 0;
    const submit: SlurmClient["submit"] = async (...given) => {
      if (++asked === 2) throw unreachable("sbatch");
      return options.client.submit(...given);
    };
    expect(await start(otherwise(options, { submit }))).toEqual(await local());
    expect(asked).toBe(3);
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3", "--array=2"]);
  });

  it("leaves no job behind when the result came from elsewhere; jobs of others stay", async () => {
    const { slurm, start, options } = await slurmCampaign();
    loseTask2(slurm, Number.POSITIVE_INFINITY);
    const other = slurm.test.userJob(["--job-name=other"]);
    let second = 0;
    const submit: SlurmClient["submit"] = async (...given) => {
      const id = await options.client.submit(...given);
      if (slurm.test.submissions.size === 1) return id;
      second = id;
      // The lost node had written its file after all.
      await leaveResult(slurm, slurm.test.job(id));
      throw unreachable("sbatch");
    };
    expect(await start(otherwise(options, { submit }))).toEqual(await local());
    expect(slurm.test.job(second).state).toBe("CANCELLED");
    expect(slurm.test.job(other).state).toBe("RUNNING");
  });
});

/** The tools while they are exchanged: gone, or of another release than the one that is thought of. */
const upgrading = [
  [
    "E_SLURM_MISSING",
    () => new TesseraError("E_SLURM_MISSING", { tool: "squeue", problem: "no such program" }),
  ],
  [
    "E_SLURM_SHAPE",
    () =>
      new TesseraError("E_SLURM_SHAPE", {
        ...{ tool: "squeue", release: "23.11.4", field: "jobs[0].job_state", problem: "missing" },
      }),
  ],
] as const;

describe("a refusal of sbatch", () => {
  const full = () =>
    new TesseraError("E_SLURM_FAILED", { tool: "sbatch", problem: "Slurm temporarily unable" });

  /** The second array and its repetitions are refused with this, so often. */
  async function refused(error: () => Error, times: number) {
    const problems: string[] = [];
    const campaign = await slurmCampaign({ onProblem: (text) => void problems.push(text) });
    loseTask2(campaign.slurm, 0);
    let asked = 0;
    const submit: SlurmClient["submit"] = async (...given) => {
      if (++asked > 1 && asked <= 1 + times) throw error();
      return campaign.options.client.submit(...given);
    };
    const start = () => campaign.start(otherwise(campaign.options, { submit }));
    return { ...campaign, start, problems, asked: () => asked };
  }

  it("that passes ends no campaign, and is told once", async () => {
    const { start, slurm, problems, asked } = await refused(full, 20);
    expect(await start()).toEqual(await local());
    expect(asked()).toBe(22);
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3", "--array=2"]);
    expect(problems).toEqual([expect.stringMatching(/handed in again: .*temporarily unable/)]);
  });

  it.each(upgrading)("that is %s passes, too", async (_, error) => {
    const { start, slurm, asked } = await refused(error, 20);
    expect(await start()).toEqual(await local());
    expect(asked()).toBe(22);
    expect(arraysOf(slurm.test.submissions)).toEqual(["--array=0-3", "--array=2"]);
  });

  it("that does not pass ends it in the end", async () => {
    const { start, clock } = await refused(full, Number.POSITIVE_INFINITY);
    await expect(start()).rejects.toMatchObject({ code: "E_SLURM_FAILED" });
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(10 * 60_000);
  });

  it("that is a prohibition ends it at once", async () => {
    const denied = new TesseraError("E_SLURM_DENIED", { tool: "sbatch", problem: "no" });
    const { start, asked } = await refused(() => denied, Number.POSITIVE_INFINITY);
    await expect(start()).rejects.toMatchObject({ code: "E_SLURM_DENIED" });
    expect(asked()).toBe(2);
  });
});

describe("a look that fails", () => {
  const passing = [["E_SLURM_FAILED", tooLong], ...upgrading] as const;

  it.each(passing)("with %s ends no campaign at once, and is told", async (_, error) => {
    const problems: string[] = [];
    const notes: string[] = [];
    const { slurm, start } = await slurmCampaign({ onProblem: (text) => void problems.push(text) });
    nodesWork(slurm, (job) => job.arrayTaskId === 0 && notes.length < 20);
    const part = await start({
      onProgress: ({ note }) => {
        notes.push(note);
        slurm.test.failWith(notes.length < 20 ? error() : undefined, ["jobs"]);
      },
    });
    expect(part).toEqual(await local());
    expect(notes.join()).toContain(error().message);
    expect(problems).toEqual([expect.stringContaining(error().message)]);
    expect(slurm.test.submissions.size).toBe(1);
  });

  it.each(passing)("with %s ends it when no look tells anything for long", async (code, error) => {
    const { slurm, start, clock } = await slurmCampaign();
    nodesWork(slurm, () => true);
    const failure = start({ onProgress: () => slurm.test.failWith(error(), ["jobs"]) });
    await expect(failure).rejects.toMatchObject({ code });
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(10 * 60_000);
  });

  it("ends it at once when Slurm forbids to look", async () => {
    const { slurm, start, clock } = await slurmCampaign();
    nodesWork(slurm, () => true);
    const denied = new TesseraError("E_SLURM_DENIED", { tool: "squeue", problem: "no" });
    const failure = start({ onProgress: () => slurm.test.failWith(denied, ["jobs"]) });
    await expect(failure).rejects.toMatchObject({ code: "E_SLURM_DENIED" });
    expect(clock.monotonicMs()).toBeLessThan(10 * 60_000);
  });
});
