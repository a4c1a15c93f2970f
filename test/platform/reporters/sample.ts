import fc from "fast-check";
import type { Report, ReportItem } from "../../../src/platform/reporters/index.ts";
import { itemStatuses, provenances } from "../../../src/platform/words.ts";
import { anyPlot, nastyText } from "../plots/arbitraries.ts";

export const sample: Report = {
  title: "Node check",
  subject: "node-007",
  startedAtMs: Date.UTC(2026, 10, 15, 9, 30),
  durationMs: 83_500,
  notes: ["Measured on this host."],
  sections: [
    {
      title: "Storage",
      items: [
        {
          name: "write",
          status: "pass",
          reason: "4 KiB writes are fast enough.",
          durationMs: 1500,
          facts: [{ name: "bandwidth", value: 2 ** 31, unit: "B/s", provenance: "measured" }],
        },
        {
          name: "read",
          status: "fail",
          reason: "p99 is 40 ms, above the bound of 10 ms.",
          hint: "Look at the disk.",
          durationMs: 2500,
          facts: [{ name: "p99", value: 40, unit: "ms", provenance: "measured" }],
          log: "fio: line one\nfio: line two",
        },
      ],
    },
    {
      title: "GPUs",
      items: [
        { name: "clock", status: "warn", reason: "One clock is low.", facts: [] },
        { name: "memory", status: "suspect", reason: "One bit may have flipped.", facts: [] },
        { name: "links", status: "unknown", reason: "NVML did not answer.", facts: [] },
        { name: "sensor", status: "skipped", label: "absent", reason: "No sensor.", facts: [] },
      ],
    },
  ],
  plots: [
    {
      kind: "lines",
      title: "Latency",
      provenance: "measured",
      x: { label: "time", unit: "s" },
      y: { label: "latency", unit: "ms" },
      series: [{ name: "read", x: [0, 1, 2], y: [1, null, 3] }],
    },
  ],
};

const anyItem: fc.Arbitrary<ReportItem> = fc
  .record({
    name: nastyText,
    status: fc.constantFrom(...itemStatuses),
    reason: nastyText,
    hint: fc.option(nastyText, { nil: undefined }),
    log: fc.option(nastyText, { nil: undefined }),
    bound: fc.option(nastyText, { nil: undefined }),
    attachment: fc.option(fc.record({ title: nastyText, text: nastyText }), { nil: undefined }),
    durationMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
    facts: fc.array(
      fc.record({
        name: nastyText,
        value: fc.oneof(fc.double(), nastyText),
        unit: fc.constantFrom("", "B", "ms", "GB/s"),
        provenance: fc.constantFrom(...provenances),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ hint, log, bound, attachment, ...item }) => ({
    ...item,
    ...(bound === undefined ? {} : { bound }),
    ...(attachment === undefined ? {} : { attachment }),
    ...(hint === undefined ? {} : { hint }),
    ...(log === undefined ? {} : { log }),
  }));

/** Reports made of text that breaks careless writers. */
export const anyReport: fc.Arbitrary<Report> = fc.record({
  title: nastyText,
  subject: nastyText,
  startedAtMs: fc.integer({ min: 0, max: 4e12 }),
  durationMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
  notes: fc.array(nastyText, { maxLength: 2 }),
  sections: fc.array(
    fc.record({
      title: nastyText,
      items: fc.array(anyItem, { maxLength: 3 }),
      figures: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  plots: fc.array(anyPlot, { maxLength: 1 }),
});
