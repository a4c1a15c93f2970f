import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toRankLines } from "../../../../src/runtime/ranks/slurm/index.ts";
import { captured } from "../../../platform/slurm/captures.ts";
import { createFakeBin, type FakeBin } from "../../../platform/slurm/fake-bin.ts";
import { runHere } from "../../in-process.ts";

const release = "21.08.5";
/** One of the jobs that this release was seen with; it has ended. */
const jobId = 3;
const measured = {
  sizes: [
    { bytes: 1024, timeUs: 5, timesUs: [5], algbwGBps: 1, busbwGBps: 1, wrong: 0, elements: 256 },
  ],
  facts: {},
};

let bin: FakeBin;
beforeEach(async () => {
  bin = await createFakeBin();
  await bin.answers("sinfo", [["--version", captured(release, "version.txt")]]);
  await bin.answers("scontrol", [
    ["--all -d show nodes", captured(release, "nodes.txt")],
    ["--all show jobs", captured(release, "jobs.txt")],
    ["--all show partitions", captured(release, "partitions.txt")],
  ]);
  const words = `echo 'salloc: Granted job allocation ${jobId}' >&2`;
  await bin.program("salloc", `${words}\ntrap 'exit 143' TERM\nwhile :; do sleep 0.05; done`);
  await bin.program("scancel", "exit 0");
});
afterEach(() => bin.remove());

const done = (value: unknown) =>
  toRankLines({ type: "completed", value })
    .map((line) => `printf '%s\\n' '0: ${line}'`)
    .join("\n");
const denied = "echo 'scancel: error: Kill job error: Access/permission denied' >&2; exit 1";

const run = () =>
  runHere(
    [
      ...["collective", "all-reduce", "--measured", "--on", "slurm", "--nodes", "1"],
      ...["--ranks", "1", "--transport", "tcp", "--bytes", "1KiB", "--json"],
    ],
    {
      env: {
        PATH: process.env["PATH"] ?? "",
        TESSERA_SLURM_PROGRAM: "/shared/tessera",
        TESSERA_SLURM_BIN: bin.path,
      },
    },
  );

describe("a measurement whose nodes go back", () => {
  test("is all that there is to say", async () => {
    await bin.program("srun", done(measured));
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ source: "measured", facts: { slurm: { jobId } } });
  });

  test("stands when they do not: that is a warning with the command to end the job", async () => {
    await bin.program("srun", done(measured));
    await bin.program("scancel", denied);
    const { code, stdout, stderr } = await run();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ source: "measured" });
    expect(stderr).toMatch(/^Warning: .*permission denied/);
    expect(stderr).toContain(`scancel ${jobId}`);
  });

  test("that failed says why it failed, and not that they did not", async () => {
    await bin.program("srun", "echo 'srun: error: g1: task 0: Killed' >&2; exit 137");
    await bin.program("scancel", denied);
    const { code, stdout, stderr } = await run();
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "E_RANK_LOST" } });
    expect(stderr).toContain(`scancel ${jobId}`);
  });
});
