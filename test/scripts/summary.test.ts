import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { leaveCounts } from "../../scripts/lib/counts.ts";
import { root } from "../../scripts/lib/repository.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tessera-summary-"));
  vi.stubEnv("TEST_RESULTS_DIR", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function summary(...failedStages: string[]) {
  const script = join(root, "scripts", "summary.mjs");
  const result = spawnSync(process.execPath, [script, folder, ...failedStages], {
    encoding: "utf8",
  });
  const lines = result.stdout.trimEnd().split("\n");
  return { code: result.status, lines, last: lines.at(-1) };
}

describe("the summary of a run", () => {
  it("adds up every report and ends in one line", () => {
    leaveCounts("unit", { passed: 10, failed: 0, skipped: 2 });
    leaveCounts("cluster", { passed: 5, failed: 0, skipped: 1 });
    expect(summary()).toEqual({
      code: 0,
      lines: ["15 passed, 0 failed, 3 skipped"],
      last: "15 passed, 0 failed, 3 skipped",
    });
  });

  it("fails when a test failed", () => {
    leaveCounts("unit", { passed: 10, failed: 1, skipped: 0 });
    expect(summary("unit")).toMatchObject({
      code: 1,
      lines: ["failed: unit", "10 passed, 1 failed, 0 skipped"],
    });
  });

  it("counts a stage that failed without a failing test", () => {
    leaveCounts("unit", { passed: 10, failed: 0, skipped: 0 });
    expect(summary("check")).toMatchObject({ code: 1, last: "10 passed, 1 failed, 0 skipped" });
  });

  it("counts a test file that broke before its tests could run", () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 1,
      testResults: [
        { status: "failed", message: "no such module", assertionResults: [] },
        { status: "failed", assertionResults: [{ status: "failed" }] },
        { status: "passed", assertionResults: [{ status: "passed" }] },
      ],
    };
    writeFileSync(join(folder, "unit.json"), JSON.stringify(report));
    expect(summary()).toMatchObject({ code: 1, last: "3 passed, 2 failed, 1 skipped" });
  });

  it("names what failed and why, on one line each", () => {
    const failed = {
      name: "a.test.ts",
      status: "failed",
      assertionResults: [
        { status: "passed", fullName: "adds" },
        { status: "failed", fullName: "divides", failureMessages: ["expected 1\n    at x"] },
      ],
    };
    const broken = {
      name: "b.test.ts",
      status: "failed",
      message: "no such module",
      assertionResults: [],
    };
    const good = { name: "c.test.ts", status: "passed", assertionResults: [{ status: "passed" }] };
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [failed, broken, good],
    };
    writeFileSync(join(folder, "unit.json"), JSON.stringify(report));
    expect(summary("unit").lines).toEqual([
      "FAILED in unit.json: a.test.ts: divides: expected 1 at x",
      "FAILED in unit.json: b.test.ts: broke after 0 of 0 tests: no such module",
      "failed: unit",
      "3 passed, 2 failed, 0 skipped",
    ]);
  });

  it("counts a file whose process crashed, which vitest calls passed", () => {
    const crashed = {
      name: "a.test.ts",
      status: "passed",
      assertionResults: [{ status: "passed" }, { status: "pending" }, { status: "pending" }],
    };
    const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
    writeFileSync(join(folder, "unit.json"), JSON.stringify({ ...counts, testResults: [crashed] }));
    expect(summary()).toMatchObject({
      code: 1,
      lines: [
        "FAILED in unit.json: a.test.ts: broke after 1 of 3 tests: no reason given",
        "1 passed, 1 failed, 0 skipped",
      ],
    });
  });

  it("tells of a process that crashed and whose file then passed", () => {
    const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
    const report = { ...counts, testResults: [], crashed: ["a.test.ts"] };
    writeFileSync(join(folder, "unit.json"), JSON.stringify(report));
    expect(summary()).toMatchObject({
      code: 0,
      lines: ["its process crashed once: a.test.ts", "1 passed, 0 failed, 0 skipped"],
    });
  });

  it("counts a report that was cut off as a failure", () => {
    writeFileSync(join(folder, "unit.json"), '{"numPassed');
    expect(summary()).toMatchObject({ code: 1, last: "0 passed, 1 failed, 0 skipped" });
  });

  it("is not good when nothing ran", () => {
    expect(summary()).toMatchObject({ code: 1, last: "0 passed, 0 failed, 0 skipped" });
  });
});
