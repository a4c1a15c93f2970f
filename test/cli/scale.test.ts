import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scaleCommand } from "../../src/cli/commands/scale.ts";
import { deviceCountsIn } from "../../src/cli/scale/device-counts.ts";
import { tempDir } from "../support/temp-dir.ts";
import { runHere } from "./in-process.ts";

const table = { specs: [scaleCommand], groups: {} };
const scale = (...argv: readonly string[]) => runHere(["scale", ...argv], { table });
const h100 = ["--topology", "hgx-h100"];

async function json(...argv: readonly string[]) {
  const { code, stdout, stderr } = await scale(...argv, "--json");
  expect(stderr).toBe("");
  return { code, report: JSON.parse(stdout) };
}

async function fileOf(name: string, content: string): Promise<string> {
  const path = join(await tempDir(), name);
  await writeFile(path, content);
  return path;
}

const runs = [
  "devices,time_s",
  ...["1,8", "1,8.1", "1,8.2", "2,4.1", "2,4.15", "2,4.2", "4,2.2", "4,2.25", "4,2.3"],
  ...["8,1.4", "8,1.45", "8,1.5"],
];

describe("tessera scale, modelled", () => {
  test("gives programs one object of exactly these fields", async () => {
    const { code, report } = await json("strong", "--devices", "1,8,64", ...h100);
    expect(code).toBe(0);
    expect(Object.keys(report)).toEqual([
      "format",
      "version",
      "kind",
      "source",
      "topology",
      "workload",
      "deterministic",
      "baseDevices",
      "summary",
      "bottleneck",
      "points",
      "leftOut",
      "fits",
      "notes",
    ]);
    expect(report).toMatchObject({
      format: "tessera-scaling",
      version: 1,
      kind: "strong",
      source: "modelled",
      topology: "hgx-h100",
      workload: "gpt-1b",
      deterministic: false,
      baseDevices: 1,
    });
    expect(Object.keys(report.points[2]).toSorted()).toEqual(
      [
        ["devices", "relativeDevices", "runs", "timeS", "work", "throughput", "speedUp"],
        ["efficiency", "split", "memory", "tokensPerSecond", "modelFlopsShare", "partsS"],
        ["idealS", "lostS", "causesS", "aloneS", "bottleneck", "determinism", "groups"],
      ]
        .flat()
        .toSorted(),
    );
    const { causesS, lostS } = report.points[2];
    const causes = Object.values(causesS as Record<string, number>);
    expect(causes.reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(lostS, 9);
  });

  test("people get what limits it first, and nothing wider than the terminal", async () => {
    const { code, stdout } = await scale("strong", "--devices", "1,2,…,1024", ...h100);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^NIC-bound: of the device time that 1024 devices lose/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^1024 +1x1x1024 /m);
    expect(stdout).toMatch(/^1024 │█+·+│ \d+ %$/m);
    expect(stdout).toContain("All times are modelled, none was measured.");
    expect(stdout).toMatch(/Megatron-LM published an\nefficiency of 0.89|efficiency of 0.89/);
    expect(stdout).toMatch(/Knee: 512 devices/);
  });

  test("a workload of one's own, another network and a fixed order change the figures", async () => {
    const own = await fileOf(
      "own.yaml",
      "name: own\nzero: 0\nmodel: { layers: 8, hidden: 1024, sequence: 1024 }\nbatch: { global: 256, micro: 1 }\n",
    );
    const time = async (devices: string, ...argv: readonly string[]) => {
      const args = ["strong", "--devices", devices, "--workload", own, ...argv];
      const { report } = await json(...args);
      return report.points[1].timeS as number;
    };
    const cluster = await time("1,256", ...h100);
    expect(await time("1,256", "--topology", "hgx-h100+xdr")).toBeLessThan(cluster);
    const board = await time("1,8", ...h100);
    expect(await time("1,8", ...h100, "--deterministic")).toBeGreaterThan(board);
  });

  test("the page stands alone, says what limits it, and has its plots", async () => {
    const path = join(await tempDir(), "scaling.html");
    const { code } = await scale("weak", "--devices", "1..256", ...h100, "--html", path);
    expect(code).toBe(0);
    const page = await readFile(path, "utf8");
    expect(page).toContain("<h1>Weak scaling, limited by");
    expect(page.match(/<svg/g)?.length).toBeGreaterThanOrEqual(4);
    for (const title of [
      "Efficiency",
      "Speed-up over 1 device",
      "Where a step",
      "Karp and Flatt",
    ]) {
      expect(page).toContain(title);
    }
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
    expect(page).toContain("modelled");
    // Axes end where the counts do, and shares at the whole.
    expect(page).toContain(">256</text>");
    expect(page).not.toMatch(/>1,000<\/text>|>150%<\/text>/);
  });

  test("a required efficiency decides the exit code and stands in the report", async () => {
    const args = ["strong", "--devices", "1,64,1024", ...h100];
    const good = await json(...args, "--require-efficiency", "0.3");
    expect([good.code, good.report.verdict]).toEqual([0, "pass"]);
    const bad = await json(...args, "--require-efficiency", "0.85");
    expect([bad.code, bad.report.verdict, bad.report.verdicts[0].verdict]).toEqual([
      1,
      "fail",
      "fail",
    ]);
    const { stdout, code } = await scale(...args, "--require-efficiency", "0.85");
    expect([code, /^FAIL: efficiency of 85.0 %/m.test(stdout)]).toEqual([1, true]);
    const drop = await json(...args, "--max-drop", "0.5");
    expect([drop.code, drop.report.verdict]).toEqual([0, "pass"]);
  });

  test("an earlier report is the baseline of the knee", async () => {
    const args = ["strong", "--devices", "1..1024", ...h100];
    const { stdout } = await scale(...args, "--json");
    const baseline = await fileOf("before.json", stdout);
    expect((await json(...args, "--baseline", baseline)).code).toBe(0);
    const smaller = await json(...args, "--workload", "mini", "--baseline", baseline);
    expect([smaller.code, smaller.report.verdict]).toEqual([1, "fail"]);
    const noKnee = await fileOf("none.json", '{"fits": {"knee": {"status": "fitted"}}}');
    const { code, stderr } = await scale(...args, "--baseline", noKnee);
    expect([code, stderr.includes("has no knee")]).toEqual([2, true]);
  });

  test("counts that do not fit the memory are left out, and that is said", async () => {
    const args = ["strong", "--devices", "1,64,128", "--workload", "gpt-70b", ...h100];
    const { report } = await json(...args);
    expect(report.leftOut).toMatchObject([{ devices: 1 }]);
    expect(report.baseDevices).toBe(64);
    expect((await scale(...args)).stdout).toContain("Left out: 1 device, a device would need");
  });
});

