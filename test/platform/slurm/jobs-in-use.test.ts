import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlurmClient, type SlurmClientOptions } from "../../../src/platform/slurm/index.ts";
import { plannedOfText } from "../../../src/platform/slurm/text/planned.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { captured } from "./captures.ts";
import { createFakeBin, type FakeBin } from "./fake-bin.ts";

let bin: FakeBin;
beforeEach(async () => {
  bin = await createFakeBin();
});
afterEach(() => bin.remove());

const create = (more: Partial<SlurmClientOptions> = {}) =>
  createSlurmClient({ bin: bin.path, env: process.env, clock: createRealClock(), ...more });

const choice = { inUseAnd: "tessera" };
const questions = {
  planned: "--all --noheader --states=PENDING --format=%Y|%i|%u|%j",
  holding: "--json --all --states=CONFIGURING,RUNNING,SUSPENDED,COMPLETING",
  own: "--json --all --user=tessera --states=all",
};
const job = (id: number, user: string, state: string) => ({
  ...{ job_id: id, name: `job-${id}`, user_name: user, job_state: [state] },
  ...{ nodes: state === "PENDING" ? "" : "g0", submit_time: 1 },
});
const asJson = (...jobs: readonly object[]) => JSON.stringify({ errors: [], jobs });

/** A squeue of a newer release that answers these questions and no other. */
async function answering(
  planned: string,
  holding: string,
  own: string,
  release = "25.11.2",
): Promise<void> {
  await bin.answers("sinfo", [["--version", `slurm ${release}\n`]]);
  await bin.answers("squeue", [
    [questions.planned, planned],
    [questions.holding, holding],
    [questions.own, own],
  ]);
}

describe("the jobs that are in use and those of a user", () => {
  it("are asked for by what they hold: no JSON of others' jobs that only wait", async () => {
    await answering(
      "g[1-2]|7|alice|big|job\n(null)|8|alice|waits\nN/A|9|bob|waits\n",
      asJson(job(1, "alice", "RUNNING"), job(2, "tessera", "RUNNING")),
      asJson(job(2, "tessera", "RUNNING"), job(3, "tessera", "COMPLETED")),
    );
    const jobs = await create().jobs({ choice });
    expect(jobs.map(({ id }) => id)).toEqual([7, 1, 2, 3]);
    expect(jobs[0]).toMatchObject({
      user: "alice",
      name: "big|job",
      state: "PENDING",
      plannedNodes: ["g1", "g2"],
    });
    const asked = (await bin.calls()).split("\n").filter((line) => line.startsWith("squeue"));
    expect(asked).toEqual(Object.values(questions).map((words) => `squeue ${words}`));
  });

  it("show one that begins between two questions once, as it holds its nodes", async () => {
    await answering("g0|7|alice|big\n", asJson(job(7, "alice", "RUNNING")), asJson());
    const jobs = await create().jobs({ choice });
    expect(jobs).toMatchObject([{ id: 7, state: "RUNNING", nodes: ["g0"] }]);
  });

  it("are one question where the tools print everything anyway, of which the same is left", async () => {
    await bin.answers("sinfo", [["--version", "slurm 22.05.8\n"]]);
    const all = [
      job(1, "alice", "RUNNING"),
      job(2, "alice", "PENDING"),
      job(3, "alice", "FAILED"),
      job(4, "tessera", "PENDING"),
      { ...job(5, "alice", "PENDING"), scheduled_nodes: "g1" },
    ];
    await bin.answers("squeue", [["--json --all", asJson(...all)]]);
    const jobs = await create().jobs({ choice });
    expect(jobs.map(({ id }) => id)).toEqual([1, 4, 5]);
  });
});

