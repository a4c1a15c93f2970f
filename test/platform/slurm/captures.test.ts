import { describe, expect, it } from "vitest";
import { expandTasks } from "../../../src/platform/slurm/array-tasks.ts";
import { endOfLine } from "../../../src/platform/slurm/history/jobcomp.ts";
import type { SlurmJob, SlurmNode } from "../../../src/platform/slurm/index.ts";
import { jobsOfJson } from "../../../src/platform/slurm/json/jobs.ts";
import { nodesOfJson } from "../../../src/platform/slurm/json/nodes.ts";
import { parseRelease } from "../../../src/platform/slurm/release.ts";
import { jobsOfText } from "../../../src/platform/slurm/text/jobs.ts";
import { nodesOfText } from "../../../src/platform/slurm/text/nodes.ts";
import { partitionsOfText } from "../../../src/platform/slurm/text/partitions.ts";
import { reservationsOfText } from "../../../src/platform/slurm/text/reservations.ts";
import { settingsOfText } from "../../../src/platform/slurm/text/settings.ts";
import { captured, releases, releasesWithJson } from "./captures.ts";

const all = ["g0", "g1", "g2", "g3", "g4", "g5", "g6"];

/** Name, state with flags, GPUs and CPUs in use. */
const nodeLine = ({ name, state, flags, gresUsed, cpusAllocated }: SlurmNode) => {
  const gpus = gresUsed.map(({ count }) => count);
  return `${name} ${[state, ...flags.toSorted()].join("+")} ${gpus.join()} ${cpusAllocated}`;
};

const expectedNodes = (release: string) => [
  "g0 ALLOCATED 8 8",
  "g1 MIXED 4 2",
  // 22.05 leaves the reservation out of the state while one of its jobs runs there.
  release.startsWith("22.") ? "g2 MIXED  1" : "g2 MIXED+MAINTENANCE+RESERVED  1",
  "g3 IDLE+DRAIN  0",
  "g4 DOWN  0",
  "g5 ALLOCATED 8 8",
  "g6 IDLE+PLANNED  0",
];

/** What it is, how it stands, where, how it ended, and which of its three times are known. */
const jobLine = (job: SlurmJob) => {
  const task = job.arrayTaskId === undefined ? "" : `[${job.arrayTaskId}]`;
  const exit = `${job.exitCode ?? "-"}:${job.exitSignal ?? "-"}`;
  const times = [job.startedAtMs, job.endedAtMs, job.preemptedAtMs];
  const known = times.map((ms) => (ms === undefined ? "-" : "t")).join("");
  return `${job.name}${task} ${job.state} (${job.nodes.join()}) ${exit} ${known} ${job.restarts}`;
};

const expectedJobs = (release: string) => [
  "again PENDING () -:- --- 1",
  "arr[0] RUNNING (g1) -:- t-- 0",
  "arr[1] RUNNING (g1) -:- t-- 0",
  "arr[2] PENDING () -:- --- 0",
  "arr[3] PENDING () -:- --- 0",
  "check PREEMPTED (g5) -:15 ttt 0",
  "fails FAILED (g1) 3:- tt- 0",
  "gone CANCELLED (g1) -:15 tt- 0",
  "held PENDING () -:- --- 0",
  "killed FAILED (g1) -:9 tt- 0",
  // A job whose node is lost has a status of Slurm's own making, which changed.
  `lost NODE_FAIL (g4) ${Number.parseInt(release, 10) < 24 ? "0:-" : "-:1"} tt- 0`,
  "ok COMPLETED (g1) 0:- tt- 0",
  "pushes RUNNING (g5) -:- t-- 0",
  "reserved RUNNING (g2) -:- t-- 0",
  "run one RUNNING (g0) -:- t-- 0",
  "waits PENDING () -:- --- 0",
];

/** Without the order of what has none. */
const unordered = (nodes: readonly SlurmNode[]) =>
  nodes.map((node) => ({ ...node, flags: node.flags.toSorted() }));

const byName = (jobs: readonly SlurmJob[]) =>
  jobs.toSorted((a, b) => (jobLine(a) < jobLine(b) ? -1 : 1));

