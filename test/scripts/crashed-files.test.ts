import { describe, expect, it } from "vitest";
import { filesThatCrashed, withoutCrashed } from "../../scripts/lib/crashed-files.mjs";

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes("failed") ? "failed" : "passed",
  assertionResults: statuses.map((status) => ({ status })),
});
const report = (...testResults: ReturnType<typeof file>[]) => ({
  numFailedTests: testResults.filter(({ status }) => status === "failed").length,
  numPassedTests: -1,
  testResults,
});

describe("a test file whose process ended early", () => {
  const good = file("good.test.ts", "passed", "skipped", "todo");
  const crashed = file("crashed.test.ts", "passed", "pending", "pending");

  it("is found by the tests that never ran", () => {
    expect(filesThatCrashed(report(good, crashed))).toEqual(["crashed.test.ts"]);
    expect(filesThatCrashed(report(good))).toEqual([]);
  });

  it("gets no second chance when a test failed", () => {
    expect(filesThatCrashed(report(crashed, file("bad.test.ts", "failed")))).toEqual([]);
    const broken = { ...file("broken.test.ts"), status: "failed" };
    expect(filesThatCrashed(report(crashed, broken))).toEqual([]);
  });

  it("does not count before it has run whole", () => {
    expect(withoutCrashed(report(good, crashed))).toMatchObject({
      testResults: [{ name: "good.test.ts" }],
      numPassedTests: 1,
      numFailedTests: 0,
      numPendingTests: 1,
      numTodoTests: 1,
    });
  });
});
