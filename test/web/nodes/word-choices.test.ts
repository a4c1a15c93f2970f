import { describe, expect, it } from "vitest";
import { offeredWords, wordText } from "../../../web/src/pages/nodes/word-choices.ts";

const held = { by: "alice", reason: "a cable", since: "2026-03-01T00:00:00Z" };

describe("what a person may say about a node", () => {
  it("is to release what a person holds or Tessera closed, and only that", () => {
    expect(offeredWords({ held, closedBy: "tessera" })).toEqual(["release", "test"]);
    expect(offeredWords({ held, closedBy: null })).toEqual(["release", "test"]);
    expect(offeredWords({ held: null, closedBy: "tessera" })).toEqual(["hold", "release", "test"]);
    expect(offeredWords({ held: null, closedBy: "other" })).toEqual(["hold", "test"]);
    expect(offeredWords({ held: null, closedBy: null })).toEqual(["hold", "test"]);
  });

  it("comes with what follows: a release opens whatever the checks have shown", () => {
    expect(wordText("release", { acting: "on" })).toMatch(/^It is opened to users at once/);
    expect(wordText("hold", { acting: "on" })).toMatch(/^Users are kept away/);
  });

  it("does not promise what a loop that only tells will not do", () => {
    for (const acting of ["off", "dry-run"] as const) {
      for (const word of ["hold", "release"] as const) {
        expect(wordText(word, { acting })).toContain(
          `Only written down: validation.act.mode is ${acting}`,
        );
      }
      expect(wordText("test", { acting })).toBe(wordText("test", { acting: "on" }));
    }
  });
});
