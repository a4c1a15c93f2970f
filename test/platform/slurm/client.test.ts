import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createSlurmClient,
  type SlurmClientOptions,
  type SlurmJob,
} from "../../../src/platform/slurm/index.ts";
import { jobsOfJson } from "../../../src/platform/slurm/json/jobs.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { captured, releases } from "./captures.ts";
import { createFakeBin, type FakeBin } from "./fake-bin.ts";

let bin: FakeBin;
beforeEach(async () => {
  bin = await createFakeBin();
});
afterEach(() => bin.remove());

const create = (more: Partial<SlurmClientOptions> = {}) =>
  createSlurmClient({ bin: bin.path, env: process.env, clock: createRealClock(), ...more });

/** The tools of a release, which print what they really printed. */
async function installed(release: string): Promise<void> {
  const text = (file: string) => captured(release, file);
  const old = release.startsWith("21.");
  const nodes = old ? "" : text("nodes.json");
  const jobs = old ? "" : text("jobs.json");
  const is2205 = release.startsWith("22.");
  await bin.answers("sinfo", [
    ["--version", text("version.txt")],
    ...(is2205 ? [["--json", nodes] as const] : []),
  ]);
  await bin.answers("squeue", is2205 ? [["--json --all", jobs]] : old ? [] : squeueAnswers(jobs));
  await bin.answers("scontrol", [
    ["--all -d show nodes", text("nodes.txt")],
    ["--all show jobs", text("jobs.txt")],
    ["--all show partitions", text("partitions.txt")],
    ["--all show reservations", text("reservations.txt")],
    ["--all show config", text("config.txt")],
    ...(old || is2205
      ? []
      : ([
          ["--all show nodes --json", nodes],
          ["--all show jobs --json", jobs],
        ] as const)),
  ]);
}

/** What squeue of newer releases does: it prints those that are asked for. */
const squeueAnswers = (jobs: string) => {
  const answer = JSON.parse(jobs) as {
    readonly jobs: readonly {
      readonly job_id: number;
      readonly user_name: string;
      readonly name: string;
      readonly job_state: readonly string[];
      readonly scheduled_nodes?: string;
    }[];
  };
  const of = (user: string) => ({
    ...answer,
    jobs: answer.jobs.filter(({ user_name }) => user_name === user),
  });
  const [first] = answer.jobs;
  const chosen = [first?.user_name ?? "", "nobody-here"].map((user): readonly [string, string] => [
    `--json --all --user=${user} --states=all`,
    JSON.stringify(of(user)),
  ]);
  const holding = answer.jobs.filter(({ job_state }) =>
    job_state.some((word) => /^(CONFIGURING|RUNNING|SUSPENDED|COMPLETING)$/.test(word)),
  );
  const planned = answer.jobs.flatMap(({ job_id, user_name, name, scheduled_nodes, job_state }) =>
    job_state.includes("PENDING")
      ? `${scheduled_nodes || "(null)"}|${job_id}|${user_name}|${name}\n`
      : [],
  );
  const held = jobsOfJson(JSON.stringify({ jobs: holding })).map(({ job }) => {
    const { id, arrayJobId = id, arrayTaskId = "N/A", user, name, nodes, state } = job;
    return `${nodes.join(",")}|${state}|${id}|${arrayJobId}|${arrayTaskId}|${user}|${name}\n`;
  });
  return [
    ...chosen,
    [askedHoldingLines, held.join("")] as const,
    [askedHolding, JSON.stringify({ ...answer, jobs: holding })] as const,
    [askedPlanned, planned.join("")] as const,
  ];
};

const askedHolding = "--json --all --states=CONFIGURING,RUNNING,SUSPENDED,COMPLETING";
const askedHoldingLines =
  "--all --noheader --states=CONFIGURING,RUNNING,SUSPENDED,COMPLETING --format=%N|%T|%A|%F|%K|%u|%j";
const askedPlanned = "--all --noheader --states=PENDING --format=%Y|%i|%u|%j";

const failing = (words: string, code = 1) => `echo '${words}' >&2; exit ${code}`;

const numbers = (jobs: readonly SlurmJob[]) =>
  jobs.map(({ id, arrayTaskId = "" }) => `${id}_${arrayTaskId}`).toSorted();

