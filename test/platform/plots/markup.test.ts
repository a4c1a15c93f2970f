import { describe, expect, it } from "vitest";
import {
  element,
  escapeAttribute,
  formatCoordinate,
  fragment,
  trustedMarkup,
} from "../../../src/platform/plots/markup.ts";
import { decodeEntities } from "./xml.ts";

describe("element", () => {
  it("takes strings for text and markup for markup", () => {
    const inner = element("b", {}, "<i>");
    expect(element("p", { class: "a" }, inner, " & ", trustedMarkup("<hr/>")).markup).toBe(
      '<p class="a"><b>&lt;i&gt;</b> &amp; <hr/></p>',
    );
  });

  it("leaves out attributes without a value and keeps empty ones", () => {
    expect(element("details", { open: "", id: undefined }).markup).toBe(
      '<details open=""></details>',
    );
  });

  it("closes shapes and void elements in one tag, and refuses content in them", () => {
    expect(element("line", { x1: 1 }).markup).toBe('<line x1="1"/>');
    expect(() => element("line", {}, "text")).toThrow("takes no content");
  });

  it("refuses a coordinate that is no number rather than write it", () => {
    expect(() => element("rect", { x: Number.NaN })).toThrow("x is NaN");
    expect(() => element("rect", { y: Number.POSITIVE_INFINITY })).toThrow("y is Infinity");
  });
});

describe("escaping", () => {
  it("keeps newlines and tabs of an attribute, which parsers would turn into spaces", () => {
    const escaped = escapeAttribute("a\n\t\"b\" 'c'");
    expect(escaped).not.toMatch(/[\n\t"']/);
    expect(decodeEntities(escaped)).toBe("a\n\t\"b\" 'c'");
  });

  it("rounds coordinates and knows no negative zero", () => {
    expect([1 / 3, -0.001, 12, 1e-9].map((value) => formatCoordinate(value))).toEqual([
      "0.33",
      "0",
      "12",
      "0",
    ]);
  });

  it("joins pieces and skips what is not there", () => {
    expect(fragment("a", undefined, element("b", {})).markup).toBe("a<b></b>");
  });
});
