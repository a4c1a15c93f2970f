import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import {
  type AllocationRequest,
  allocationArguments,
  batchScript,
} from "../../../../src/runtime/ranks/slurm/index.ts";
import { stepArguments } from "../../../../src/runtime/ranks/slurm/step-arguments.ts";

const request: AllocationRequest = {
  ...{ name: "tessera-all-reduce", nodes: 2, ranksPerNode: 8, gpus: true },
  ...{ exclude: [], nodelist: [], timeLimitMs: 1_800_000 },
};

describe("what Slurm is asked for", () => {
  test("an allocation takes whole nodes, with as many GPUs as ranks", () => {
    expect(allocationArguments(request)).toEqual([
      "--job-name=tessera-all-reduce",
      "--nodes=2",
      "--ntasks-per-node=8",
      "--exclusive",
      "--gpus-per-node=8",
      "--time=30",
    ]);
  });

  test("an allocation without GPUs asks for none, and names what is named", () => {
    const named = {
      partition: "tessera",
      account: "infra",
      qos: "scavenger",
      reservation: "night",
    };
    const nodes = { nodelist: ["g0", "g1"], exclude: ["g2", "g3"] };
    const asked = allocationArguments({
      ...request,
      ...named,
      ...nodes,
      gpus: false,
      timeLimitMs: 1,
    });
    expect(asked.filter((word) => word.includes("gpu"))).toEqual([]);
    expect(asked).toEqual(
      expect.arrayContaining([
        ...["--partition=tessera", "--account=infra", "--qos=scavenger", "--reservation=night"],
        ...["--nodelist=g0,g1", "--exclude=g2,g3", "--time=1"],
      ]),
    );
  });

  test("a step has one task a rank, one GPU a task, and no PMI", () => {
    const step = { jobId: 7, nodes: ["g0", "g1"], ranks: 16, ranksPerNode: 8, gpus: true };
    expect(stepArguments(step)).toEqual(
      expect.arrayContaining([
        ...["--jobid=7", "--nodes=2", "--nodelist=g0,g1", "--ntasks=16", "--ntasks-per-node=8"],
        ...["--gpus-per-task=1", "--mpi=none", "--distribution=block", "--kill-on-bad-exit=1"],
      ]),
    );
  });

  test("a step over TCP asks for no GPU, and fewer ranks than a node holds are all on it", () => {
    const step = { jobId: 7, nodes: ["g0"], ranks: 2, ranksPerNode: 8, gpus: false };
    const asked = stepArguments(step);
    expect(asked).toContain("--ntasks-per-node=2");
    expect(asked.some((word) => word.includes("gpu"))).toBe(false);
  });
});

describe("the script for sbatch", () => {
  const input = { op: "all-reduce", note: "it's $HOME and `date`" };
  const script = batchScript(request, {
    program: "/shared/it's here/tessera",
    task: "collective",
    input,
  });

  test("is a shell script with the options of the allocation and one step", () => {
    execFileSync("/bin/sh", ["-n"], { input: script });
    expect(script.split("\n").filter((line) => line.startsWith("#SBATCH "))).toHaveLength(6);
    expect(script).toContain("--gpus-per-task=1");
    expect(script).not.toContain("--label");
  });

  test("gives every rank its input and a secret of the job's own, and holds none itself", () => {
    const stub = `srun() { for last; do [ "$last" = agent ] && break; word=$last; done;
      printf '%s\\n' "$word" "$TESSERA_RANK_INPUT" "$TESSERA_RANK_SECRET"; }\n`;
    const run = () =>
      execFileSync("/bin/sh", { input: stub + script.replace("exec srun", "srun") })
        .toString()
        .split("\n");
    const [program, told = "", secret = ""] = run();
    expect(program).toBe("/shared/it's here/tessera");
    expect(JSON.parse(told)).toEqual(input);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(run()[2]).not.toBe(secret);
  });
});
