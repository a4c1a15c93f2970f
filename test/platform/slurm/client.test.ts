import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createSlurmClient,
  type SlurmClientOptions,
  type SlurmJob,
} from "../../../src/platform/slurm/index.ts";
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
  return [
    ...chosen,
    [askedHolding, JSON.stringify({ ...answer, jobs: holding })] as const,
    [askedPlanned, planned.join("")] as const,
  ];
};

const askedHolding = "--json --all --states=CONFIGURING,RUNNING,SUSPENDED,COMPLETING";
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

describe("what a tool says when it fails", () => {
  it.each([
    [
      "E_SLURM_UNREACHABLE",
      "slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
    ],
    ["E_SLURM_UNREACHABLE", "sinfo: error: Munge encode failed: Failed to access socket"],
    ["E_SLURM_UNREACHABLE", "slurm_update error: Socket timed out on send/recv operation"],
    ["E_SLURM_UNREACHABLE", "sinfo: fatal: Could not establish a configuration source"],
    ["E_SLURM_UNREACHABLE", "sinfo: fatal: Unable to process configuration file"],
    ["E_SLURM_DENIED", "slurm_update error: Invalid user id"],
    ["E_SLURM_DENIED", "slurm_update error: Access/permission denied"],
    [
      "E_SLURM_DENIED",
      "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified",
    ],
    ["E_SLURM_FAILED", "slurm_update error: Invalid node name specified"],
    ["E_SLURM_FAILED", ""],
  ])("is %s: %s", async (code, words) => {
    await bin.program("scontrol", failing(words));
    const change = { state: "DRAIN", reason: "x" } as const;
    await expect(create().updateNode("g0", change)).rejects.toMatchObject({ code });
  });

  it("is what scontrol says of it where an empty list says nothing, as that of 22.05 does", async () => {
    const empty = '{"errors":[{"error":"Unspecified error","errno":-1}],"nodes":[]}';
    const json = `case "$1" in --version) echo slurm 22.05.8 ;; *) echo '${empty}' ;; esac`;
    await bin.program("sinfo", json);
    const words = "slurm_load_node error: Unable to contact slurm controller (connect failure)";
    await bin.program("scontrol", failing(words));
    const client = create();
    await expect(client.nodes()).rejects.toMatchObject({
      code: "E_SLURM_UNREACHABLE",
      message: expect.stringContaining("Unable to contact slurm controller"),
    });
    // It is asked for JSON again: that it has none is not what was said.
    await bin.answers("sinfo", [["--json", captured("22.05.8", "nodes.json")]]);
    expect(await client.nodes()).toHaveLength(7);
  });

  it("is E_SLURM_SHAPE where it shows no node at all, in JSON and in text", async () => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    await bin.answers("scontrol", [["--all show nodes --json", '{"errors":[],"nodes":[]}']]);
    await expect(create().nodes()).rejects.toMatchObject({
      code: "E_SLURM_SHAPE",
      message: expect.stringContaining("nodes"),
    });
    await bin.answers("sinfo", [["--version", "slurm 21.08.5\n"]]);
    await bin.answers("scontrol", [["--all -d show nodes", "No nodes in the system\n"]]);
    await expect(create().nodes()).rejects.toMatchObject({ code: "E_SLURM_SHAPE" });
  });

  it("is not overheard where a list that is not whole stands beside it: text is read instead", async () => {
    await bin.answers("sinfo", [["--version", "slurm 25.11.2\n"]]);
    const { nodes } = JSON.parse(captured("25.11.2", "nodes.json")) as { nodes: unknown[] };
    const part = JSON.stringify({ errors: [{ error: "Timed out" }], nodes: nodes.slice(0, 2) });
    await bin.answers("scontrol", [
      ["--all show nodes --json", part],
      ["--all -d show nodes", captured("25.11.2", "nodes.txt")],
    ]);
    expect(await create().nodes()).toHaveLength(7);
  });

  it("is E_SLURM_MISSING where there is no such program, in the folder told or on PATH", async () => {
    await expect(create().release()).rejects.toMatchObject({ code: "E_SLURM_MISSING" });
    const nowhere = create({ bin: undefined, env: { PATH: "/nowhere" } });
    await expect(nowhere.release()).rejects.toMatchObject({ code: "E_SLURM_MISSING" });
    await bin.answers("sinfo", [["--version", "slurm 24.11.5\n"]]);
    const found = create({ bin: undefined, env: { PATH: `/nowhere:${bin.path}:/bin:/usr/bin` } });
    await expect(found.release()).resolves.toMatchObject({ major: 24 });
  });

  it("is E_SLURM_UNREACHABLE where it says nothing for too long", async () => {
    await bin.program("sinfo", "echo waiting >&2; exec sleep 600");
    const release = create({ timeoutMs: 300 }).release();
    await expect(release).rejects.toMatchObject({
      code: "E_SLURM_UNREACHABLE",
      message: expect.stringContaining("waiting"),
    });
  });

  it("is E_SLURM_FAILED where it prints more than is read", async () => {
    await bin.program("sinfo", "exec head -c 3000000 /dev/zero");
    const outputBytesMax = 2 * 2 ** 20;
    await expect(create({ outputBytesMax }).release()).rejects.toMatchObject({
      code: "E_SLURM_FAILED",
      message: expect.stringContaining("2 MiB"),
    });
  });

  it("is the signal's reason where the caller gave up", async () => {
    await bin.program("sinfo", "exec sleep 600");
    const giveUp = new AbortController();
    const release = create().release({ signal: giveUp.signal });
    giveUp.abort(new Error("enough"));
    await expect(release).rejects.toThrow("enough");
  });
});
