import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { rankValues } from "../../../../src/runtime/ranks/index.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { isRunning } from "../../../support/is-running.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { workerProgram } from "../support/program.ts";

const program = workerProgram();
const pidOf = (report: unknown) => (report as { pid: number }).pid;

describe("the launcher", () => {
  test("every rank gets the input and its own variables, reports, and hands in its value", async () => {
    const reports: unknown[] = [];
    const lines: string[] = [];
    const outcomes = await program.launch("echo", {
      input: { answer: 42 },
      env: (rank) => ({ OF_RANK: `r${rank}` }),
      onReport: (rank, report) => reports.push([rank, report]),
      onLine: (_, line) => lines.push(line),
    });
    expect(rankValues(outcomes)).toEqual(
      [0, 1, 2].map((rank) => ({
        rank,
        worldSize: 3,
        input: { answer: 42 },
        variable: `r${rank}`,
        token: null,
        argv: ["agent", "worker", "echo"],
      })),
    );
    expect(reports).toHaveLength(3);
    expect(lines.toSorted()).toEqual(["a line of rank 0", "a line of rank 1", "a line of rank 2"]);
  });

  test("a task that throws is a failure of its rank alone", async () => {
    const outcomes = await program.launch("fail");
    expect(outcomes.map(({ ended }) => ended)).toEqual(["completed", "failed", "completed"]);
    expect(() => rankValues(outcomes)).toThrow(
      "Rank 1 did not come to its end: it failed: the disk",
    );
  });

  test("a value that is no JSON is a failure", async () => {
    const outcomes = await program.launch("circle", { worldSize: 1 });
    expect(outcomes[0]).toMatchObject({ ended: "failed" });
  });

  test("a rank that exits takes the others with it, and its last words are told", async () => {
    const outcomes = await program.launch("exit");
    expect(outcomes[1]).toMatchObject({ ended: "lost", reason: expect.stringContaining("cheese") });
    expect(outcomes[0]).toMatchObject({ reason: expect.stringMatching(/^stopped because rank 1/) });
    expect(() => rankValues(outcomes)).toThrow("Rank 1");
  });

  test("a rank killed in the middle of a collective ends all, within seconds", async () => {
    const pids: number[] = [];
    const outcomes = await program.launch("sum-killed", {
      onReport: (_, report) => pids.push(pidOf(report)),
    });
    expect(() => rankValues(outcomes)).toThrow(
      "Rank 1 did not come to its end: it was killed by SIGKILL",
    );
    // Who is ended because of it may not have come to say anything.
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) expect(isRunning(pid)).toBe(false);
  });

  test("a rank that hangs is named by those that wait for it, and ended", async () => {
    const pids: number[] = [];
    const outcomes = await program.launch("sum-late", {
      input: { stallMs: 400 },
      onReport: (_, report) => pids.push(pidOf(report)),
    });
    expect(() => rankValues(outcomes)).toThrow(/^Rank 1 did not come to its end/);
    for (const pid of pids) expect(isRunning(pid)).toBe(false);
  });

  test("a process that is stopped is named as silent", async () => {
    const outcomes = await program.launch("sum-stopped", { input: { stallMs: 500 } });
    expect(() => rankValues(outcomes)).toThrow(/^Rank 1 .*silent for/);
  });

  test("the ranks that never come are named", async () => {
    const outcomes = await program.launch("absent");
    expect(() => rankValues(outcomes)).toThrow("rank 2 of 3 did not come within 2 s");
  });

  test("a rank that reports nothing for too long is lost; those that report are not blamed", async () => {
    const outcomes = await program.launch("silent", { silenceMs: 4000 });
    expect(() => rankValues(outcomes)).toThrow(
      "Rank 1 did not come to its end: it was silent for 4 s",
    );
  });

  test("the run's own limit ends ranks that do not listen", async () => {
    const pids: number[] = [];
    const onReport = (_: number, report: unknown) => void pids.push(pidOf(report));
    const outcomes = await program.launch("deaf", { worldSize: 2, timeoutMs: 1500, onReport });
    expect(outcomes[0]).toMatchObject({
      reason: expect.stringContaining("did not end within 1.5 s"),
    });
    for (const pid of pids) expect(isRunning(pid)).toBe(false);
  });

  test("an abort ends all ranks before the launch rejects with its reason", async () => {
    const stop = new AbortController();
    const pids: number[] = [];
    const onReport = (_: number, report: unknown) => {
      pids.push(pidOf(report));
      if (pids.length === 2) stop.abort(new Error("enough"));
    };
    const run = { worldSize: 2, signal: stop.signal, onReport };
    await expect(program.launch("pid", run)).rejects.toThrow("enough");
    expect(pids).toHaveLength(2);
    for (const pid of pids) expect(isRunning(pid)).toBe(false);
  });

  test("a program that cannot be started is said so", async () => {
    const source = `
import { createRankLauncher } from "./src/runtime/ranks/index.ts";
import { createRealClock } from "./src/platform/time/index.ts";
const launch = createRankLauncher({ command: ["/no/such/program"], clock: createRealClock(), env: {} });
const signal = new AbortController().signal;
await launch({ task: "echo", worldSize: 2, input: 1, signal, timeoutMs: 5000 }).catch((e) => console.log(e.message));
`;
    const path = await bundleProgram(program.folder(), "unstartable", source);
    const child = spawn(process.execPath, [path], { stdio: ["ignore", "pipe", "inherit"] });
    const [chunk] = (await once(child.stdout, "data")) as [Buffer];
    expect(chunk.toString()).toContain("Cannot start /no/such/program");
    await once(child, "exit");
  });

  test.each(["deaf", "sum-for-ever"])(
    "no rank of %s survives a launcher that is killed with SIGKILL",
    async (task) => {
      const source = `
import { createRankLauncher } from "./src/runtime/ranks/index.ts";
import { createRealClock } from "./src/platform/time/index.ts";
const launch = createRankLauncher({ command: [process.execPath, process.argv[2]], clock: createRealClock(), env: process.env });
const signal = new AbortController().signal;
await launch({ task: process.argv[3], worldSize: 3, input: { bytes: 1 << 20 }, signal, timeoutMs: 600000, onReport: (_, r) => console.log(r.pid) });
`;
      const path = await bundleProgram(program.folder(), "launcher", source);
      const child = spawn(process.execPath, [path, program.path(), task], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let text = "";
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      const pids = () => text.split("\n").filter(Boolean).map(Number);
      await waitUntil("three ranks are at work", () => pids().length === 3);
      child.kill("SIGKILL");
      await waitUntil("no rank is left", () => pids().every((pid) => !isRunning(pid)));
    },
  );
});
