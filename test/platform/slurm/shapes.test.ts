import { describe, expect, it } from "vitest";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { AnswerProblem } from "../../../src/platform/slurm/json/answer.ts";
import { jobsOfJson } from "../../../src/platform/slurm/json/jobs.ts";
import { nodesOfJson } from "../../../src/platform/slurm/json/nodes.ts";
import { FieldProblem, understood } from "../../../src/platform/slurm/shape-error.ts";
import { jobsOfText } from "../../../src/platform/slurm/text/jobs.ts";
import { nodesOfText } from "../../../src/platform/slurm/text/nodes.ts";
import { captured, releases, releasesWithJson } from "./captures.ts";

type Entry = Record<string, unknown>;

/** A capture with one entry changed. */
function changed(text: string, name: "nodes" | "jobs", change: (entry: Entry) => void): string {
  const answer = JSON.parse(text) as Record<string, Entry[]>;
  const entry = answer[name]?.[3];
  if (entry === undefined) throw new Error(`there are four ${name}`);
  change(entry);
  return JSON.stringify(answer);
}

/** The field that an answer is refused for. */
function refusedField(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof FieldProblem) return error.field;
    throw error;
  }
  return "nothing";
}

describe.each(releasesWithJson)("JSON of Slurm %s that is not as it was", (release) => {
  const nodes = captured(release, "nodes.json");
  const jobs = captured(release, "jobs.json");

  it.each(["name", "state", "cpus", "real_memory"])("is refused without a node's %s", (field) => {
    const text = changed(nodes, "nodes", (node) => delete node[field]);
    expect(refusedField(() => nodesOfJson(text))).toBe(`nodes[3].${field}`);
  });

  it.each(["job_id", "job_state", "nodes", "submit_time"])(
    "is refused without a job's %s",
    (field) => {
      const text = changed(jobs, "jobs", (job) => delete job[field]);
      expect(refusedField(() => jobsOfJson(text))).toBe(`jobs[3].${field}`);
    },
  );

  it.each([
    ["state", 7],
    ["gres", { gpu: 8 }],
    ["gres_used", "gpu:(("],
    ["partitions", 3],
  ])("is refused when a node's %s is %j", (field, value) => {
    const text = changed(nodes, "nodes", (node) => Object.assign(node, { [field]: value }));
    expect(refusedField(() => nodesOfJson(text))).toBe(`nodes[3].${field}`);
  });

  it("is read when it has fields that nobody knows", () => {
    const text = changed(nodes, "nodes", (node) => Object.assign(node, { novelty: { a: [1] } }));
    expect(nodesOfJson(text)).toEqual(nodesOfJson(nodes));
  });
});

describe("an answer without a fleet in it", () => {
  it.each([
    ["no list at all", '{"meta":{},"errors":[]}', "nodes"],
    ["a list that is none", '{"nodes":{"g0":{}}}', "nodes"],
    ["nothing", "", "the answer"],
    ["half an answer", '{"nodes":[', "the answer"],
    ["a list instead of an answer", "[]", "the answer"],
    // What sinfo of newer releases prints instead of nodes.
    ["groups of nodes", '{"sinfo":[],"errors":[]}', "nodes"],
  ])("is refused: %s", (_, text, field) => {
    expect(refusedField(() => nodesOfJson(text))).toBe(field);
  });

  it.each(["", '{"name":"g0","state":["IDLE"],"cpus":8,"real_memory":1}'])(
    "is an error in Slurm's words when errors are beside it, be it empty or not: %s",
    (node) => {
      const text = `{"errors":[{"error":"Unspecified error","errno":-1}],"nodes":[${node}]}`;
      expect(() => nodesOfJson(text)).toThrow(AnswerProblem);
      expect(() => nodesOfJson(text)).toThrow("Unspecified error");
      expect(() => jobsOfJson(text.replace("nodes", "jobs"))).toThrow(AnswerProblem);
    },
  );

  it("is refused also where Slurm says without an error that it has no node; jobs may be none", () => {
    expect(refusedField(() => nodesOfJson('{"errors":[],"nodes":[]}'))).toBe("nodes");
    expect(refusedField(() => nodesOfText("No nodes in the system\n"))).toBe("nodes");
    expect(jobsOfJson('{"errors":[],"jobs":[]}')).toEqual([]);
  });

  it("is refused in text that has no record, but not where Slurm says that there are none", () => {
    expect(refusedField(() => nodesOfText(""))).toBe("nodes");
    expect(refusedField(() => jobsOfText("something else\n"))).toBe("jobs");
    expect(jobsOfText("No jobs in the system\n")).toEqual([]);
  });
});

describe.each(releases)("text of Slurm %s that is not as it was", (release) => {
  it.each(["State", "CPUTot", "RealMemory"])("is refused without a node's %s", (field) => {
    const text = captured(release, "nodes.txt").replaceAll(new RegExp(`\\b${field}=`, "g"), "X=");
    expect(refusedField(() => nodesOfText(text))).toBe(`nodes[0].${field}`);
  });

  it.each(["JobState", "UserId", "SubmitTime", "ExitCode"])(
    "is refused without a job's %s",
    (field) => {
      const text = captured(release, "jobs.txt").replaceAll(new RegExp(`\\b${field}=`, "g"), "X=");
      expect(refusedField(() => jobsOfText(text))).toBe(`jobs[0].${field}`);
    },
  );
});

