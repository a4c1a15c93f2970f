import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderPlot } from "../../../src/platform/plots/index.ts";
import { printableText } from "../../../src/platform/plots/markup.ts";
import {
  anyBars,
  anyHeatMap,
  anyHistogram,
  anyLanes,
  anyLines,
  anyPlot,
  anyStatusMap,
} from "./arbitraries.ts";
import { elementsOf, expectInsideViewBox, parseSvg } from "./svg-facts.ts";

const runs = { numRuns: 60, seed: 20261115 };

describe.each([
  ["lines", anyLines],
  ["bars", anyBars],
  ["heat map", anyHeatMap],
  ["histogram", anyHistogram],
  ["status map", anyStatusMap],
  ["lanes", anyLanes],
] as const)("any %s plot", (_, plots) => {
  it("is well-formed XML whose coordinates are finite and inside the view box", () => {
    fc.assert(
      fc.property(plots, (plot) => {
        expectInsideViewBox(renderPlot(plot));
      }),
      runs,
    );
  });

  it("never shows NaN, Infinity or undefined", () => {
    fc.assert(
      fc.property(plots, (plot) => {
        const quiet = { ...plot, title: "t" };
        const shown = renderPlot(quiet).replaceAll(/<(title|desc|text)[^>]*>[^<]*/g, "");
        expect(shown).not.toMatch(/NaN|Infinity|undefined/);
      }),
      runs,
    );
  });
});

describe("any plot", () => {
  it("has a title and a description that its root refers to", () => {
    fc.assert(
      fc.property(anyPlot, (plot) => {
        const [root, title, description] = elementsOf(parseSvg(renderPlot(plot, { id: "p" })));
        expect(root?.attributes).toMatchObject({
          role: "img",
          "aria-labelledby": "p-title p-description",
        });
        expect(title?.attributes["id"]).toBe("p-title");
        expect(description?.attributes["id"]).toBe("p-description");
        expect(description?.children).not.toEqual([]);
      }),
      runs,
    );
  });

  it("contains only elements and attributes of its own, whatever the input says", () => {
    const allowed = new Set(
      "svg title desc style g rect text line path circle pattern defs".split(" "),
    );
    fc.assert(
      fc.property(anyPlot, (plot) => {
        const svg = renderPlot(plot);
        for (const { name, attributes } of elementsOf(parseSvg(svg))) {
          expect(allowed).toContain(name);
          expect(Object.keys(attributes).some((key) => /^on|href|style/.test(key))).toBe(false);
        }
      }),
      runs,
    );
  });

  it("is the same for the same data", () => {
    fc.assert(
      fc.property(anyPlot, (plot) => {
        expect(renderPlot(plot)).toBe(renderPlot(plot));
      }),
      runs,
    );
  });
});

describe("printableText", () => {
  it("keeps ordinary text and shows controls as pictures", () => {
    expect(printableText("a\tb\n\u001b[1m\u007f \ud800 é 🙂\r\nz")).toBe(
      "a\tb\n␛[1m␡ \ufffd é 🙂\nz",
    );
  });
});
