import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plotStyle } from "../../../src/platform/plots/index.ts";
import {
  type Report,
  type ReportItem,
  renderHtml,
  renderJson,
  renderMarkdown,
} from "../../../src/platform/reporters/index.ts";
import { anyReport, sample } from "./sample.ts";

const runs = { numRuns: 80, seed: 20261115 };
const allowedTags = new Set(
  (
    "html head meta title style body main header footer h1 h2 p div strong span ul li table thead " +
    "tbody tr th td details summary pre figure svg desc defs pattern g rect text line path circle"
  ).split(" "),
);

describe("renderHtml", () => {
  it("shows title, verdict, every status in words, reasons, hints, facts and logs", () => {
    const html = renderHtml(sample);
    for (const text of [
      "Node check",
      "node-007",
      "Verdict: fail",
      "1 fail, 1 unknown, 1 suspect, 1 warn, 1 absent, 1 pass",
      "2026-11-15T09:30:00Z",
      "Look at the disk.",
      "2 GiB/s",
      "fio: line two",
      "absent",
    ]) {
      expect(html).toContain(text);
    }
  });

  it("shows no verdict on figures that nobody judged", () => {
    const html = renderHtml({ ...sample, judges: false });
    expect(html).toContain("node-007");
    expect(html).not.toContain("Verdict");
    expect(renderMarkdown({ ...sample, judges: false })).not.toContain("**fail**");
    expect(JSON.parse(renderJson({ ...sample, judges: false }))).toMatchObject({ verdict: null });
  });

  it("asks for nothing from outside and forbids it in its policy", () => {
    const html = renderHtml(sample);
    expect(html).toContain("default-src &#39;none&#39;");
    expect(html).not.toContain("unsafe-inline");
    expect(html.replaceAll('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /https?:|\ssrc=|\shref=|@import|url\((?!#)/i,
    );
  });

  it("allows exactly the style sheets it contains", () => {
    const html = renderHtml(sample);
    const styles = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map((match) => match[1] ?? "");
    expect(styles).toContain(plotStyle);
    for (const style of styles) {
      const hash = createHash("sha256").update(style).digest("base64");
      expect(html).toContain(`sha256-${hash}`);
    }
  });

  it("contains no tag, attribute or address that came from the input", () => {
    fc.assert(
      fc.property(anyReport, (report: Report) => {
        const html = renderHtml(report);
        for (const [tag, name = ""] of html.matchAll(/<\/?([a-zA-Z!][^\s/>]*)[^>]*>/g)) {
          if (name === "!doctype") continue;
          expect(allowedTags, tag).toContain(name);
          expect(tag).not.toMatch(/\s(on\w+|src|href|style)=/i);
        }
        expect(html).not.toMatch(/<script|<img|javascript:[^)\s]*"/i);
      }),
      runs,
    );
  });

  it("gives every plot ids of its own", () => {
    const [plot] = sample.plots;
    const plots = plot === undefined ? [] : [plot, plot];
    const ids = [...renderHtml({ ...sample, plots }).matchAll(/\sid="([^"]+)"/g)].map(
      ([, id]) => id,
    );
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("opens what needs attention and folds what is fine", () => {
    const html = renderHtml(sample);
    expect(html.match(/<details open="">/g)).toHaveLength(1);
    expect(html.match(/<details>/g)).toHaveLength(1);
  });

  it("shows figures as one table, with bounds, origins and what is remarkable", () => {
    const fact = (name: string, value: number) => {
      return { name, value, unit: "GB/s", provenance: "measured" } as const;
    };
    const reason = "read is below its floor.";
    const items: readonly ReportItem[] = [
      {
        name: "read",
        status: "warn",
        reason,
        bound: "at least 2 GB/s",
        facts: [fact("median", 1)],
      },
      { name: "write", status: "skipped", reason: "As usual.", facts: [fact("worst", 3)] },
    ];
    const html = renderHtml({ ...sample, sections: [{ title: "Figures", items, figures: true }] });
    const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
        cell.replaceAll(/<[^>]*>/g, ""),
      ),
    );
    expect(rows).toEqual([
      ["Status", "Figure", "median", "worst", "Bound", "Origin"],
      ["warn", "read", "1 GB/s", "–", "at least 2 GB/s", "measured"],
      ["", "read is below its floor."],
      ["", "write", "–", "3 GB/s", "–", "measured"],
    ]);
    const [, write] = items;
    const plain = write === undefined ? [] : [write];
    const alone = renderHtml({
      ...sample,
      sections: [{ title: "Figures", items: plain, figures: true }],
    });
    expect(alone).not.toMatch(/>Status<|>Bound<|As usual/);
  });

  it("keeps an attachment whole, folded", () => {
    const text = "0123456789".repeat(30_000);
    const item: ReportItem = {
      name: "Result",
      status: "skipped",
      reason: "All of it.",
      facts: [],
      attachment: { title: "JSON of the result", text },
    };
    const html = renderHtml({ ...sample, sections: [{ title: "Evidence", items: [item] }] });
    expect(html).toContain("<details><summary>JSON of the result</summary>");
    expect(html).toContain(`tabindex="0">${text}</pre>`);
  });

  it("says so when a section is empty", () => {
    expect(renderHtml({ ...sample, sections: [{ title: "Empty", items: [] }] })).toContain(
      "Nothing was looked at.",
    );
  });
});
