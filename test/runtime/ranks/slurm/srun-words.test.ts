import { describe, expect, test } from "vitest";
import { readSrunLine } from "../../../../src/runtime/ranks/slurm/srun-words.ts";

describe("what srun says", () => {
  test.each([
    ["3: hello", { is: "task", rank: 3, text: "hello" }],
    [" 3: padded", { is: "task", rank: 3, text: "padded" }],
    ["0: ", { is: "task", rank: 0, text: "" }],
    ["srun: error: g1: task 2: Killed", { is: "ended", node: "g1", ranks: [2], how: "Killed" }],
    [
      "srun: error: g0: tasks 0-2,5: Exited with exit code 1",
      { is: "ended", node: "g0", ranks: [0, 1, 2, 5], how: "Exited with exit code 1" },
    ],
    ["srun: launch/slurm: _step_signal: Terminating StepId=1.1", { is: "terminating" }],
    ["srun: error: Node failure on g1", { is: "node-failure", node: "g1" }],
    [
      "0: slurmstepd-g0: error: *** STEP 1.1 ON g0 CANCELLED AT 2026-01-02T03:04:05 ***",
      { is: "cancelled", because: "" },
    ],
    [
      "slurmstepd: error: *** STEP 7.0 ON g0 CANCELLED AT 2026-01-02T03:04:05 DUE TO TIME LIMIT ***",
      { is: "cancelled", because: "TIME LIMIT" },
    ],
    [
      "srun: job 5 queued and waiting for resources",
      { is: "other", text: "srun: job 5 queued and waiting for resources" },
    ],
  ])("%s", (line, word) => {
    expect(readSrunLine(line)).toEqual(word);
  });

  test("a task that quotes srun is still only a task", () => {
    expect(readSrunLine("1: srun: error: g1: task 2: Killed")).toMatchObject({
      is: "task",
      rank: 1,
    });
  });

  test("a range without end is no endless list", () => {
    const word = readSrunLine("srun: error: g0: tasks 0-999999999: Killed");
    expect(word.is === "ended" && word.ranks.length).toBe(100_000);
  });
});
