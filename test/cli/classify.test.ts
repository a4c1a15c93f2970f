import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRunLines } from "../../src/cli/classify/read-runs.ts";
import type { CheckRun } from "../../src/validation/classify/index.ts";
import { tempDir } from "../support/temp-dir.ts";
import { type SmallFleet, smallFleet } from "../validation/classify/fleet.ts";
import { runHere } from "./in-process.ts";

interface Answer {
  readonly node: string | null;
  readonly check: string | null;
  readonly timestamp: string | number | null;
  readonly verdict: string;
  readonly reason: string;
  readonly findings: readonly Record<string, unknown>[];
}

function lineOf(run: CheckRun): string {
  const { node, check, sku, completed, figures } = run;
  const metrics = Object.fromEntries(
    [...figures].map(([name, { samples, ...rest }]) => [name, { ...rest, samples: [...samples] }]),
  );
  const timestamp = new Date(run.timestampMs).toISOString();
  return JSON.stringify({ node, check, timestamp, sku, completed, metrics });
}

async function classify(lines: readonly string[], ...flags: readonly string[]) {
  const file = join(await tempDir(), "runs.jsonl");
  await writeFile(file, lines.map((line) => `${line}\n`).join(""));
  return runHere(["classify", file, ...flags]);
}

function answersOf(stdout: string): Answer[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

const linesOf = (fleet: SmallFleet = {}) => smallFleet(fleet).map(lineOf);
const slowNode = (node: number) => (node === 7 ? { factor: 0.9 } : undefined);

describe("tessera classify --json", () => {
  test("prints one answer a line, in the order of the file, and ends with 0 when all is well", async () => {
    const lines = linesOf();
    const { code, stdout, stderr } = await classify(lines, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const answers = answersOf(stdout);
    const given = lines.map((line) => JSON.parse(line) as Answer);
    expect(answers.map(({ node, timestamp }) => [node, timestamp])).toEqual(
      given.map(({ node, timestamp }) => [node, timestamp]),
    );
    expect(Object.keys(answers[0] ?? {})).toEqual([
      "node",
      "check",
      "timestamp",
      "verdict",
      "reason",
      "findings",
    ]);
  });

  test("a failed node ends with 1, and its finding has value, bound and cohort", async () => {
    const { code, stdout } = await classify(linesOf({ odd: slowNode }), "--json");
    expect(code).toBe(1);
    const failed = answersOf(stdout).filter(({ verdict }) => verdict === "fail");
    expect(new Set(failed.map(({ node }) => node))).toEqual(new Set(["n007"]));
    const [finding] = failed[0]?.findings ?? [];
    expect(finding).toMatchObject({ metric: "throughput", rule: "band" });
    expect(Number(finding?.["value"])).toBeLessThan(Number(finding?.["bound"]));
    expect(finding?.["cohort"]).toBe("some-gpu throughput-test, 20 nodes");
  });

  test("a suspect ends with 3", async () => {
    const odd = (node: number, turn: number) => (turn === 2 ? slowNode(node) : undefined);
    expect((await classify(linesOf({ odd }), "--json")).code).toBe(3);
  });

  test.each([
    ["cut off", '{"node":"n001","check":"c","metr', /^Line 11 is not JSON/],
    ["a bare NaN", '{"node":"n001","samples":[NaN]}', /^Line 11 is not JSON/],
    ["empty", "", /^Line 11 is empty/],
    ["a list", "[1,2]", /^Line 11 is not a JSON object/],
    ["null", "null", /^Line 11 is not a JSON object/],
    ["no UTF-8 \uFFFD", "{}\uFFFD", /^Line 11 is not UTF-8/],
  ])(
    "a line that is %s is unknown, by its number, and the others go on",
    async (_, bad, reason) => {
      const lines = linesOf();
      const { code, stdout } = await classify(
        [...lines.slice(0, 10), bad, ...lines.slice(10)],
        "--json",
      );
      const answers = answersOf(stdout);
      expect(code).toBe(3);
      expect(answers).toHaveLength(lines.length + 1);
      expect(answers[10]).toMatchObject({
        node: null,
        check: null,
        timestamp: null,
        verdict: "unknown",
      });
      expect(answers[10]?.reason).toMatch(reason);
      expect(answers.filter(({ verdict }) => verdict === "pass")).toHaveLength(lines.length);
    },
  );

  test.each([
    ["no SKU", { sku: undefined }],
    ["a numeric node", { node: 5 }],
    ["no time", { timestamp: "yesterday" }],
    ["no metrics", { metrics: null }],
    [
      "text among its samples",
      { metrics: { throughput: { samples: ["100", 99], higherIsBetter: true } } },
    ],
    [
      "null among its samples",
      { metrics: { throughput: { samples: [null, 99], higherIsBetter: true } } },
    ],
    ["no direction", { metrics: { throughput: { samples: [100] } } }],
    ["a completed that is only truthy", { completed: "true" }],
  ])("a run with %s is unknown", async (_, change) => {
    const [first = "", ...rest] = linesOf();
    const odd = JSON.stringify({ ...(JSON.parse(first) as object), ...change });
    const { code, stdout } = await classify([odd, ...rest], "--json");
    expect(answersOf(stdout)[0]?.verdict).toBe("unknown");
    expect(code).toBe(3);
  });

  test("Unix times in seconds and milliseconds order a history like texts do", async () => {
    const lines = linesOf({ odd: (node, turn) => (turn === 1 ? slowNode(node) : undefined) });
    const other = lines.map((line, at) => {
      const run = JSON.parse(line) as { timestamp: string };
      const timeMs = Date.parse(run.timestamp);
      return JSON.stringify({ ...run, timestamp: at % 2 === 0 ? timeMs : timeMs / 1000 });
    });
    const verdicts = async (given: readonly string[]) =>
      answersOf((await classify(given, "--json")).stdout).map(({ verdict }) => verdict);
    expect(await verdicts(other)).toEqual(await verdicts(lines));
  });

  test("an empty file decides nothing", async () => {
    expect(await classify([], "--json")).toEqual({ code: 3, stdout: "", stderr: "" });
  });
});

describe("tessera classify for people", () => {
  test("lists what does not pass, worst first, and counts the rest", async () => {
    const { stdout } = await classify([...linesOf({ odd: slowNode }), "oops\u001b[31m"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[1]).toMatch(/^fail +n007 +throughput-test +2026-06-01T/);
    expect(lines.at(-1)).toBe("61 runs: 57 pass, 3 fail, 1 unknown.");
    expect(stdout).not.toContain("\u001b");
  });

  test("--all lists the others too", async () => {
    const { stdout } = await classify(linesOf(), "--all");
    expect(stdout.match(/^pass /gm)).toHaveLength(60);
  });

  test("--junit has a case for each run", async () => {
    const junit = join(await tempDir(), "runs.xml");
    await classify(linesOf({ odd: slowNode }), "--junit", junit);
    const xml = await readFile(junit, "utf8");
    expect(xml.match(/<testcase /g)).toHaveLength(60);
    expect(xml.match(/<failure/g)).toHaveLength(3);
  });
});

describe("the file", () => {
  test("one that is not there ends with 2", async () => {
    const { code, stderr } = await runHere(["classify", "/nonexistent/runs.jsonl"]);
    expect(code).toBe(2);
    expect(stderr).toContain("E_FILE_READ");
  });

  test("limits hold: long lines are unknown, more lines or bytes than allowed are refused", async () => {
    const file = join(await tempDir(), "runs.jsonl");
    await writeFile(file, `${"x".repeat(100)}\n{}\n`);
    const [first] = await readRunLines(file, { lineCharsMax: 50 });
    expect(first?.problem).toBe("is longer than 50 characters");
    await expect(readRunLines(file, { linesMax: 1 })).rejects.toThrow("more than 1 lines");
    await expect(readRunLines(file, { fileBytesMax: 20 })).rejects.toThrow("larger than 20 B");
  });

  test("a byte order mark and Windows line ends do no harm", async () => {
    const file = join(await tempDir(), "runs.jsonl");
    await writeFile(file, `\uFEFF${linesOf().slice(0, 2).join("\r\n")}\r\n`);
    const lines = await readRunLines(file, {});
    expect(lines.map(({ node }) => node)).toEqual(["n000", "n000"]);
  });
});