describe.each(releases)("what Slurm %s really printed, read as text", (release) => {
  it("names the release", () => {
    expect(parseRelease(captured(release, "version.txt"))?.text).toBe(release);
  });

  it("shows every node with its state, its flags, and what of it is in use", () => {
    const nodes = nodesOfText(captured(release, "nodes.txt"));
    expect(nodes.map(nodeLine)).toEqual(expectedNodes(release));
    expect(nodes[0]).toMatchObject({
      address: "127.0.0.1",
      partitions: ["batch", "tessera"],
      features: ["rack1", "ib"],
      gres: [{ name: "gpu", type: "h100", count: 8 }],
      cpus: 8,
      memoryMiB: 64_000,
      memoryAllocatedMiB: 8000,
      reason: "",
      reasonBy: "",
      reasonAtMs: undefined,
    });
  });

  it("keeps reasons and comments whole, whatever fields they seem to hold", () => {
    expect(nodesOfText(captured(release, "nodes.txt"))[3]).toMatchObject({
      state: "IDLE",
      flags: ["DRAIN"],
      reason: "gpu 3 State=IDLE x=1 | bad",
      reasonBy: "root",
      reasonAtMs: expect.any(Number),
      comment: "hello world State=IDLE",
    });
    const fails = jobsOfText(captured(release, "jobs.txt"))
      .flatMap(expandTasks)
      .find(({ name }) => name === "fails");
    expect(fails).toMatchObject({ state: "FAILED", comment: "a b=c JobState=RUNNING d" });
  });

  it("shows every job and every task of an array with how it stands or ended", () => {
    const jobs = jobsOfText(captured(release, "jobs.txt")).flatMap(expandTasks);
    expect(byName(jobs).map(jobLine)).toEqual(expectedJobs(release));
    expect(new Set(jobs.map(({ user }) => user))).toEqual(new Set(["alice"]));
    const reserved = jobs.find(({ name }) => name === "reserved");
    expect(reserved).toMatchObject({ reservation: "maint1", partition: "batch" });
    const waits = jobs.find(({ name }) => name === "waits");
    expect(waits).toMatchObject({ requestedNodes: ["g0", "g6"], plannedNodes: ["g0", "g6"] });
    expect(jobs.find(({ name }) => name === "held")?.reason).toBe("JobHeldUser");
    expect(jobs.find(({ name }) => name === "fails")?.reason).toBe("NonZeroExitCode");
    expect(jobs.find(({ name }) => name === "run one")?.reason).toBe("");
  });

  it("shows partitions, reservations and settings", () => {
    const partition = { nodes: all, state: "UP" };
    const [hour, week] = [3_600_000, 604_800_000];
    expect(partitionsOfText(captured(release, "partitions.txt"))).toMatchObject([
      {
        ...partition,
        name: "batch",
        priorityTier: 10,
        preemptMode: "OFF",
        isDefault: true,
        maxTimeMs: week,
      },
      {
        ...partition,
        name: "tessera",
        priorityTier: 1,
        preemptMode: "CANCEL",
        isDefault: false,
        maxTimeMs: hour,
      },
    ]);
    expect(reservationsOfText(captured(release, "reservations.txt"))).toMatchObject([
      { name: "maint1", nodes: ["g2"], users: ["alice", "root"] },
    ]);
    const settings = settingsOfText(captured(release, "config.txt"));
    expect(settings).toMatchObject({ clustername: "fixture", killwait: "3 sec" });
  });

  it("has in its file of ended jobs how each ended, a requeued life included", () => {
    const lines = captured(release, "jobcomp.txt").trim().split("\n");
    const ends = lines
      .map(endOfLine)
      .map((end) => `${end?.name} ${end?.state} ${end?.nodes.join()}`);
    expect(ends.toSorted()).toEqual([
      "again REQUEUED g1",
      "check PREEMPTED g5",
      "fails FAILED g1",
      "gone CANCELLED g1",
      "killed FAILED g1",
      "lost NODE_FAIL g4",
      "ok COMPLETED g1",
    ]);
  });
});

describe.each(releasesWithJson)("what Slurm %s really printed, read as JSON", (release) => {
  it("says the same of every node as the text does", () => {
    const nodes = nodesOfJson(captured(release, "nodes.json"));
    expect(nodes.map(nodeLine)).toEqual(expectedNodes(release));
    expect(unordered(nodes)).toEqual(unordered(nodesOfText(captured(release, "nodes.txt"))));
  });

  it("says the same of every job as the text does", () => {
    const jobs = byName(jobsOfJson(captured(release, "jobs.json")).flatMap(expandTasks));
    expect(jobs.map(jobLine)).toEqual(expectedJobs(release));
    // 22.05 does not print in JSON which nodes a job is planned for.
    const hidden = release.startsWith("22.") ? { plannedNodes: [] } : {};
    const text = byName(jobsOfText(captured(release, "jobs.txt")).flatMap(expandTasks));
    expect(jobs).toEqual(text.map((job) => ({ ...job, ...hidden })));
  });
});
