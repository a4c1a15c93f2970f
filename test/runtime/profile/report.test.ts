import { describe, expect, it } from "vitest";
import { type OpRecord, recordOp, session } from "../../../src/runtime/profile/index.ts";
import { allReduce, matmul, untimed } from "./records.ts";

function reportOf(records: readonly OpRecord[], options?: { rowsMax?: number }): string {
  return session((open) => {
    for (const record of records) recordOp(() => record);
    return open.report(options);
  });
}

describe("a report", () => {
  it("has the guide's five columns first, then bandwidths, shares and where the time comes from", () => {
    const measuredCopy: OpRecord = { ...untimed, op: "copy", timeUs: 8, source: "measured" };
    expect(reportOf([allReduce, matmul, untimed, measuredCopy])).toBe(
      [
        "Op         | Latency(ms) | FLOPs(G) | Bandwidth(GB/s) | Efficiency(%) |    Bytes | algbw(GB/s) | busbw(GB/s) | Link(%) | Bisection(%) | Aggregate(%) | Algorithm | Time",
        "-----------+-------------+----------+-----------------+---------------+----------+-------------+-------------+---------+--------------+--------------+-----------+---------",
        "all-reduce |       0.352 |        - |         190.650 |          41.8 | 67108864 |     190.650 |     376.004 |    41.8 |         41.8 |         20.9 | nvls      | modelled",
        "matmul     |       4.000 |    2.147 |           3.146 |          53.7 | 12582912 |           - |           - |       - |            - |            - | -         | modelled",
        "send-recv  |           - |        - |               - |             - |       16 |           - |           - |       - |            - |            - | -         | modelled",
        "copy       |       0.008 |        - |           0.002 |             - |       16 |           - |           - |       - |            - |            - | -         | measured",
        "Total measured: 1 operation, 0.008 ms, 16 bytes",
        "Total modelled: 3 operations, 4.352 ms, 79691792 bytes, 2.147 GFLOP, 1 of unknown time",
        "Efficiency is bus bandwidth over one GPU's link for collectives, achieved over peak FLOP/s for compute.",
        "- is unknown or does not apply.",
      ].join("\n"),
    );
  });

  it("of nothing says so", () => {
    expect(reportOf([])).toContain("Total: no operations");
  });

  it("never shows 0 for what nobody knows", () => {
    const row = reportOf([untimed]).split("\n")[2];
    expect(row).not.toMatch(/\b0\b|0\.0/);
  });

  it("shows a computed 0 as 0", () => {
    const row = reportOf([{ ...matmul, flops: 0 }]).split("\n")[2];
    expect(row).toMatch(/\| +4\.000 \| +0\.000 \|/);
  });

  it("does not cap an efficiency above the peak it was given", () => {
    expect(reportOf([{ ...matmul, peakGflops: 100 }])).toContain("536.9");
  });

  it("shows at most the rows asked for, and says how many more there are", () => {
    const text = reportOf([allReduce, allReduce, allReduce], { rowsMax: 1 });
    expect(text.match(/^all-reduce/gm)).toHaveLength(1);
    expect(text).toContain("... and 2 more operations");
    expect(text).toContain("Total modelled: 3 operations, 1.056 ms");
  });
});

describe("telemetry", () => {
  it("has every field of the format, with null for what is missing", () => {
    const [first, second] = session((open) => {
      recordOp(() => allReduce);
      recordOp(() => untimed);
      return open.toJson().events;
    });
    expect(Object.keys(first ?? {})).toEqual(
      "name source op shape dtype arch graph_hash schedule_hash kernel_id device stream rank latency_ms tflops bandwidth_gbps memory_bytes status counters metadata timestamp bottleneck".split(
        " ",
      ),
    );
    expect(first).toMatchObject({
      latency_ms: 0.352,
      tflops: null,
      status: "ok",
      bottleneck: "collective_or_overlap",
      counters: { busbw_gbps: 376.004, efficiency_pct: 41.778 },
    });
    expect(second).toMatchObject({
      latency_ms: null,
      bandwidth_gbps: null,
      status: "unmeasured",
      bottleneck: "failed_or_unmeasured",
      counters: { busbw_gbps: null, efficiency_pct: null },
    });
  });
});
