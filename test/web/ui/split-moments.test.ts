import { describe, expect, it } from "vitest";
import { splitMoments } from "../../../web/src/ui/split-moments.ts";

describe("a sentence of the server", () => {
  it("is parted at its moments, to the minute or to the millisecond", () => {
    const closed = "closed at 2026-11-18T08:25:15.239Z; opened again only when dl-unit passes";
    expect(splitMoments(closed)).toEqual([
      { text: "closed at " },
      { at: "2026-11-18T08:25:15.239Z" },
      { text: "; opened again only when dl-unit passes" },
    ]);
    const incident = "9 of 12 runs from 2026-03-01T09:30Z to 2026-03-01T10:00Z";
    expect(splitMoments(incident)).toEqual([
      { text: "9 of 12 runs from " },
      { at: "2026-03-01T09:30Z" },
      { text: " to " },
      { at: "2026-03-01T10:00Z" },
    ]);
  });

  it("keeps its words where no moment of a known zone is in it", () => {
    for (const text of [
      "never tested",
      "quiet hours from 22:00 to 06:00 UTC",
      "since 2026-11-18T08:25:15",
      "run-2026-11-18T08:25:15Zulu",
      "at 2026-99-18T08:25:15Z",
    ]) {
      const parts = splitMoments(text);
      expect(parts.map((part) => ("at" in part ? "a moment" : part.text)).join("")).toBe(text);
    }
    expect(splitMoments("")).toEqual([]);
  });
});
