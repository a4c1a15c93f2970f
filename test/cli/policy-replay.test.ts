import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../support/temp-dir.ts";
import { runHere } from "./in-process.ts";

interface Shape {
  readonly policies: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const small = ["--nodes", "24", "--days", "10", "--defects", "40", "--seed", "3"];

async function logFile(): Promise<string> {
  const path = join(await tempDir(), "fleet.jsonl");
  const { code, stderr } = await runHere(["simulate", "fleet", ...small, "--out", path]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return path;
}

describe("tessera simulate fleet", () => {
  it("writes to stdout what it writes to a file, and nothing else", async () => {
    const path = join(await tempDir(), "fleet.jsonl");
    const tiny = ["simulate", "fleet", "--nodes", "2", "--days", "10", "--seed", "3"];
    const { code, stdout, stderr } = await runHere(tiny);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await runHere([...tiny, "--out", path]);
    expect(stdout).toBe(await readFile(path, "utf8"));
    expect(await readdir(join(path, ".."))).toEqual(["fleet.jsonl"]);
    const [header = "", ...events] = stdout.trim().split("\n");
    expect(JSON.parse(header)).toMatchObject({ type: "fleet", start: 0, end: 864_000 });
    expect(events.every((line) => line.startsWith('{"type":"'))).toBe(true);
  });

  it("says what it wrote, for people and for programs", async () => {
    const path = join(await tempDir(), "fleet.jsonl");
    const args = ["simulate", "fleet", ...small, "--out", path];
    const { stdout } = await runHere(args);
    expect(stdout).toMatch(/^\d+ events, \d+ defects \(simulated\): .*fleet\.jsonl\n$/);
    const told = JSON.parse((await runHere([...args, "--json"])).stdout) as object;
    expect(told).toMatchObject({ file: path, seed: "3" });
  });

  it.each([
    ["--nodes", "0"],
    ["--nodes", "2.5"],
    ["--days", "x"],
    ["--utilisation", "1"],
    ["--evidence", "-1"],
    ["--in-flight", ""],
  ])("refuses %s %s", async (flag, value) => {
    const { code, stderr } = await runHere(["simulate", "fleet", `${flag}=${value}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(flag);
  });

  it("refuses a fleet that would fill the disk", async () => {
    const args = ["simulate", "fleet", "--nodes", "10000", "--days", "366"];
    const { code, stderr } = await runHere(args);
    expect(code).toBe(2);
    expect(stderr).toContain("at most 500000");
  });
});

describe("tessera policy replay", () => {
  it("prints the contract's JSON, the policies in the order asked for", async () => {
    const path = await logFile();
    const args = [
      "policy",
      "replay",
      path,
      "--policies",
      "stale,risk,random",
      "--seed",
      "5",
      "--json",
    ];
    const { code, stdout, stderr } = await runHere(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { policies } = JSON.parse(stdout) as Shape;
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(["policies"]);
    expect(Object.keys(policies)).toEqual(["stale", "risk", "random"]);
    for (const metrics of Object.values(policies)) {
      expect(Object.keys(metrics)).toEqual([
        "meanTimeToDetectHours",
        "p90TimeToDetectHours",
        "exposureNodeHours",
        "coverage",
        "testsRun",
        "gpuHours",
        "falseQuarantines",
        "undetected",
      ]);
      expect(Object.values(metrics).every((value) => Number.isFinite(value))).toBe(true);
    }
    expect((await runHere(args)).stdout).toBe(stdout);
  });

  it("compares all policies in a table when nothing else is asked for", async () => {
    const { code, stdout } = await runHere(["policy", "replay", await logFile()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^policy +mean time to detect +p90 +undetected/);
    expect(stdout).toMatch(/^risk finds defects [\d.]+ times as soon as stale, for [\d.]+ times/m);
  });

  it("says so when there was nothing to find", async () => {
    const path = join(await tempDir(), "fleet.jsonl");
    await runHere(["simulate", "fleet", ...small, "--defects", "0", "--out", path]);
    const { stdout } = await runHere(["policy", "replay", path, "--policies", "stale"]);
    expect(stdout).toContain("no defects");
    const { policies } = JSON.parse(
      (await runHere(["policy", "replay", path, "--policies", "stale", "--json"])).stdout,
    ) as Shape;
    expect(policies["stale"]?.["meanTimeToDetectHours"]).toBeNull();
  });

  it.each(["", "risky", "stale,", "stale,stale"])("refuses --policies=%s", async (names) => {
    const { code, stderr } = await runHere(["policy", "replay", "x", `--policies=${names}`]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/There is no policy|twice/);
  });

  it("names the line that is not valid, and a file that is not there", async () => {
    const path = join(await tempDir(), "bad.jsonl");
    const [header = ""] = (await readFile(await logFile(), "utf8")).split("\n");
    await writeFile(path, `${header}\n{"type":"free","t":1,"node":"node-0001"}\n{"type":"fr`);
    const cut = await runHere(["policy", "replay", path]);
    expect(cut.code).toBe(2);
    expect(cut.stderr).toContain("E_LOG_INVALID");
    expect(cut.stderr).toContain("Line 3");
    const missing = await runHere(["policy", "replay", `${path}.none`]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("it does not exist");
  });
});
