import { describe, expect, test } from "vitest";
import { parseFioReport } from "../../../../src/validation/checks/storage-io/fio-report.ts";
import { captured } from "./support.ts";

function reportOf(text: string, which: "read" | "write" = "read") {
  const parsed = parseFioReport(text, which);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.report;
}

describe("a report of fio", () => {
  test("gives what was measured, in bytes, milliseconds and nanoseconds", () => {
    expect(reportOf(captured("read.json"))).toMatchObject({ version: "3.33", error: 0 });
    const { bytes, requests, runtimeMs, bytesPerSecond, latencyNs } = reportOf(
      captured("read.json"),
    );
    expect(requests).toBeGreaterThan(100);
    expect(bytesPerSecond).toBeCloseTo((1000 * bytes) / runtimeMs, -7);
    expect(Object.keys(latencyNs)).toEqual(["50.000000", "95.000000", "99.000000", "99.900000"]);
  });

  test("has nothing of the other direction", () => {
    expect(reportOf(captured("read.json"), "write")).toMatchObject({ requests: 0, bytes: 0 });
  });

  test("is one for all jobs of a group", () => {
    const { bytes, requests } = reportOf(captured("multi-write.json"), "write");
    // What was in flight when the time was up counts as bytes and not as requests.
    expect(bytes / 2 ** 20 - requests).toBeGreaterThanOrEqual(0);
    expect(bytes / 2 ** 20 - requests).toBeLessThanOrEqual(2 * 16);
  });

  test("says which error of the system ended it", () => {
    expect(reportOf(captured("mismatch.json")).error).toBe(84);
    expect(reportOf(captured("no-such-file.json")).error).toBe(2);
  });

  test("is found among notes", () => {
    const text = `note: queue depth will be capped at 1\n${captured("read.json")}\nbye\n`;
    expect(reportOf(text)).toEqual(reportOf(captured("read.json")));
  });
});

describe("what is no report", () => {
  const half = captured("read.json").slice(0, 4000);
  const noJob = captured("read.json").replace(/"jobs" : \[[\s\S]*?\n {2}\]/, '"jobs" : []');
  const noFigure = captured("read.json").replaceAll('"bw_bytes"', '"bandwidth"');

  test.each([
    ["nothing", "", "fio wrote no report"],
    ["only notes", "fio: engine nosuch not loadable\n", "fio wrote no report"],
    ["half of one", half, "fio wrote no report"],
    ["one that is no JSON", "{\n  nonsense\n}\n", "fio's report is not JSON"],
    ["one without jobs", noJob, "fio's report is not as it should be: jobs"],
    ["one without a figure", noFigure, "jobs.0.read.bw_bytes"],
  ])("is told as a problem and never read as 0: %s", (_, text, problem) => {
    expect(parseFioReport(text, "read")).toEqual({ problem: expect.stringContaining(problem) });
  });
});
