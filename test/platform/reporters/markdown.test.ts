import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  escapeMarkdown,
  type Report,
  renderMarkdown,
} from "../../../src/platform/reporters/index.ts";
import { nastyText } from "../plots/arbitraries.ts";
import { anyReport, sample } from "./sample.ts";

const runs = { numRuns: 80, seed: 20261115 };

describe("renderMarkdown", () => {
  it("writes one table for each section, with hints and folded facts", () => {
    const section = sample.sections[0];
    const report = { ...sample, sections: section === undefined ? [] : [section] };
    expect(renderMarkdown(report)).toMatchInlineSnapshot(`
      "# Node check

      **fail** · node-007 · 1 fail, 1 pass

      Started 2026-11-15T09:30:00Z, took 1m 24s.

      - Measured on this host.

      ## Storage

      | Status | Item | Finding | Time |
      | --- | --- | --- | ---: |
      | pass | write | 4 KiB writes are fast enough. | 1.5 s |
      | fail | read | p99 is 40 ms, above the bound of 10 ms.<br>→ Look at the disk. | 2.5 s |

      <details><summary>write</summary>

      - bandwidth: 2 GiB/s (measured)

      </details>

      <details><summary>read</summary>

      - p99: 40 ms (measured)

      \`\`\`text
      fio: line one
      fio: line two
      \`\`\`

      </details>

      ## Plots

      - Latency (measured)
      "
    `);
  });

  it("keeps every table row at four cells, whatever the text", () => {
    fc.assert(
      fc.property(anyReport, (report: Report) => {
        const withoutLogs = {
          ...report,
          sections: report.sections.map(({ title, items }) => ({
            title,
            items: items.map((item) => ({ ...item, log: "" })),
          })),
        };
        const rows = renderMarkdown(withoutLogs)
          .split("\n")
          .filter((line) => line.startsWith("| "));
        for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(6);
      }),
      runs,
    );
  });

  it("fences a log with more backticks than it contains", () => {
    const section = {
      title: "s",
      items: [{ name: "n", status: "fail" as const, reason: "r", facts: [], log: "a ```` b" }],
    };
    expect(renderMarkdown({ ...sample, sections: [section] })).toContain(
      "`````text\na ```` b\n`````",
    );
  });
});

describe("escapeMarkdown", () => {
  it.each([
    ["a|b", "a\\|b"],
    ["<b>&", "&lt;b&gt;&amp;"],
    ["[x](y)", "\\[x\\](y)"],
    ["# title", "\\# title"],
    ["- item", "\\- item"],
    ["1. item", "1\\. item"],
    ["a\nb", "a b"],
    ["libcuda.so.1 (12.4)", "libcuda.so.1 (12.4)"],
  ])("writes %j as %j", (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  it("leaves no markup character without its backslash, and one line", () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const escaped = escapeMarkdown(text);
        expect(escaped).not.toMatch(/[\n\r<>]/);
        expect(escaped.replace(/\\[\\`*_{}[\]#|~$^\-+=.)]/g, "")).not.toMatch(/[\\`*_{}[\]#|~$^]/);
      }),
      runs,
    );
  });
});
