import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../cli/options.ts";
import { ClusterError } from "../errors.ts";
import { completeShape } from "../machine/availability.ts";
import { parseHierarchies } from "../machine/cgroups.ts";
import { isRunning, parseProcessStat, processStat } from "../machine/processes.ts";
import { checkClusterName } from "../registry/names.ts";

describe("the command line", () => {
  it("is read with its defaults", () => {
    expect(parseCommandLine(["up"])).toEqual({
      command: "up",
      name: "default",
      shape: completeShape({}),
      install: false,
      json: false,
    });
    const full = ["up", "--nodes", "2", "--kwok", "50", "--volcano", "--name", "a", "--install"];
    expect(parseCommandLine([...full, "--json"])).toMatchObject({
      name: "a",
      shape: { nodes: 2, kwok: 50, volcano: true },
      install: true,
      json: true,
    });
    const slurm = ["up", "--slurm", "4", "--slurm-accounting"];
    expect(parseCommandLine(slurm).shape).toEqual(
      completeShape({ slurm: 4, slurmAccounting: true }),
    );
    expect(parseCommandLine(["up", "--slurm", "4", "--no-kubernetes"]).shape).toEqual(
      completeShape({ kubernetes: false, slurm: 4 }),
    );
    expect(parseCommandLine([]).command).toBe("help");
    expect(parseCommandLine(["up", "--help"]).command).toBe("help");
  });

  it.each([
    [["sideways"], /no command "sideways"/],
    [["up", "down"], /one word too many/],
    [["up", "--nodes", "two"], /--nodes takes a whole number/],
    [["up", "--nodes", "21"], /from 0 to 20/],
    [["up", "--kwok=-1"], /--kwok takes/],
    [["up", "--slurm", "33"], /from 0 to 32/],
    [["up", "--slurm-accounting"], /needs --slurm/],
    [["up", "--no-kubernetes"], /leaves nothing/],
    [["up", "--no-kubernetes", "--slurm", "2", "--kwok", "1"], /--kwok .*refuses/],
    [["up", "--colour"], /--colour/],
    [["up", "--name", "../x"], /no cluster name/],
  ])("refuses %j with one line and exit status 2", (args, message) => {
    let thrown: unknown;
    try {
      parseCommandLine(args);
    } catch (problem) {
      thrown = problem;
    }
    expect(thrown).toBeInstanceOf(ClusterError);
    expect(thrown).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
    expect((thrown as Error).message).not.toContain("\n");
  });
});

describe("cluster names", () => {
  it("are short and plain", () => {
    expect(checkClusterName("test-12-1")).toBe("test-12-1");
    for (const name of ["", "1a", "a-", "A", "a b", "a/b", "x".repeat(33)]) {
      expect(() => checkClusterName(name)).toThrow(ClusterError);
    }
  });
});

describe("what /proc says", () => {
  it("is understood also for a process whose name holds blanks and brackets", () => {
    const tail = "S 7 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 4242 0 0";
    expect(parseProcessStat(`12 (a) (b c) ${tail}`)).toEqual({
      pid: 12,
      state: "S",
      parentPid: 7,
      startTicks: "4242",
    });
    expect(parseProcessStat("")).toBeUndefined();
  });

  it("tells this process from one that had its pid before", () => {
    const self = processStat(process.pid);
    expect(isRunning(self)).toBe(true);
    expect(isRunning({ pid: process.pid, startTicks: "1" })).toBe(false);
    expect(isRunning(undefined)).toBe(false);
  });

  it("gives the cgroup hierarchies of both versions and nothing else", () => {
    const mountinfo = [
      "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
      "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu",
      "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw",
      "50 31 0:38 / /elsewhere rw,relatime - cgroup2 cgroup2 rw",
      "",
    ].join("\n");
    expect(parseHierarchies(mountinfo)).toEqual([
      { folder: "/sys/fs/cgroup/cpu", version: 1 },
      { folder: "/sys/fs/cgroup/unified", version: 2 },
    ]);
  });
});