describe("shapes that fields have had", () => {
  const node = { name: "g0", state: ["IDLE"], cpus: 8, real_memory: 1 };
  const job = { job_id: 1, job_state: "FAILED", nodes: "g0", submit_time: 5 };
  const nodeWith = (more: Entry) =>
    nodesOfJson(JSON.stringify({ nodes: [{ ...node, ...more }] }))[0];
  const jobWith = (more: Entry) =>
    jobsOfJson(JSON.stringify({ jobs: [{ ...job, ...more }] }))[0]?.job;

  it.each([
    [{ boot_time: 7 }, 7000],
    [{ boot_time: { set: true, infinite: false, number: 7 } }, 7000],
    [{ boot_time: { set: false, infinite: false, number: 0 } }, undefined],
    [{ boot_time: 0 }, undefined],
    [{ boot_time: null }, undefined],
    [{}, undefined],
  ])("a time: %j is %j", (more, ms) => {
    expect(nodeWith(more)?.bootAtMs).toBe(ms);
  });

  it.each([
    [{ state: "idle", state_flags: ["DRAIN"] }, ["DRAIN"]],
    [{ state: ["IDLE", "DRAIN"] }, ["DRAIN"]],
    [{ state: "IDLE+DRAIN" }, ["DRAIN"]],
  ])("a node's state: %j", (more, flags) => {
    expect(nodeWith(more)).toMatchObject({ state: "IDLE", flags });
  });

  it.each([
    [768, 3, undefined],
    [15, undefined, 15],
    [{ status: "ERROR", return_code: 3 }, 3, undefined],
    [
      { status: ["ERROR"], return_code: { set: true, number: 3 }, signal: { id: { set: false } } },
      3,
      undefined,
    ],
    [{ status: "SIGNALED", return_code: 0, signal: { signal_id: 9, name: "KILL" } }, undefined, 9],
    [{ status: ["SIGNALED"], signal: { id: { set: true, number: 9 } } }, undefined, 9],
    [null, undefined, undefined],
    // The wait status of 23.02 in an object: not taken apart, and not always there.
    [{ set: true, infinite: false, number: 35_072 }, 137, undefined],
    [{ set: true, infinite: false, number: 9 }, undefined, 9],
    [{ set: true, infinite: false, number: 0 }, 0, undefined],
    [{ set: false, infinite: false, number: 0 }, undefined, undefined],
    [{ set: true, infinite: true, number: 0 }, undefined, undefined],
    [{ return_code: { set: false, number: 0 }, signal: null }, undefined, undefined],
  ])("how a job ended: %j is code %j, signal %j", (exit, exitCode, exitSignal) => {
    expect(jobWith({ exit_code: exit })).toMatchObject({ exitCode, exitSignal });
  });

  it.each([
    [{ foo: 1 }],
    [{}],
    [{ status: ["ERROR"] }],
    [{ set: true, infinite: false }],
    [{ set: true, infinite: false, number: 9, novelty: 1 }],
    [{ signal: {} }],
    ["3:0"],
  ])("how a job ended is not guessed from %j", (exit) => {
    expect(refusedField(() => jobWith({ exit_code: exit }))).toBe("jobs[0].exit_code");
  });

  it.each([
    [{ array_job_id: 0, array_task_id: null }, undefined, undefined],
    [{ array_job_id: 3, array_task_id: 0 }, 3, 0],
    [{ array_job_id: { set: true, number: 3 }, array_task_id: { set: true, number: 0 } }, 3, 0],
    [
      { array_job_id: { set: true, number: 0 }, array_task_id: { set: false, number: 0 } },
      undefined,
      undefined,
    ],
  ])("a task of an array: %j", (more, arrayJobId, arrayTaskId) => {
    expect(jobWith(more)).toMatchObject({ arrayJobId, arrayTaskId });
  });

  it("a number in an object is as good as a plain one, and one that is not set is missing", () => {
    expect(nodeWith({ cpus: { set: true, infinite: false, number: 64 } })?.cpus).toBe(64);
    const text = JSON.stringify({ nodes: [{ ...node, cpus: { set: false, number: 0 } }] });
    expect(refusedField(() => nodesOfJson(text))).toBe("nodes[0].cpus");
  });

  it("a user without a name is shown by number", () => {
    expect(jobWith({ user_name: "", user_id: 1000 })?.user).toBe("1000");
  });
});

describe("the error for what is not understood", () => {
  it("names the field, the tool and the release", () => {
    const origin = { tool: "scontrol show nodes --json", release: "99.05.1" };
    const parse = () => understood(origin, () => nodesOfJson('{"nodes":[{"name":"g0"}]}'));
    expect(parse).toThrow(TesseraError);
    expect(parse).toThrow(/scontrol show nodes --json of Slurm 99\.05\.1 .* nodes\[0\]\.state/);
  });

  it("names an end of a job that no known release prints", () => {
    const job = {
      job_id: 1,
      job_state: "FAILED",
      nodes: "",
      submit_time: 5,
      exit_code: { foo: 1 },
    };
    const origin = { tool: "squeue --json", release: "99.05.1" };
    const parse = () => understood(origin, () => jobsOfJson(JSON.stringify({ jobs: [job] })));
    expect(parse).toThrow(expect.objectContaining({ code: "E_SLURM_SHAPE" }));
    expect(parse).toThrow(/jobs\[0\]\.exit_code/);
  });
});
