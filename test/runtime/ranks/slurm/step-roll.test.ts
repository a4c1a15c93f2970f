import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/virtual-clock.ts";
import { rankValues } from "../../../../src/runtime/ranks/index.ts";
import { toRankLines } from "../../../../src/runtime/ranks/slurm/rank-lines.ts";
import { StepRoll, type StepRollOptions } from "../../../../src/runtime/ranks/slurm/step-roll.ts";

function rollOf(options: Partial<StepRollOptions> = {}) {
  const clock = new VirtualClock();
  const stops: string[] = [];
  const roll = new StepRoll({
    worldSize: 3,
    clock,
    nodeOf: (rank) => `g${rank}`,
    onStop: (reason) => stops.push(reason),
    ...options,
  });
  const say = (rank: number, message: unknown) => {
    for (const line of toRankLines(message)) roll.hear(`${rank}: ${line}`, "stdout");
  };
  const complete = (...ranks: number[]) => {
    for (const rank of ranks) say(rank, { type: "completed", value: `of ${rank}` });
  };
  return { roll, clock, stops, say, complete };
}

const lost = (rank: number, problem: string) => ({
  ...{ type: "failed", code: "E_RANK_LOST", message: "a rank is gone" },
  details: { rank, problem },
});

describe("the roll of a step's ranks", () => {
  test("holds what every rank returned, and passes on what they report and print", () => {
    const seen: unknown[] = [];
    const { roll, say, complete } = rollOf({
      onReport: (rank, report) => seen.push([rank, report]),
      onLine: (rank, line) => seen.push([rank, line]),
    });
    say(1, { type: "report", report: { bytes: 8 } });
    roll.hear("2: NCCL INFO", "stdout");
    complete(0, 1, 2);
    expect(rankValues(roll.outcomes())).toEqual(["of 0", "of 1", "of 2"]);
    expect(seen).toEqual([
      [1, { bytes: 8 }],
      [2, "NCCL INFO"],
    ]);
    expect(roll.anyCame).toBe(true);
  });

  test("the rank that was killed is named with its node, not those that srun ended then", () => {
    const { roll } = rollOf();
    roll.hear("1: out of luck", "stderr");
    roll.hear("srun: error: g1: task 1: Killed", "stderr");
    roll.hear("srun: launch/slurm: _step_signal: Terminating StepId=1.0", "stderr");
    roll.hear("srun: error: g0: task 0: Terminated", "stderr");
    roll.hear("srun: error: g2: task 2: Killed", "stderr");
    const words = "Killed; it ran on g1, its last words: out of luck";
    expect(() => rankValues(roll.outcomes())).toThrow(words);
    expect(() => rankValues(roll.outcomes())).toThrow("Rank 1 ");
  });

  test("last words that come after srun's count too", () => {
    const { roll } = rollOf();
    roll.hear("srun: error: g1: task 1: Exited with exit code 2", "stderr");
    roll.hear("1: slurmstepd: error: execve(): /x: No such file or directory", "stderr");
    expect(() => rankValues(roll.outcomes())).toThrow(/exit code 2; it ran on g1.*No such file/);
  });

  test("a rank that others miss is named with its node and with how srun saw it end", () => {
    const { roll, say } = rollOf();
    say(0, { type: "here", node: "g0" });
    say(2, { type: "here", node: "g7" });
    say(0, lost(2, "its connection was closed"));
    roll.hear("srun: error: g0: task 0: Exited with exit code 1", "stderr");
    roll.hear("srun: launch/slurm: _step_signal: Terminating StepId=1.0", "stderr");
    roll.hear("srun: error: g7: task 2: Segmentation fault", "stderr");
    const words = /Rank 2 .*its connection was closed; .*Segmentation fault; it ran on g7/;
    expect(() => rankValues(roll.outcomes())).toThrow(words);
  });

  test("a rank that was told to stop is not the cause", () => {
    const { roll, say } = rollOf();
    say(0, { type: "failed", code: "E_INTERRUPTED", message: "Interrupted by SIGTERM" });
    say(1, { type: "failed", code: "E_CUDA", message: "the GPU fell off the bus" });
    expect(() => rankValues(roll.outcomes())).toThrow(/Rank 1 .*fell off the bus/);
  });

  test("a rank that says nothing is lost, never well", () => {
    const { roll, complete } = rollOf();
    complete(0, 2);
    expect(() => rankValues(roll.outcomes())).toThrow(/Rank 1 .*had not handed in anything/);
  });

  test.each([
    ["is broken", "1: @tessera-rank 2/2 {}"],
    ["is of another version", '1: @tessera-rank 1/1 {"type":"sung"}'],
  ])("what a rank says that %s loses it", (words, line) => {
    const { roll, complete } = rollOf();
    roll.hear(line, "stdout");
    complete(0, 1, 2);
    expect(() => rankValues(roll.outcomes())).toThrow(words);
  });

  test("a mark on standard error is no message", () => {
    const { roll, complete } = rollOf();
    roll.hear('1: @tessera-rank 1/1 {"type":"completed","value":1}', "stderr");
    complete(0, 2);
    expect(roll.outcomes()[1]).toMatchObject({ ended: "lost" });
  });

  test("too long a silence of all stops the step, and a word in time does not", async () => {
    const { roll, clock, stops } = rollOf({ silenceMs: 1000 });
    await clock.advance(900);
    roll.hear("0: still here", "stdout");
    await clock.advance(900);
    expect(stops).toEqual([]);
    await clock.advance(200);
    expect(stops).toEqual(["all ranks were silent for 1 s"]);
  });

  test("why Slurm ended the step and which node failed is kept", () => {
    const { roll } = rollOf();
    expect([roll.because, roll.failedNode, roll.anyCame]).toEqual(["", undefined, false]);
    roll.hear("srun: error: Node failure on g1", "stderr");
    roll.hear(
      "*** STEP 1.0 ON g0 CANCELLED AT 2026-01-02T03:04:05 DUE TO PREEMPTION ***",
      "stderr",
    );
    expect([roll.because, roll.failedNode]).toEqual(["PREEMPTION", "g1"]);
  });
});