describe("a release whose squeue prints all jobs as JSON, whatever states it is asked for", () => {
  const outputBytesMax = 4 * 2 ** 20;
  const holdingLines =
    "--all --noheader --states=CONFIGURING,RUNNING,SUSPENDED,COMPLETING --format=%N|%T|%A|%F|%K|%u|%j";
  const waiting = Array.from({ length: 30_000 }, (_, at) => job(1000 + at, "alice", "PENDING"));
  const busy = { ...job(999, "alice", "RUNNING"), comment: "x".repeat(outputBytesMax) };
  const answers = (printed: string) => [
    [
      questions.planned,
      waiting.map(({ job_id: id }) => `(null)|${id}|alice|job-${id}\n`).join(""),
    ] as const,
    [questions.holding, asJson(...waiting, busy)] as const,
    [holdingLines, printed] as const,
    [questions.own, asJson(job(3, "tessera", "COMPLETED"))] as const,
  ];

  it.each(["23.02.7", "23.11.4", "24.05.0"])(
    "is asked for a line of text about each that holds nodes: %s",
    async (release) => {
      await bin.answers("sinfo", [["--version", `slurm ${release}\n`]]);
      const printed =
        "g[0-1]|RUNNING|1|1|N/A|alice|big|job\n" +
        "g2|COMPLETING|22|20|7|bob|sweep\n" +
        "g3|RUNNING|2|2|N/A|tessera|tsr\n";
      await bin.answers("squeue", answers(printed));
      // No scontrol is there to fall back on: no answer is longer than is read.
      const jobs = await create({ outputBytesMax }).jobs({ choice });
      expect(jobs.map(({ id }) => id)).toEqual([1, 22, 3]);
      expect(jobs).toMatchObject([
        { user: "alice", name: "big|job", state: "RUNNING", nodes: ["g0", "g1"] },
        {
          ...{ user: "bob", name: "sweep", flags: ["COMPLETING"], nodes: ["g2"] },
          ...{ arrayJobId: 20, arrayTaskId: 7 },
        },
        { user: "tessera", state: "COMPLETED" },
      ]);
      expect(jobs[0]).toMatchObject({ arrayJobId: undefined, arrayTaskId: undefined });
      expect(await bin.calls()).not.toContain(questions.holding);
    },
  );

  it.each(["24.05.1", "24.11.5"])("is not %s, which is asked for JSON", async (release) => {
    await answering("", asJson(job(1, "alice", "RUNNING")), asJson(), release);
    expect((await create().jobs({ choice })).map(({ id }) => id)).toEqual([1]);
  });

  it.each([
    ["nodes that are no list of nodes", "g[0-|RUNNING|1|1|N/A|alice|big\n"],
    ["a line without what was asked for", "slurm is busy\n"],
  ])("is not understood when it prints %s", async (_, printed) => {
    await bin.answers("sinfo", [["--version", "slurm 23.11.4\n"]]);
    await bin.answers("squeue", answers(printed));
    await expect(create({ outputBytesMax }).jobs({ choice })).rejects.toMatchObject({
      code: "E_SLURM_SHAPE",
    });
  });
});

describe("more jobs than are read as JSON", () => {
  const outputBytesMax = 64 * 1024;

  it("are read from text, which is a tenth of it; what is too long even so is refused", async () => {
    await bin.answers("sinfo", [["--version", "slurm 22.05.8\n"]]);
    const long = { ...job(1, "alice", "RUNNING"), comment: "x".repeat(outputBytesMax) };
    await bin.answers("squeue", [["--json --all", asJson(long)]]);
    await bin.answers("scontrol", [["--all show jobs", captured("22.05.8", "jobs.txt")]]);
    const client = create({ outputBytesMax });
    expect(await client.jobs({ tasks: true })).toHaveLength(16);
    expect(await client.jobs({ tasks: true })).toHaveLength(16);
    expect((await bin.calls()).match(/--json/g)).toHaveLength(1);
    await bin.answers("scontrol", [["--all show jobs", "x".repeat(outputBytesMax + 1)]]);
    await expect(client.jobs()).rejects.toMatchObject({ code: "E_SLURM_FAILED" });
  });
});

describe("a waiting job in text", () => {
  it.each(["", "(null)", "N/A"])("has no place where Slurm says so: %j", (where) => {
    expect(plannedOfText(`${where}|7|alice|train\n`)).toEqual([]);
  });

  it("may be an array, and what is no job says nothing", () => {
    const printed = "g0|12_[0-9]|alice|sweep\na name with\na|line|end\n";
    expect(plannedOfText(printed)).toMatchObject([{ id: 12, plannedNodes: ["g0"] }]);
  });
});
