import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import type { CampaignPart, CampaignResult } from "../../../src/chaos/campaign/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { runAgent, runChaos } from "./table.ts";

const small = ["campaign", "--runs", "6", "--seed", "t", "--workers", "1"];

describe("tessera chaos campaign", () => {
  it("prints what it found for programs, and exits as it came out", async () => {
    const { code, stdout, stderr } = await runChaos(...small, "--json");
    const result = JSON.parse(stdout) as CampaignResult;
    expect(result).toMatchObject({
      format: "tessera-chaos-campaign/1",
      seed: "t",
      runs: 6,
      range: [0, 6],
    });
    expect({ code, stderr }).toEqual({ code: result.outcome === "pass" ? 0 : 1, stderr: "" });
    expect(result.canaries.map(({ found }) => found)).toEqual([true, true, true, true]);
  });

  it("says it for people, and saves runs, reproducers, a page and JUnit where it is told to", async () => {
    const folder = await tempDir();
    const out = join(folder, "out");
    const [html, junit] = [join(folder, "page.html"), join(folder, "junit.xml")];
    const range = ["--range", "4:6", "--seed", "t", "--workers", "1"];
    const files = ["--html", html, "--junit", junit, "--out", out];
    const { stdout } = await runChaos("campaign", ...range, ...files);
    expect(stdout).toMatch(/recoveries in a row: \d+ up to the last run/);
    expect(stdout).toContain("cursorOffByOne");
    expect(stdout).toContain("simulated time");
    const part = JSON.parse(await readFile(join(out, "runs.json"), "utf8")) as CampaignPart;
    expect(part.runs.map(({ index }) => index)).toEqual([4, 5]);
    expect(await readdir(out)).toEqual(
      expect.arrayContaining(part.canaries.map(({ defect }) => `canary-${defect}.yaml`)),
    );
    expect(await readFile(html, "utf8")).toContain("<svg");
    const cases = new XMLParser().parse(await readFile(junit, "utf8")) as object;
    expect(Object.keys(cases)).toContain("testsuites");
    const again = await runChaos("run", join(out, "canary-lostUndo.yaml"), "--json");
    expect(again.code).toBe(1);
  });

  it.each([
    [["--runs", "0"], "--runs"],
    [["--runs", "ten"], "--runs"],
    [["--runs", "3", "--range", "0:3"], "not both"],
    [["--range", "5"], "--range"],
    [["--minutes", "0"], "--minutes"],
    [["--runs", "3", "--workers", "0"], "--workers"],
    [["--runs", "3", "--on", "slurm"], "--tasks"],
    [["--runs", "3", "--on", "slurm", "--tasks", "0"], "--tasks"],
    [["--runs", "3", "--on", "slurm", "--tasks", "2", "--at-once", "x"], "--at-once"],
    [["--runs", "3", "--on", "slurm", "--tasks", "2", "--time", "10"], "--time"],
    [["--runs", "3", "--on", "slurm", "--tasks", "2", "--time", "0"], "--time"],
    [["--runs", "3", "--time", "2h"], "belongs to --on slurm"],
    [["--runs", "3", "--on", "slurm", "--tasks", "2", "--results", "/a%b"], "--results"],
    [["--runs", "3", "--on", "slurm", "--tasks", "2", "--pods", "2"], "belongs to --on kubernetes"],
    [["--minutes", "3", "--on", "slurm", "--tasks", "2"], "--minutes"],
    [["--runs", "3", "--tasks", "2"], "belongs to --on slurm"],
    [["--runs", "3", "--qos", "scavenger"], "belongs to --on slurm"],
    [["--runs", "3", "--on", "kubernetes", "--pods", "2"], "--image"],
  ])("refuses %j", async (args, told) => {
    const { code, stderr } = await runChaos("campaign", ...args);
    expect(code).toBe(2);
    expect(stderr).toContain("E_USAGE");
    expect(stderr).toContain(told);
  });

  it.each([[[]], [["--range", "5:5"]], [["--range", "9:2"]]])(
    "cannot run without an end or a beginning: %j",
    async (args) => {
      const { code, stderr } = await runChaos("campaign", ...args);
      expect(code).toBe(2);
      expect(stderr).toContain("E_CAMPAIGN");
    },
  );
});

describe("tessera agent campaign-worker", () => {
  it("is nothing for people", async () => {
    const { code, stderr } = await runAgent("campaign-worker");
    expect(code).toBe(2);
    expect(stderr).toContain("Only Tessera itself");
  });
});
