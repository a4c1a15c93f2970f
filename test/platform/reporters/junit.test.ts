import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { printableText } from "../../../src/platform/plots/markup.ts";
import { itemsOf, type Report, renderJunit } from "../../../src/platform/reporters/index.ts";
import { withoutEscapes } from "../../../src/platform/reporters/text.ts";
import { decodeEntities, expectWellFormed } from "../plots/xml.ts";
import { anyReport, sample } from "./sample.ts";

type Xml = Record<string, unknown>;

function parse(xml: string): Xml {
  const always = ["testsuite", "testcase", "property"];
  expectWellFormed(xml);
  const root = new XMLParser({
    ignoreAttributes: false,
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    processEntities: false,
    attributeValueProcessor: (_, value) => decodeEntities(value),
    tagValueProcessor: (_, value) => decodeEntities(value),
    isArray: (name) => always.includes(name),
  }).parse(xml) as Xml;
  return root["testsuites"] as Xml;
}

function cases(xml: string): Xml[] {
  const suites = (parse(xml)["testsuite"] ?? []) as Xml[];
  return suites.flatMap((suite) => (suite["testcase"] ?? []) as Xml[]);
}

describe("renderJunit", () => {
  it("maps each status to the outcome JUnit has for it", () => {
    const outcomes = cases(renderJunit(sample)).map((one) => [
      one["@_name"],
      ["failure", "error", "skipped"].find((kind) => kind in one) ?? "passed",
    ]);
    expect(outcomes).toEqual([
      ["write", "passed"],
      ["read", "failure"],
      ["clock", "passed"],
      ["memory", "error"],
      ["links", "error"],
      ["sensor", "skipped"],
    ]);
  });

  it("carries the reason as message, and the hint, facts and log beside it", () => {
    const [, read, , , , sensor] = cases(renderJunit(sample));
    expect(read?.["failure"]).toMatchObject({
      "@_message": "p99 is 40 ms, above the bound of 10 ms.",
      "#text": "Look at the disk.",
    });
    expect(read?.["system-out"]).toContain("p99 = 40 ms (measured)");
    expect(read?.["system-out"]).toContain("fio: line two");
    expect(sensor?.["skipped"]).toMatchObject({ "@_message": "No sensor." });
  });

  it("keeps a warning visible although it passes", () => {
    const [, , clock] = cases(renderJunit(sample));
    expect(clock?.["system-out"]).toBe("warn: One clock is low.");
  });

  it("counts tests, failures, errors and skips, for the whole and for each suite", () => {
    const root = parse(renderJunit(sample));
    expect(root).toMatchObject({
      "@_tests": "6",
      "@_failures": "1",
      "@_errors": "2",
      "@_skipped": "1",
      "@_time": "83.500",
    });
    expect((root["testsuite"] as Xml[])[0]).toMatchObject({
      "@_tests": "2",
      "@_failures": "1",
      "@_time": "4.000",
      "@_timestamp": "2026-11-15T09:30:00",
    });
  });

  it("gives back every name and reason that goes in, whatever characters they hold", () => {
    fc.assert(
      fc.property(anyReport, (report: Report) => {
        const parsed = cases(renderJunit(report));
        const items = itemsOf(report);
        expect(parsed).toHaveLength(items.length);
        for (const [index, item] of items.entries()) {
          const one = parsed[index] ?? {};
          expect(one["@_name"]).toBe(printableText(item.name));
          const outcome = (one["failure"] ?? one["error"] ?? one["skipped"]) as Xml | undefined;
          if (outcome !== undefined) {
            expect(outcome["@_message"]).toBe(printableText(withoutEscapes(item.reason)));
          }
        }
      }),
      { numRuns: 80, seed: 20261115 },
    );
  });

  it("writes no character that XML forbids", () => {
    fc.assert(
      fc.property(anyReport, (report: Report) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what we look for
        expect(renderJunit(report)).not.toMatch(
          /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/,
        );
        // A lone surrogate does not survive the way to bytes and back.
        expect(Buffer.from(renderJunit(report)).toString()).toBe(renderJunit(report));
      }),
      { numRuns: 80, seed: 20261115 },
    );
  });
});