describe.each(releases)("the client with the tools of Slurm %s", (release) => {
  it("finds every node and job in the way that this release has", async () => {
    await installed(release);
    const client = create();
    expect((await client.release()).text).toBe(release);
    expect(await client.nodes()).toHaveLength(7);
    const all = await client.jobs({ tasks: true });
    expect(all).toHaveLength(16);
    // A choice leaves out what it does not mean, and nothing else.
    const ended = /^(COMPLETED|FAILED|CANCELLED|PREEMPTED|NODE_FAIL|TIMEOUT)$/;
    const holding = all.filter(({ state }) => !ended.test(state) && state !== "PENDING");
    expect(holding.length).toBeGreaterThan(0);
    expect(await client.jobs({ choice: "holding", tasks: true })).toEqual(holding);
    expect(await client.jobs({ choice: { user: "nobody-here" } })).toEqual([]);
    const [{ user } = { user: "" }] = all;
    const own = all.filter((job) => job.user === user);
    expect(await client.jobs({ choice: { user }, tasks: true })).toEqual(own);
    const planned = all.filter(
      ({ state, plannedNodes }) => state === "PENDING" && plannedNodes.length > 0,
    );
    const both = await client.jobs({ choice: { inUseAnd: "nobody-here" }, tasks: true });
    expect(numbers(both)).toEqual(numbers([...holding, ...planned]));
    const mine = await client.jobs({ choice: { inUseAnd: user }, tasks: true });
    expect(numbers(mine)).toEqual(numbers([...new Set([...holding, ...planned, ...own])]));
    expect(await client.partitions()).toHaveLength(2);
    expect(await client.reservations()).toHaveLength(1);
    expect((await client.settings()).killwait).toBe("3 sec");
  });
});

describe("an array of many tasks that wait", () => {
  const entry = (tasks: string) => ({
    ...{ job_id: 5, array_job_id: 5, array_task_string: tasks, name: "sweep", user_name: "alice" },
    ...{ job_state: ["PENDING"], nodes: "", submit_time: 1 },
  });

  it("is one job, and one for each task only where they are asked for", async () => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    const jobs = JSON.stringify({ jobs: [entry("0-99999%4")] });
    await bin.answers("scontrol", [["--all show jobs --json", jobs]]);
    expect(await create().jobs()).toMatchObject([{ id: 5, arrayTaskId: undefined }]);
    expect(await create().jobs({ tasks: true })).toHaveLength(100_000);
  });
});

describe("the QOS of a cluster", () => {
  const asked = (printed: string) =>
    bin.answers("sacctmgr", [
      [
        "--parsable2 --noheader --readonly show qos format=Name,Preempt,PreemptMode,GraceTime,PreemptExemptTime",
        printed,
      ],
    ]);

  it("tell which of them give way to which; what is no list of them is refused", async () => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    await asked("normal||cluster|00:00:00|\nhigh|low,normal|requeue|00:00:30|1-00:00:00\n");
    expect(await create().qos()).toEqual([
      { name: "normal", preempts: [], preemptMode: "CLUSTER", graceMs: 0, exemptMs: undefined },
      {
        ...{ name: "high", preempts: ["low", "normal"], preemptMode: "REQUEUE" },
        ...{ graceMs: 30_000, exemptMs: 86_400_000 },
      },
    ]);
    for (const wrong of ["something else", "normal||cluster|soon|"]) {
      await asked(`${wrong}\n`);
      await expect(create().qos()).rejects.toMatchObject({ code: "E_SLURM_SHAPE" });
    }
  });
});

describe("where no JSON is to be had", () => {
  it.each([
    "scontrol: fatal: serializer_required: could not find plugin for application/json",
    "scontrol: error: load_plugins: unable to find plugin: serializer/json",
    "scontrol: fatal: JSON plugin load failure",
    "scontrol: unrecognized option --json",
  ])("text is read, and JSON is not asked for again: %s", async (words) => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    const program = `case "$*" in *--json) echo json >> "$CALLS"; ${failing(words)} ;; esac`;
    const text = captured("25.11.2", "nodes.txt");
    await bin.program("scontrol", `${program}\ncat <<'END'\n${text}\nEND`);
    const client = create();
    expect(await client.nodes()).toHaveLength(7);
    expect(await client.nodes()).toHaveLength(7);
    expect((await bin.calls()).match(/json/g)).toHaveLength(1);
  });

  it("calls at the same time find it out together", async () => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    const text = captured("25.11.2", "nodes.txt");
    const words = "scontrol: fatal: JSON plugin load failure";
    const program = `case "$*" in *--json) ${failing(words)} ;; esac`;
    await bin.program("scontrol", `${program}\ncat <<'END'\n${text}\nEND`);
    const client = create();
    await Promise.all([client.nodes(), client.nodes(), client.nodes()]);
    expect(await client.nodes()).toHaveLength(7);
  });

  it("but a controller that does not answer is no reason to read text", async () => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    await bin.program("scontrol", failing("Unable to contact slurm controller (connect failure)"));
    await expect(create().nodes()).rejects.toMatchObject({ code: "E_SLURM_UNREACHABLE" });
  });
});
