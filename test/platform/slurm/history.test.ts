import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHistory } from "../../../src/platform/slurm/history/history.ts";
import { endOfLine } from "../../../src/platform/slurm/history/jobcomp.ts";
import { eventsOfSacctmgr } from "../../../src/platform/slurm/history/node-events.ts";
import { readLinesBackwards } from "../../../src/platform/slurm/history/read-backwards.ts";
import { endsOfSacct, sacctArgs } from "../../../src/platform/slurm/history/sacct.ts";
import type { SlurmTools } from "../../../src/platform/slurm/tools/tools.ts";
import { captured } from "./captures.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "slurm-history-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const release = async () => ({ text: "22.05.8", major: 22, minor: 5 });

/** Tools that print this, whatever they are asked. */
const printing = (printed: Readonly<Record<string, string>>): SlurmTools => ({
  try: async (tool) => ({ stdout: printed[tool] ?? "", stderr: "", ok: true }),
  run: async (tool) => printed[tool] ?? "",
});

describe("the history from accounting, as Slurm 22.05.8 really printed it", () => {
  it("has every job that ended and how, and none that runs", () => {
    const ends = endsOfSacct(captured("22.05.8", "sacct.txt"));
    expect(ends.map(({ id, name, state }) => `${id} ${name} ${state}`)).toEqual([
      "2 fails FAILED",
      "3 ok COMPLETED",
      "4 killed FAILED",
      "5 check PREEMPTED",
      "6 lost NODE_FAIL",
      "7 again REQUEUED",
      "8 gone CANCELLED",
    ]);
    expect(ends[0]).toMatchObject({ user: "alice", nodes: ["g1"], exitCode: 3 });
    expect(ends[2]).toMatchObject({ exitCode: undefined, exitSignal: 9 });
  });

  it("has what befell nodes, with the whole reason, and nothing of the cluster as such", () => {
    expect(eventsOfSacctmgr(captured("22.05.8", "events.txt"))).toMatchObject([
      {
        node: "g3",
        state: "DRAIN",
        reason: "gpu 3 State=IDLE x=1 | bad",
        user: "root",
        endAtMs: undefined,
      },
      { node: "g4", state: "DOWN", reason: "it is gone", user: "root" },
    ]);
  });

  it("is asked for in UTC, and begins where it was asked to", async () => {
    expect(sacctArgs(Date.UTC(2026, 10, 16, 22))).toContain("--starttime=2026-11-16T22:00:00");
    const settings = async () => ({ accountingstoragetype: "accounting_storage/slurmdbd" });
    const sacct = captured("22.05.8", "sacct.txt");
    const tools = printing({ sacct, sacctmgr: captured("22.05.8", "events.txt") });
    const history = createHistory({ tools, release, settings });
    const all = await history(0);
    expect(all).toMatchObject({ source: "accounting" });
    expect([all.jobs.length, all.nodeEvents.length]).toEqual([7, 2]);
    const lastMs = Math.max(...all.jobs.map(({ endedAtMs }) => endedAtMs));
    const late = await history(lastMs);
    expect(late.jobs.map(({ id }) => id)).toEqual(["5", "6", "7", "8"]);
    expect((await history(lastMs + 1)).jobs).toEqual([]);
  });

  it("is refused when it is something else", () => {
    expect(() => endsOfSacct("Segmentation fault\n")).toThrow("not the list");
    expect(() => endsOfSacct("1\u001falice\n")).toThrow("too few fields");
    expect(() => eventsOfSacctmgr("Segmentation fault\n")).toThrow("not the list");
    expect(endsOfSacct("")).toEqual([]);
    expect(eventsOfSacctmgr("")).toEqual([]);
  });
});

describe("the history from a file of ended jobs", () => {
  const lines = captured("24.11.5", "jobcomp.txt").trim().split("\n");
  const settingsFor = (path: string) => async () => ({
    accountingstoragetype: "accounting_storage/none",
    jobcomptype: "jobcomp/filetxt",
    jobcomploc: path,
  });

  it("has the jobs that ended since, oldest first", async () => {
    const path = join(folder, "jobcomp.txt");
    await writeFile(path, `${lines.join("\n")}\n`);
    const history = createHistory({ tools: printing({}), release, settings: settingsFor(path) });
    const all = await history(0);
    expect(all).toMatchObject({ source: "jobcomp", nodeEvents: [] });
    const times = all.jobs.map(({ endedAtMs }) => endedAtMs);
    expect(times).toHaveLength(7);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((await history((times.at(-1) ?? 0) + 1)).jobs).toEqual([]);
  });

  it("leaves out a line that is not written to its end", async () => {
    const path = join(folder, "growing.txt");
    await writeFile(path, `${lines[0]}\n`);
    await appendFile(path, lines[1]?.slice(0, 60) ?? "");
    const history = createHistory({ tools: printing({}), release, settings: settingsFor(path) });
    expect((await history(0)).jobs).toHaveLength(1);
  });

  it("says that there is none, and why, where the file cannot be read or nothing is kept", async () => {
    const path = join(folder, "nowhere.txt");
    const history = createHistory({ tools: printing({}), release, settings: settingsFor(path) });
    expect(await history(0)).toMatchObject({
      source: "none",
      problem: expect.stringContaining(path),
    });
    const nothing = createHistory({ tools: printing({}), release, settings: async () => ({}) });
    expect(await nothing(0)).toMatchObject({
      source: "none",
      problem: expect.stringContaining("no accounting"),
      jobs: [],
    });
  });

  it("names a task of an array as accounting does", () => {
    const line = (lines[0] ?? "").replace(
      " DerivedExitCode=",
      " ArrayJobId=9 ArrayTaskId=2 DerivedExitCode=",
    );
    expect(endOfLine(line)?.id).toBe("9_2");
    expect(endOfLine("something else")).toBeUndefined();
  });
});

describe("reading a file from its end", () => {
  const readAll = async (path: string, bytesMax: number) => {
    const seen: string[] = [];
    await readLinesBackwards(path, { bytesMax, take: (line) => seen.push(line) > 0 });
    return seen;
  };

  it("hands over every line once, last first, whatever their lengths", async () => {
    const path = join(folder, "lines.txt");
    const line = fc.oneof(
      fc.stringMatching(/^[aé€]{1,20}$/),
      fc.integer({ min: 200_000, max: 300_000 }).map((length) => "é".repeat(length)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) => {
        await writeFile(path, lines.map((text) => `${text}\n`).join(""));
        expect(await readAll(path, 2 ** 30)).toEqual(lines.toReversed());
      }),
      { numRuns: 30 },
    );
  });

  it("reads no further back than it may, and leaves out the line it would cut", async () => {
    const path = join(folder, "long.txt");
    await writeFile(path, "one\ntwo\nthree\n");
    expect(await readAll(path, 9)).toEqual(["three"]);
    expect(await readAll(path, 10)).toEqual(["three"]);
    expect(await readAll(path, 14)).toEqual(["three", "two", "one"]);
  });

  it("stops as soon as it is told to", async () => {
    const path = join(folder, "stop.txt");
    await writeFile(path, "one\ntwo\nthree\n");
    const seen: string[] = [];
    const take = (text: string) => seen.push(text) < 2;
    await readLinesBackwards(path, { bytesMax: 100, take });
    expect(seen).toEqual(["three", "two"]);
  });
});
