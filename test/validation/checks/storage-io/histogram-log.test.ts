import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseFioReport } from "../../../../src/validation/checks/storage-io/fio-report.ts";
import {
  latencyOfBin,
  parseHistogramLog,
  type Stretch,
  windowsOf,
} from "../../../../src/validation/checks/storage-io/histogram-log.ts";
import { captured } from "./support.ts";

const jobs = ["multi-write_clat_hist.1.log", "multi-write_clat_hist.2.log"].map((name) =>
  parseHistogramLog(captured(name)),
);

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

/** Requests that all took as long as bin 500 says. */
function stretch(fromMs: number, toMs: number, requests: number): Stretch {
  const counts = new Float64Array(1856);
  counts[500] = requests;
  return { fromMs, toMs, counts };
}

describe("a histogram log", () => {
  test("counts every request that the report counts, up to its last line", () => {
    const parsed = parseFioReport(captured("multi-write.json"), "write");
    if ("problem" in parsed) throw new Error(parsed.problem);
    const counted = sum(jobs.flat().flatMap(({ counts }) => [...counts]));
    const ends = jobs.map((stretches) => stretches.at(-1)?.toMs ?? 0);
    const expected = (parsed.report.requests * Math.min(...ends)) / parsed.report.runtimeMs;
    expect(counted / expected).toBeGreaterThan(0.8);
    expect(counted).toBeLessThanOrEqual(parsed.report.requests + 2 * 16);
  });

  test("gives a rate for each window, which add up to what the report counts", () => {
    const parsed = parseFioReport(captured("multi-write.json"), "write");
    if ("problem" in parsed) throw new Error(parsed.problem);
    const { report } = parsed;
    const windows = windowsOf(jobs, { windowMs: 250, spanMs: 1000, requests: report.requests });
    expect(windows.length).toBe(4);
    const total = sum(windows.map(({ requestsPerSecond }) => requestsPerSecond / 4));
    expect(total).toBeCloseTo(report.requests, 6);
    for (const { p99Ns = report.latencyMeanNs } of windows) {
      expect(p99Ns).toBeGreaterThan(report.latencyMeanNs / 10);
      expect(p99Ns).toBeLessThanOrEqual(1.02 * report.latencyMaxNs);
    }
  });

  test.each([
    ["too few bins", "250, 1, 1048576, 0, 0, 1\n"],
    ["words", `250, 1, 1048576${", x".repeat(1856)}\n`],
    ["time that goes back", `250, 1, 1${", 0".repeat(1856)}\n100, 1, 1${", 0".repeat(1856)}\n`],
  ])("with %s is refused", (_, text) => {
    expect(() => parseHistogramLog(text)).toThrow("no line of a histogram log");
  });
});

describe("windows", () => {
  const ratesOf = (...[logs, options]: Parameters<typeof windowsOf>) =>
    windowsOf(logs, options).map(({ requestsPerSecond }) => Math.round(requestsPerSecond));

  test("a stall shows in every window it lasted", () => {
    const job = [stretch(0, 100, 100), stretch(100, 400, 30)];
    const rates = ratesOf([job], { windowMs: 100, spanMs: 400, requests: 130 });
    expect(rates).toEqual([1000, 100, 100, 100]);
  });

  test("a window in which nothing completed is 0 requests and no latency", () => {
    const job = [stretch(0, 100, 5), stretch(100, 200, 0)];
    const windows = windowsOf([job], { windowMs: 100, spanMs: 200, requests: 5 });
    expect(windows[1]).toEqual({ requestsPerSecond: 0, p99Ns: undefined });
  });

  test("what came after the last line is the rest of what was counted", () => {
    const job = [stretch(0, 100, 10)];
    expect(ratesOf([job], { windowMs: 100, spanMs: 200, requests: 14 })).toEqual([100, 40]);
    // What was in flight at the end may be in a log and not in the count.
    expect(ratesOf([job], { windowMs: 100, spanMs: 200, requests: 9 })).toEqual([100, 0]);
  });

  test("a job that completed nothing takes nothing from the others' windows", () => {
    const jobsOfGroup = [[stretch(0, 100, 10), stretch(100, 200, 10)], []];
    const options = { windowMs: 100, spanMs: 200, requests: 20 };
    expect(ratesOf(jobsOfGroup, options)).toEqual([100, 100]);
  });

  test("less than a window is none", () => {
    expect(ratesOf([[stretch(0, 80, 9)]], { windowMs: 100, spanMs: 80, requests: 9 })).toEqual([]);
    const almost = ratesOf([[stretch(0, 95, 19)]], { windowMs: 100, spanMs: 95, requests: 19 });
    expect(almost).toEqual([200]);
  });

  test("the one slow request in a hundred is seen", () => {
    const counts = new Float64Array(1856);
    counts[300] = 98;
    counts[900] = 2;
    const options = { windowMs: 100, spanMs: 100, requests: 100 };
    const [window] = windowsOf([[{ fromMs: 0, toMs: 100, counts }]], options);
    expect(window?.p99Ns).toBe(latencyOfBin(900));
  });

  test("no request is lost or made up, however the lines fall", () => {
    const lines = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.nat(1000)), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        fc.array(lines, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 10, max: 500 }),
        fc.nat(1000),
        (logs, windowMs, unlogged) => {
          const ends = logs.map((parts) => sum(parts.map(([ms]) => ms)));
          const stretches = logs.map((parts) => {
            let atMs = 0;
            return parts.map(([ms, requests]) => stretch(atMs, (atMs += ms), requests));
          });
          // A whole number of windows, so that none is cut off, with room after every last line.
          const spanMs = windowMs * (1 + Math.ceil(Math.max(...ends) / windowMs));
          const requests = unlogged + sum(logs.flat().map(([, count]) => count));
          const windows = windowsOf(stretches, { windowMs, spanMs, requests });
          const total = sum(windows.map((one) => (one.requestsPerSecond * windowMs) / 1000));
          expect(total).toBeCloseTo(requests, 6);
        },
      ),
    );
  });
});

describe("bins", () => {
  test("are in order and within 1 % of what they stand for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1855 }), (index) => {
        expect(latencyOfBin(index)).toBeGreaterThan(latencyOfBin(index - 1));
        const width = latencyOfBin(index) - latencyOfBin(index - 1);
        if (index > 128) expect(width / latencyOfBin(index)).toBeLessThan(0.02);
      }),
    );
  });

  test("are exact where they are one nanosecond wide", () => {
    expect([0, 1, 127].map(latencyOfBin)).toEqual([0, 1, 127]);
    expect(latencyOfBin(128)).toBe(129);
  });
});
