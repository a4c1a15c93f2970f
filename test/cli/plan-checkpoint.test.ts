import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planCheckpointCommand } from "../../src/cli/commands/plan-checkpoint.ts";
import { tempDir } from "../support/temp-dir.ts";
import { runHere } from "./in-process.ts";

const table = { specs: [planCheckpointCommand], groups: {} };
const plan = (...argv: readonly string[]) => runHere(["plan-checkpoint", ...argv], { table });
const usual = ["--nodes", "2048", "--write-s", "60", "--restart-s", "600"];

async function json(...argv: readonly string[]) {
  const { code, stdout, stderr } = await plan(...argv, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Record<string, unknown> & {
    readonly mtbfS: number;
    readonly writeS: number;
    readonly recommended: {
      readonly computeS: number;
      readonly ettr: number;
      readonly goodputGpus: number;
      readonly keep: number;
    };
    readonly shapes: readonly { readonly source: string; readonly shape: number }[];
    readonly rateSource: string;
  };
}

describe("tessera plan-checkpoint", () => {
  test("says first what to do, then what it is worth, then why", async () => {
    const { code, stdout, stderr } = await plan(...usual, "--step-s", "5");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Save after every 18m 35s of computing, 223 steps\.\n/);
    expect(stdout).toMatch(/job +2,048 nodes, 16,384 GPUs\n/);
    expect(stdout).toMatch(
      /fails +every 3h 6m on average: 3\.79 failures per 1,000 node-days, published/,
    );
    expect(stdout).toMatch(/ETTR +0\.853 modelled; 0\.7\d\d to 0\.8\d\d in nine of ten draws/);
    expect(stdout).toMatch(
      /goodput +the work of 13,9\d\d GPUs that never fail; 12,\d+ to 14,\d+ in/,
    );
    expect(stdout).not.toContain("beware");
    expect(stdout).toMatch(/the rest +saves 4\.6 %, lost work 4\.9 %, restarts 5\.2 %\n/);
    expect(stdout).toMatch(
      /flat +every interval from 11m 53s to 28m 55s is within 1 % of the best\n/,
    );
    expect(stdout).toMatch(/keep +2 checkpoints/);
    for (const form of ["Young", "Daly", "exact", "availability \\(NVIDIA\\)"]) {
      expect(stdout).toMatch(
        new RegExp(`^${form} +\\d+m \\d+s +2\\d\\d +0\\.85\\d +0\\.850$`, "m"),
      );
    }
    expect(stdout).toContain("•");
    expect(stdout).toMatch(/\(simulated, seed 0\)/);
  });

  test("gives programs every figure with where it comes from", async () => {
    const result = await json(...usual);
    expect(result).toMatchObject({
      source: "modelled",
      nodes: 2048,
      gpusPerNode: 8,
      seed: "0",
      blockingS: 60,
      restartS: 600,
      detectS: 0,
      recommended: { steps: null, keep: 2, boundByWrites: false },
    });
    expect(result.recommended.ettr).toBeCloseTo(0.8525, 3);
    expect(result.recommended.goodputGpus).toBeCloseTo(16_384 * result.recommended.ettr, 6);
    expect(result.shapes.map(({ source }) => source)).toEqual(Array(4).fill("simulated"));
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining(["forms", "improvements", "curve", "draws"]),
    );
  });

  test("a step that no interval can hold is named, and that hardly anything gets done", async () => {
    const { code, stdout } = await plan(...usual, "--step-s", "20000");
    expect(code).toBe(0);
    expect(stdout).toMatch(/beware +bound by the step: one takes 5h 33m/);
    expect(stdout).toMatch(/beware +less than half of the time is productive/);
  });

  test("a seed repeats what is simulated, another changes nothing but that", async () => {
    const first = await json(...usual, "--seed", "7");
    expect(await json(...usual, "--seed", "7")).toEqual(first);
    const other = await json(...usual, "--seed", "8");
    expect(other.shapes).not.toEqual(first.shapes);
    expect(other.recommended.computeS).toBe(first.recommended.computeS);
  });

  test.each([
    ["a rate", ["--failures-per-1000-node-days", "7.58"], 2],
    ["the time between failures of a node", ["--mtbf-hours-per-node", "3166.2269"], 2],
    ["failures that were seen", ["--failures", "758", "--node-days", "100000"], 2],
    ["twice the GPUs in a node", ["--gpus-per-node", "16"], 2],
    ["nothing: the published rate", [], 1],
  ])("takes the failure rate from %s", async (_, argv, times) => {
    const { mtbfS } = await json(...usual, ...argv);
    expect(mtbfS * times).toBeCloseTo(11_131.3, 0);
  });

  test("takes the time of a write from size and bandwidth, and the space from the size", async () => {
    const argv = ["--nodes", "64", "--restart-s", "300", "--checkpoint-gib", "1000"];
    const result = await json(...argv, "--bandwidth-gbps", "100", "--unseen-s", "86400");
    expect(result.writeS).toBeCloseTo((1000 * 2 ** 30 * 8) / 100e9, 9);
    expect(result.recommended).toMatchObject({ keepGib: 1000 * result.recommended.keep });
    const { stdout } = await plan(...argv, "--write-s", "86");
    expect(stdout).toMatch(/keep +2 checkpoints: the newest may be damaged; 1\.95 TiB of space/);
  });

  test("asynchronous saves and slow detection show in what it says", async () => {
    const { stdout } = await plan(...usual, "--async-blocking-s", "2", "--detect-s", "300");
    expect(stdout).toMatch(
      /saves +2 s each, written after 1m; a restart takes 10m and detection 5m\n/,
    );
    expect(stdout).toMatch(/detection 2\.\d %/);
    expect(stdout).toMatch(/availability form never saves faster than failures are found/);
    const bound = await plan(...usual, "--async-blocking-s", "0.01");
    expect(bound.stdout).toMatch(/bound by writes/);
    expect(stdout).not.toMatch(/bound by writes/);
  });

  test("corruption that stays unseen for a day is outlived by what is kept", async () => {
    const { stdout } = await plan(...usual, "--unseen-s", "86400");
    expect(stdout).toMatch(
      /keep +76 checkpoints: two are then older than errors stay unseen \(1d\); 8 do when/,
    );
  });

  test("says where the first-order form does not hold", async () => {
    const large = ["--nodes", "16384", "--failures-per-1000-node-days", "6.5", ...usual.slice(2)];
    const { stdout } = await plan(...large);
    expect(stdout).toMatch(/^exact +4m 33s +0\.316 +0\.075 \(does not hold\)$/m);
    expect(stdout).toMatch(/it holds only up to 15 %/);
    expect((await plan(...usual)).stdout).not.toContain("does not hold");
  });

  test("writes a page with plots and a JUnit file", async () => {
    const folder = await tempDir();
    const [html, junit] = [join(folder, "plan.html"), join(folder, "plan.xml")];
    const { code } = await plan(...usual, "--html", html, "--junit", junit);
    expect(code).toBe(0);
    const page = await readFile(html, "utf8");
    expect(page.match(/<svg/g)).toHaveLength(3);
    expect(page).toContain("within 1 % of the best");
    expect(page).toContain("simulated");
    expect(page).not.toMatch(/Verdict:/);
    expect(await readFile(junit, "utf8")).toMatch(/<testcase[^>]*name="Interval"/);
  });
});

