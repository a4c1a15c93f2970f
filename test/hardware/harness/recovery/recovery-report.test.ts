import { describe, expect, it } from "vitest";
import {
  judgeRecovery,
  type RecoveryRecord,
  recoveryReport,
  sharesOf,
} from "../../../../src/hardware/harness/recovery/index.ts";
import { renderPlot } from "../../../../src/platform/plots/index.ts";
import { renderHtml } from "../../../../src/platform/reporters/index.ts";

const samples = Array.from({ length: 120 }, (_, at) => ({
  sentMs: at * 250,
  endedMs: at * 250 + 20,
  outcome: at >= 40 && at < 80 ? ("failed" as const) : ("ok" as const),
}));
const times = { detect: 300, cordon: 500, drain: 4000, reschedule: 4100, serving: 10_000 };
const record: RecoveryRecord = {
  node: "gpu-1",
  xid: 79,
  injectedMs: 10_000,
  endedMs: 30_000,
  times,
  cordonedBy: "nvsentinel",
  events: [{ atMs: 10_500, text: "node gpu-1 is cordoned by nvsentinel" }],
  samples,
  shares: sharesOf(samples, { injectedMs: 10_000, servingMs: 20_000 }),
};

function reportOf(leftovers: readonly string[] = []) {
  const judgement = judgeRecovery({ times, shares: record.shares, leftovers });
  const compared = [
    { what: "nvsentinel cordons", predicted: "yes", observed: "yes", agrees: true },
    { what: "nvsentinel drains", predicted: "no", observed: "yes", agrees: false },
    { what: "real reboot", predicted: "yes", observed: "unknown", agrees: "unknown" },
  ] as const;
  const about = { subject: "shop/server", startedAtMs: 0, durationMs: 30_000 };
  return recoveryReport({ ...about, judgement, record, compared });
}

describe("the report of a recovery", () => {
  it("says what held, how long each phase took, and what was foretold", () => {
    const report = reportOf();
    expect(report.title).toBe("Hardware fault test: pass");
    const items = report.sections.flatMap((section) => section.items);
    const reasonOf = (name: string) => items.find((item) => item.name === name)?.reason;
    expect(reasonOf("before")).toBe("40 of 40 requests, 100.0 % (91.2 to 100.0 %)");
    expect(reasonOf("during")).toBe("0 of 40 requests, 0.0 % (0.0 to 8.8 %)");
    expect(reasonOf("nvsentinel drains")).toBe("predicted no, observed yes");
    expect(items.find(({ name }) => name === "node gpu-1")?.log).toContain("0.50 s  node gpu-1");
  });

  it("says of each window how many requests could not be asked", () => {
    const dim = samples.map((sample, at) => {
      return at < 3 ? { ...sample, outcome: "unknown" as const } : sample;
    });
    const shares = sharesOf(dim, { injectedMs: 10_000, servingMs: 20_000 });
    const judgement = judgeRecovery({ times, shares, leftovers: [] });
    const about = { subject: "shop/server", startedAtMs: 0, durationMs: 30_000, judgement };
    const report = recoveryReport({ ...about, record: { ...record, shares } });
    const items = report.sections.flatMap((section) => section.items);
    const reasonOf = (name: string) => items.find((item) => item.name === name)?.reason;
    expect(reasonOf("before")).toContain("37 of 37 requests");
    expect(reasonOf("before")).toContain("3 more could not be asked");
    expect(reasonOf("after")).not.toContain("asked");
  });

  it("fails with what was left behind", () => {
    expect(reportOf(["fault x is revert-failed"]).title).toBe("Hardware fault test: fail");
  });

  it("draws phases over the success of requests, as a page too", () => {
    const [plot] = reportOf().plots;
    if (plot === undefined) throw new Error("there is a plot");
    const svg = renderPlot(plot);
    expect(svg).toContain("cordoned");
    expect(svg).toContain("Requests that succeeded");
    expect(renderHtml(reportOf())).toContain("<svg");
  });
});
