import { describe, expect, it } from "vitest";
import { createDiagnosis, type DoctorFinding } from "../../../src/platform/doctor/index.ts";
import { doctorReport, itemsOf, renderJunit } from "../../../src/platform/reporters/index.ts";

const host = { os: "linux", kernel: "6.1", arch: "x64", cpus: 1, memoryBytes: 2 ** 34 };
const timing = { startedAtMs: 0, durationMs: 5 };

function finding(part: Partial<DoctorFinding>): DoctorFinding {
  return {
    id: "x",
    title: "X",
    state: "works",
    required: false,
    reason: "It is so.",
    neededFor: "the tests",
    durationMs: 1,
    ...part,
  };
}

function report(...findings: DoctorFinding[]) {
  return doctorReport(createDiagnosis(host, findings), timing);
}

describe("doctorReport", () => {
  it("fails for what is required, skips what is optional, and hides nothing that is unknown", () => {
    const items = itemsOf(
      report(
        finding({ id: "a", required: true, state: "missing" }),
        finding({ id: "b", required: false, state: "missing" }),
        finding({ id: "c", required: false, state: "unknown" }),
        finding({ id: "d", state: "limited" }),
        finding({ id: "e" }),
      ),
    );
    expect(items.map(({ status, label }) => [status, label])).toEqual([
      ["fail", "missing"],
      ["skipped", "missing"],
      ["unknown", "unknown"],
      ["warn", "limited"],
      ["pass", "works"],
    ]);
  });

  it("says what cannot be done without it, but only where something is missing", () => {
    const [missing, works] = itemsOf(
      report(finding({ id: "a", state: "missing", reason: "None there" }), finding({ id: "b" })),
    );
    expect(missing?.reason).toBe("None there. Needed for the tests.");
    expect(works?.reason).toBe("It is so.");
  });

  it("puts required things first and GPU libraries together", () => {
    const { sections } = report(
      finding({ id: "fio" }),
      finding({ id: "gpu-nccl" }),
      finding({ id: "node", required: true }),
    );
    expect(sections.map(({ title }) => title)).toEqual(["Required", "GPUs", "Other parts"]);
  });

  it("gives every piece of evidence its unit and its provenance", () => {
    const [item] = itemsOf(
      report(
        finding({
          evidence: { freeBytes: 2048, sync: { medianMs: 1.5 }, engines: ["a", "b"], none: null },
        }),
      ),
    );
    expect(item?.facts).toEqual([
      { name: "freeBytes", value: 2048, unit: "B", provenance: "measured" },
      { name: "sync.medianMs", value: 1.5, unit: "ms", provenance: "measured" },
      { name: "engines", value: "a, b", unit: "", provenance: "measured" },
    ]);
  });

  it("reads in CI as passed, failed and skipped tests", () => {
    const xml = renderJunit(
      report(finding({ state: "missing" }), finding({ id: "y", title: "Y" })),
    );
    expect(xml).toContain('tests="2" failures="0" errors="0" skipped="1"');
    expect(xml).toContain('<skipped message="It is so. Needed for the tests."></skipped>');
  });
});