describe("tessera plan-checkpoint refuses", () => {
  test.each([
    [["--write-s", "60", "--restart-s", "1"], "Give --nodes."],
    [["--nodes", "8", "--write-s", "60"], "Give --restart-s."],
    [
      ["--nodes", "8", "--restart-s", "1"],
      "Give --write-s, or --checkpoint-gib and --bandwidth-gbps.",
    ],
    [["--nodes", "8", "--restart-s", "1", "--checkpoint-gib", "4"], "Give --write-s, or"],
    [[...usual, "--bandwidth-gbps", "4"], "--write-s and --bandwidth-gbps say the same"],
    [
      ["--nodes", "8", "--restart-s", "1", "--checkpoint-gib", "4", "--bandwidth-gbps", "0"],
      "above 0",
    ],
    [["--nodes", "8", "--write-s", "0", "--restart-s", "1"], "The time of a write is above 0"],
    [["--nodes", "8", "--write-s", "1e3", "--restart-s", "1"], "`--write-s 1e3` is not a number"],
    [
      ["--nodes", "1.5", "--write-s", "1", "--restart-s", "1"],
      "`--nodes 1.5` is not a whole number",
    ],
    [[...usual, "--gpus-per-node", "0"], "a node of the job has a GPU"],
    [[...usual, "--failures", "3"], "--failures and --node-days belong together"],
    [[...usual, "--mtbf-hours-per-node", "0"], "no time between failures"],
    [[...usual, "--mtbf-hours-per-node", "9", "--failures-per-1000-node-days", "4"], "once"],
    [[...usual, "--failures", "3", "--node-days", "9", "--rate-uncertainty", "9"], "stated rate"],
    [[...usual, "--failures-per-1000-node-days", "x"], "`--failures-per-1000-node-days x` is not"],
    [
      [...usual, "--async-blocking-s", "61"],
      "cannot stop the job for 61 s when it is written after 60 s",
    ],
    [
      [...usual, "--detect-s", "12000"],
      "needs 12600 s to come back, so hardly any work gets done, 29 % of the time at best",
    ],
    [
      ["--nodes", "2048", "--write-s", "12000", "--restart-s", "0"],
      "a save takes 12000 s, so hardly any work gets done, 14 % of the time at best",
    ],
  ])("%j", async (argv, problem) => {
    const { code, stdout, stderr } = await plan(...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^E_USAGE: /);
    expect(stderr).toContain(problem);
  });
});
