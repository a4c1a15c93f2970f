import { describe, expect, it } from "vitest";
import { pollMonitor } from "../../../../src/hardware/detectors/nvsentinel/syslog-monitor.ts";

const record = (sequence: number, atMs = 0) => ({ sequence, text: `line ${sequence}`, atMs });
const log = (sequences: readonly number[], bootId = "a", nowMs = 0) => ({
  records: sequences.map((each) => record(each)),
  bootId,
  nowMs,
});

describe("pollMonitor", () => {
  it("loses what was there before its first look, and reads what comes after", () => {
    const first = pollMonitor({}, log([1, 2, 3]));
    expect(first.records).toEqual([]);
    const second = pollMonitor(first.state, log([1, 2, 3, 4, 5]));
    expect(second.records.map(({ sequence }) => sequence)).toEqual([4, 5]);
    expect(pollMonitor(second.state, log([1, 2, 3, 4, 5])).records).toEqual([]);
  });

  it("loses the first line of an empty log: it finds no end to remember", () => {
    const first = pollMonitor({}, log([]));
    expect(pollMonitor(first.state, log([1])).records).toEqual([]);
  });

  it("reads a new boot from its beginning, and says that the machine was restarted", () => {
    const first = pollMonitor({}, log([1, 2, 3]));
    const after = pollMonitor(first.state, log([1, 2], "b"));
    expect(after.rebooted).toBe(true);
    expect(after.records).toHaveLength(2);
    expect(pollMonitor(after.state, log([1, 2, 3], "b"))).toMatchObject({
      rebooted: false,
      records: [{ sequence: 3 }],
    });
  });

  it("leaves out lines of a new boot that are older than two hours", () => {
    const nowMs = 10_000_000;
    const records = [record(1, nowMs - 7_200_001), record(2, nowMs - 7_200_000)];
    const after = pollMonitor({ cursor: 9, bootId: "a" }, { records, bootId: "b", nowMs });
    expect(after.records.map(({ sequence }) => sequence)).toEqual([2]);
  });
});