describe("tessera scale, of a table", () => {
  test("fits the laws to the runs, with their medians and confidence", async () => {
    const path = await fileOf("runs.csv", runs.join("\n"));
    const { code, report } = await json("strong", "--table", path);
    expect(code).toBe(0);
    expect(report).toMatchObject({ source: "measured", table: path, baseDevices: 1 });
    expect(report).not.toHaveProperty("bottleneck");
    expect(report.points[0]).toMatchObject({ devices: 1, runs: 3, timeS: 8.1, efficiency: 1 });
    const { low, high } = report.points[3].efficiencyInterval;
    expect(low).toBeLessThan(high);
    expect(report.fits.models.usl.status).toBe("fitted");
    expect(report.fits.best).toMatchObject({ status: "inconclusive" });
  });

  test("the same seed gives the same report, another not", async () => {
    const path = await fileOf("runs.csv", runs.join("\n"));
    const first = await scale("strong", "--table", path, "--json", "--seed", "a");
    expect((await scale("strong", "--table", path, "--json", "--seed", "a")).stdout).toBe(
      first.stdout,
    );
    expect((await scale("strong", "--table", path, "--json", "--seed", "b")).stdout).not.toBe(
      first.stdout,
    );
  });

  test("what cannot be decided exits with 3, and what is surely below with 1", async () => {
    const path = await fileOf("runs.csv", runs.join("\n"));
    const near = await scale("strong", "--table", path, "--require-efficiency", "0.7");
    expect([near.code, near.stdout.includes("UNKNOWN:")]).toEqual([3, true]);
    expect((await scale("strong", "--table", path, "--require-efficiency", "0.9")).code).toBe(1);
    const page = join(await tempDir(), "runs.html");
    expect((await scale("strong", "--table", path, "--html", page)).code).toBe(0);
    expect(await readFile(page, "utf8")).toContain("Strong scaling, measured");
  });

  test("does not take the model's own report for runs", async () => {
    const { stdout } = await scale("strong", "--devices", "1,8,64", ...h100, "--json");
    const path = await fileOf("report.json", stdout);
    const { code, stderr } = await scale("strong", "--table", path);
    expect([code, stderr]).toEqual([2, expect.stringContaining("its times are modelled")]);
  });

  test("says in words that it is measured and what the shape says", async () => {
    const path = await fileOf("runs.csv", runs.join("\n"));
    const { stdout } = await scale("strong", "--table", path);
    expect(stdout).toMatch(/^The serial share /);
    expect(stdout).toContain("Times are measured");
    expect(stdout).toMatch(/^best law|^Best law: inconclusive/m);
  });
});

describe("tessera scale refuses", () => {
  test.each([
    [["strong"], /--topology for a modelled report, --table .*--measured/],
    [["strong", "--topology", "hgx-h10"], /E_TOPOLOGY.*did you mean/],
    [["strong", ...h100, "--devices", "0"], /not a whole number from 1/],
    [["strong", ...h100, "--devices", "1,x"], /`x` is not a whole number/],
    [["strong", ...h100, "--devices", "..8"], /a gap stands between two numbers/],
    [["strong", ...h100, "--devices", ","], /names no number/],
    [["strong", ...h100, "--workload", "gpt-8b"], /none of this name/],
    [["strong", ...h100, "--workload", "nowhere.yaml"], /E_FILE_READ/],
    [["strong", ...h100, "--ranks", "2"], /--ranks is for --measured/],
    [["strong", ...h100, "--require-efficiency", "85"], /not a share above 0, up to 1/],
    [["strong", "--table", "x.csv", ...h100], /--topology is for a modelled report/],
    [["strong", "--table", "nowhere.csv"], /E_FILE_READ/],
    [["strong", "--measured", "--devices", "2"], /--devices is not for --measured/],
    [["strong", "--measured", "--require-efficiency", "0.5"], /--require-efficiency is not for/],
    [["sideways", ...h100], /strong, weak/],
  ])("%j", async (argv, message) => {
    const { code, stderr, stdout } = await scale(...argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});

test.each([
  ["1..16", [1, 2, 4, 8, 16]],
  ["1,2,…,16", [1, 2, 4, 8, 16]],
  ["1, 2, ..., 12", [1, 2, 4, 8, 12]],
  ["72,4,8,8", [4, 8, 72]],
  ["3..20", [3, 6, 12, 20]],
])("the counts of %j", (given, counts) => {
  expect(deviceCountsIn(given)).toEqual(counts);
});
