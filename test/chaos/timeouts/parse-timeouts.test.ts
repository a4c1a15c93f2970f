import { describe, expect, it } from "vitest";
import { parseTimeouts } from "../../../src/chaos/timeouts/index.ts";

const parse = (text: string) => parseTimeouts(text, "t.yaml");

describe("a file of timeouts", () => {
  it("is a mapping of names to durations, with the line of each", () => {
    const { timeouts, lineOf, isExperiment } = parse("heartbeat: 2s\n\ncollective: 1m30s\n");
    expect([...timeouts]).toEqual([
      ["heartbeat", 2_000_000],
      ["collective", 90_000_000],
    ]);
    expect(lineOf.get("collective")).toBe(3);
    expect(isExperiment).toBe(false);
  });

  it("may be an experiment, of which nothing else is read", () => {
    const read = parse("title: x\nworkload: { kind: nonsense }\ntimeouts:\n  drain: 250ms\n");
    expect([...read.timeouts]).toEqual([["drain", 250_000]]);
    expect(read).toMatchObject({ isExperiment: true, order: [] });
    expect(parse("workload: {}\n").timeouts.size).toBe(0);
  });

  it("may have names of its own when it says in which order they stand", () => {
    const inside = parse("timeouts: { nccl: 10s, slurm: 20s }\norder: [nccl, slurm]\n");
    const flat = parse("nccl: 10s\nslurm: 20s\norder: [nccl, slurm]\n");
    expect(inside.order).toEqual(["nccl", "slurm"]);
    expect(flat.timeouts).toEqual(inside.timeouts);
  });

  it.each([
    [
      "heartbeet: 2s\n",
      "line 1",
      "no rule knows the timeout `heartbeet` (did you mean `heartbeat`?)",
    ],
    ["heartbeat: 2s\ncollective: 5\n", "line 2", "`collective` is 5, which is not a duration"],
    ["heartbeat: [2s]\n", "line 1", "`heartbeat` is a duration such as 30s"],
    ["timeouts: 5s\n", "line 1", "`timeouts` is a mapping"],
    ["- 5s\n", "line 1", "it has no timeouts"],
    ["timeouts: {}\n", "line 1", "it has no timeouts"],
    ["", "line 1", "it has no timeouts"],
    ["heartbeat: 2s\norder: heartbeat\n", "line 2", "`order` is a list of names"],
    [
      "heartbeat: 2s\norder: [heartbeat, nccl]\n",
      "line 1",
      "`order` names `nccl`, which has no value",
    ],
    ["a: [\n", "line", "not valid YAML"],
  ])("is refused with its line: %j", (text, place, problem) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: "E_EXPERIMENT",
        message: expect.stringContaining(problem) as string,
      }) as Error,
    );
    expect(() => parse(text)).toThrow(place);
  });
});
