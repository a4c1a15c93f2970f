import { describe, expect, it } from "vitest";
import { standingLetters, useLetters } from "../../../src/control/api/nodes.ts";
import {
  describeSpot,
  sentenceOf,
  withoutCommonStart,
} from "../../../web/src/pages/fleet/heat/describe.ts";
import { codeAt, standingAt, useOf } from "../../../web/src/pages/fleet/heat/model.ts";
import { codeOf, isStale, standingOf } from "../../../web/src/pages/fleet/heat/standing-codes.ts";
import { fleetOf, laidOut } from "./support.ts";

describe("the letters of the heat map", () => {
  it("are those the server writes", () => {
    for (const [standing, letter] of Object.entries(standingLetters)) {
      expect(standingOf(codeOf(letter))).toBe(standing);
    }
    const letters = Object.values(useLetters).join("");
    const model = fleetOf([letters.length], { uses: letters });
    const uses = Object.keys(useLetters);
    expect(uses.map((_, node) => useOf(model, node))).toEqual(uses);
  });

  it("are old evidence as capitals, and only then", () => {
    expect(isStale(codeOf("F"))).toBe(true);
    expect(standingOf(codeOf("F"))).toBe("fail");
    expect(isStale(codeOf("f"))).toBe(false);
    expect(isStale(codeOf("-"))).toBe(false);
  });

  it("never make something healthy of what is not known", () => {
    expect(standingOf(codeOf("x"))).toBe("unknown");
    expect(standingOf(codeOf(""))).toBe("unknown");
    const model = fleetOf([2], { cells: ["p"], standings: "p" });
    expect(standingAt(model, 1)).toBe("unknown");
    expect(standingAt(model, 1, 0)).toBe("unknown");
    expect(standingOf(codeAt(model, 7))).toBe("unknown");
  });
});

describe("a cell in words", () => {
  const model = fleetOf([2], { cells: ["pF", "p-"], standings: "pf", closed: "-t", uses: "fn" });
  const layout = laidOut(model);

  it("names node, check, verdict, age and who closed it", () => {
    expect(sentenceOf(describeSpot(model, layout, { slot: 1, check: 0 }))).toBe(
      "node-1. dl-unit: fail, evidence too old. rack rack-0, h100, untestable, closed by Tessera.",
    );
  });

  it("names every check where the cell is the whole node, and nobody who did not close it", () => {
    expect(sentenceOf(describeSpot(model, layout, { slot: 0, check: undefined }))).toBe(
      "node-0. dl-unit: pass, storage-io: pass. rack rack-0, h100, free.",
    );
  });
});

describe("labels without their common start", () => {
  it("keep whole numbers", () => {
    expect(withoutCommonStart(["rack-10", "rack-11"])).toEqual(["10", "11"]);
    expect(withoutCommonStart(["eu-a1", "eu-b1"])).toEqual(["a1", "b1"]);
  });

  it("stay as they are when there is one or nothing in common", () => {
    expect(withoutCommonStart(["rack-1"])).toEqual(["rack-1"]);
    expect(withoutCommonStart(["a", "b"])).toEqual(["a", "b"]);
    expect(withoutCommonStart(["a", "a"])).toEqual(["a", "a"]);
  });
});
